"""PyTensor's virtual machines in Python, whose errors keep Clinch's notes."""

from pytensor.link.vm import Loop, Stack

from clinch.integrations.pytensor.errors import keeping_notes


def _noted(kind):
    class Noted(kind):
        def __call__(self, output_subset=None):
            # `Loop` computes all outputs, also if some are asked for.
            asked = (output_subset,) if kind is Stack else ()
            with keeping_notes():
                return super().__call__(*asked)

    return Noted


#: For each of PyTensor's machines ours.
NOTED = {kind: _noted(kind) for kind in (Loop, Stack)}


def is_watched(linker):
    """Whether a caller watches single applies, or may skip some."""
    called_back = linker.callback is not None or linker.callback_input is not None
    return called_back or bool(linker.allow_partial_eval)
