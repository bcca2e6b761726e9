"""Makes processes that `multiprocessing` starts use Clinch if their parent does.

Child processes inherit a process's `_config`, and unpickle it before anything else.
With `fork` they inherit the whole process, so they use Clinch anyway.
"""

from multiprocessing import process

from clinch.integrations.pytensor.config import options

_KEY = "clinch.pytensor"


class _UseInChild:
    """Makes the process that unpickles it use Clinch."""

    def __reduce__(self):
        return _use_here, (dict(vars(options)),)


def use_in_children():
    """Makes new workers use Clinch."""
    process.current_process()._config[_KEY] = _UseInChild()


def leave_children_alone():
    """Stops making new workers use Clinch."""
    process.current_process()._config.pop(_KEY, None)


def _use_here(given):
    from clinch.integrations.pytensor.using import be_used

    vars(options).update(given)
    be_used()
    return _UseInChild()
