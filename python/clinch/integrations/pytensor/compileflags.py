"""The flags that graphs are compiled with.

PyTensor's flag `gcc__cxxflags` is set for g++ by users, and by PyMC when it is
imported. Flags that Clang accepts are passed on; those that cannot apply here are
dropped.
"""

from pytensor.configdefaults import config

#: Flags for g++ that Clinch must drop, because its own text catches what an Op's
#: C++ throws. If nothing throws, the code is the same.
_CANNOT_HOLD = {"-fno-exceptions", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables"}

#: Prefixes of flags for how g++ makes modules, and for the version of C++.
_OF_MODULES = ("-g", "-pipe", "-shared", "-Wl,", "-flto", "-fuse-ld=", "-std=")


def compile_flags():
    """Returns the flags that PyTensor passes for any graph, and the user's.

    g++ contracts `a * b + c` across statements, so Clang must do so too for results
    to agree to the last bit.
    """
    user = user_flags()
    machine = [] if any("-march=" in flag for flag in user) else ["-march=native"]
    level = ["-O0"] if config.cmodule__remove_gxx_opt else []
    return [
        "-w",
        "-fno-math-errno",
        "-ffp-contract=fast",
        # Loops are vectorised; unrolling their scalar remainder takes an eighth of
        # a compile and gains nothing.
        "-fno-unroll-loops",
        *machine,
        *level,
        *user,
    ]


def user_flags():
    """Returns the flags in `gcc__cxxflags` that can apply."""
    return [flag for flag in config.gcc__cxxflags.split() if not _left_out(flag)]


def _left_out(flag):
    if config.cmodule__remove_gxx_opt and flag.startswith("-O"):
        return True
    return flag in _CANNOT_HOLD or flag.startswith(_OF_MODULES)
