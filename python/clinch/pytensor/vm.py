"""PyTensor's virtual machines in Python, whose errors keep Clinch's notes."""

from pytensor.link.vm import Loop, Stack

from clinch.pytensor.errors import keeping_notes


class NotedLoop(Loop):
    """PyTensor's `Loop`, which computes all outputs, also if some are asked for."""

    def __call__(self, output_subset=None):
        with keeping_notes():
            return super().__call__()


class NotedStack(Stack):
    """PyTensor's `Stack`."""

    def __call__(self, *args, **kwargs):
        with keeping_notes():
            return super().__call__(*args, **kwargs)


#: For each of PyTensor's machines ours.
NOTED = {Loop: NotedLoop, Stack: NotedStack}


def is_watched(linker):
    """Whether a caller watches single applies, or may skip some."""
    return (
        linker.callback is not None
        or linker.callback_input is not None
        or bool(linker.allow_partial_eval)
    )
