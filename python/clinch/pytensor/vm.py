"""PyTensor's virtual machines in Python, whose errors keep Clinch's notes."""

from pytensor.link.vm import Loop, Stack

from clinch.pytensor.errors import keeping_notes


def _noted(kind):
    class Noted(kind):
        def __call__(self, *args, **kwargs):
            with keeping_notes():
                return super().__call__(*args, **kwargs)

    return Noted


#: For each of PyTensor's machines ours.
NOTED = {kind: _noted(kind) for kind in (Loop, Stack)}


def is_watched(linker):
    """Whether a caller watches single applies, or may skip some."""
    return (
        linker.callback is not None
        or linker.callback_input is not None
        or bool(linker.allow_partial_eval)
    )
