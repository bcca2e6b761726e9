"""Processes that `multiprocessing` starts use Clinch if their parent does.

What a process has in its `_config` is inherited by all that come from it, and
unpickled in them before anything else of theirs. With `fork` the whole process
is inherited, and nothing has to be told.
"""

from multiprocessing import process

from clinch.pytensor.config import options

_KEY = "clinch.pytensor"


class _Told:
    """Unpickled, makes the process that it is in use Clinch."""

    def __reduce__(self):
        return _use_here, (dict(vars(options)),)


def tell():
    """From now on, workers are told."""
    process.current_process()._config[_KEY] = _Told()


def tell_no_more():
    """From now on, they are not."""
    process.current_process()._config.pop(_KEY, None)


def _use_here(given):
    from clinch.pytensor.using import use

    vars(options).update(given)
    use()
    return _Told()
