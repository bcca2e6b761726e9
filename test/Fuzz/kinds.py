"""C's arithmetic types: their names, what fits, and how values become them."""

import ctypes

import numpy

_LIBM = ctypes.CDLL("libm.so.6")


class Kind:
    """One arithmetic type of x86-64 Linux."""

    def __init__(self, name, c_name, ctype, suffix=""):
        self.name = name
        self.c_name = c_name
        self.ctype = ctype
        self.suffix = suffix
        self.family = name[0]  # i, u or f
        self.bits = int(name[1:])
        self.size = self.bits // 8
        self.dtype = numpy.dtype({"i": "int", "u": "uint", "f": "float"}[
            self.family] + str(self.bits))

    @property
    def is_float(self):
        return self.family == "f"

    @property
    def bounds(self):
        """Least and greatest value of a type of whole numbers."""
        if self.family == "u":
            return 0, (1 << self.bits) - 1
        return -(1 << self.bits - 1), (1 << self.bits - 1) - 1

    def __repr__(self):
        return self.name


KINDS = {kind.name: kind for kind in (
    Kind("i8", "signed char", ctypes.c_int8),
    Kind("u8", "unsigned char", ctypes.c_uint8),
    Kind("i16", "short", ctypes.c_int16),
    Kind("u16", "unsigned short", ctypes.c_uint16),
    Kind("i32", "int", ctypes.c_int32),
    Kind("u32", "unsigned", ctypes.c_uint32, "u"),
    Kind("i64", "long", ctypes.c_int64, "l"),
    Kind("u64", "unsigned long", ctypes.c_uint64, "ul"),
    Kind("f32", "float", ctypes.c_float, "f"),
    Kind("f64", "double", ctypes.c_double),
)}
I32, F32, F64 = KINDS["i32"], KINDS["f32"], KINDS["f64"]


def promoted(kind):
    """What an operand of arithmetic becomes."""
    return I32 if not kind.is_float and kind.bits < 32 else kind


def common(a, b):
    """The type in which two operands meet."""
    a, b = promoted(a), promoted(b)
    if a.is_float or b.is_float:
        return F64 if F64 in (a, b) else F32
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if a.family == "u" else b


def round_to_float(value):
    """A double or a whole number as the nearest float."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        # Through double it would be rounded twice; what is below its last
        # bits only has to be seen to be there.
        shift = abs(value).bit_length() - 40
        value = (value >> shift | bool(value & (1 << shift) - 1)) * 2.0 ** shift
    return ctypes.c_float(value).value


def math_function(name, kind, count):
    """libm's own, for Python's floats."""
    function = getattr(_LIBM, name + ("f" if kind is F32 else ""))
    function.restype = kind.ctype
    function.argtypes = [kind.ctype] * count
    return function
