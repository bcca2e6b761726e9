"""What can be set, and what PyTensor's own configuration is while Clinch works."""

import threading
from dataclasses import dataclass

from pytensor.configdefaults import config

from clinch.pytensor._import import CXX
from clinch.pytensor.blas import ldflags


@dataclass
class Options:
    """How graphs are compiled from now on."""

    #: "fast", "default" or "max".
    tier: str = "max"
    #: The tier of a new function's first code; that of `tier` is compiled on a
    #: thread behind it, and taken, when it is called a second time. None: there
    #: is no first code, and `tier` is compiled at once.
    first_tier: str | None = "fast"


options = Options()


def compile_flags():
    """What PyTensor gives g++ for any graph, and what the user adds to it.

    g++ contracts `a * b + c` also over statements; so that results agree to the
    last bit, Clang is told to.
    """
    user = config.gcc__cxxflags.split()
    machine = [] if any("-march=" in flag for flag in user) else ["-march=native"]
    # The quicker tiers compute mathematical functions as max does.
    vectors = ["-fveclib=libmvec"] if options.tier == "max" else []
    return [
        "-w",
        "-fno-math-errno",
        "-ffp-contract=fast",
        # Vectors are what makes loops quick; what is left over of them eight
        # times in a row takes an eighth of a compile, and gains nothing.
        "-fno-unroll-loops",
        *vectors,
        *machine,
        *user,
    ]


def active():
    """Whether what PyTensor compiles now is compiled by Clinch."""
    return config.cxx == CXX


class _Compiling:
    """How many threads compile now: the first sets the flags, the last resets
    them. PyTensor's flags are the process's, so one that is done must not take
    them from another that is not."""

    def __init__(self):
        self.lock = threading.Lock()
        self.count = 0
        self.blas = config._config_var_dict["blas__ldflags"]
        self.cxx = config._config_var_dict["cxx"]
        self.gives_blas = False
        self.cxx_before = None

    def __enter__(self):
        with self.lock:
            if not self.count:
                self._set()
            self.count += 1

    def __exit__(self, *error):
        with self.lock:
            self.count -= 1
            if not self.count:
                self._reset()

    def _set(self):
        """Says where a BLAS is, where PyTensor would find out with g++ when asked.

        A flag that is known is left alone; the user may want none.
        """
        self.gives_blas = not hasattr(self.blas, "val")
        if self.gives_blas:
            self.blas.val = ldflags()
        self.cxx_before, self.cxx.val = config.cxx, CXX

    def _reset(self):
        self.cxx.val = self.cxx_before
        if self.gives_blas:
            del self.blas.val


_compiling = _Compiling()


def compiling():
    """Inside, Clinch is PyTensor's compiler.

    `config.cxx` is what PyTensor asks to know whether there is one: with none
    it fuses less and uses `perform`; with g++ it would start that.
    """
    return _compiling


def accept_names(mode_names, linker_names):
    """Lets `config.mode` and `config.linker` take our names."""
    mode = config._config_var_dict["mode"]
    filter_mode = mode._apply

    def apply(value):
        if isinstance(value, str) and value.upper() in mode_names:
            return value.upper()
        return filter_mode(value)

    mode._apply = apply
    config._config_var_dict["linker"].all.update(linker_names)


def apply_requested(flags):
    """Sets the flags that were kept back from PyTensor's own import."""
    for name, value in flags.items():
        setattr(config, name, value)
