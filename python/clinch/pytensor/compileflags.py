"""The flags that graphs are compiled with.

PyTensor's flag `gcc__cxxflags` is made for g++: by users, and by PyMC, which
adds flags to it when it is imported. What Clang takes is handed on; what cannot
hold here is left out.
"""

from pytensor.configdefaults import config

from clinch.pytensor.config import options

#: Flags for g++ that Clinch has to leave out: its own text catches what an Op's
#: C++ throws. Where nothing throws, both make the same code.
_CANNOT_HOLD = {
    "-fno-exceptions",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
}

#: Prefixes of flags for how g++ makes modules, and for the version of C++.
_OF_MODULES = ("-g", "-pipe", "-shared", "-Wl,", "-flto", "-fuse-ld=", "-std=")


def compile_flags():
    """What PyTensor gives g++ for any graph, and what the user adds to it.

    g++ contracts `a * b + c` also over statements; so that results agree to the
    last bit, Clang is told to.
    """
    user = user_flags()
    machine = [] if any("-march=" in flag for flag in user) else ["-march=native"]
    # The quicker tiers compute mathematical functions as max does.
    vectors = ["-fveclib=libmvec"] if options.tier == "max" else []
    return [
        "-w",
        "-fno-math-errno",
        "-ffp-contract=fast",
        # Vectors make loops quick; unrolling the scalar remainder takes an eighth
        # of a compile, and gains nothing.
        "-fno-unroll-loops",
        *vectors,
        *machine,
        *user,
    ]


def user_flags():
    """What can hold of `gcc__cxxflags`."""
    return [flag for flag in config.gcc__cxxflags.split() if not _left_out(flag)]


def _left_out(flag):
    return flag in _CANNOT_HOLD or flag.startswith(_OF_MODULES)
