"""What the extension leaves to Python of C's values: wide integers, long doubles,
arrays and buffers."""

from __future__ import annotations

import sys

from .. import _clinch
from ..base.annotations import Any
from .c_types import array_of

_FORMATS = {"i": "bhilqn", "u": "BHILQN", "f": "efdg", "?": "?"}


def check_range(value: int, bits: int, signed: bool) -> None:
    """Raises OverflowError for a number that C's integer cannot hold."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= value <= high:
        raise OverflowError(f"{value} is not between {low} and {high}")


def read_wide(data: bytes, shift: int, bits: int, signed: bool) -> int:
    """Returns an integer of more than 64 bits."""
    value = int.from_bytes(data, "little") >> shift & (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def write_wide(before: bytes, value: int, shift: int, bits: int, signed: bool,
               is_field: bool) -> bytes:
    """Returns the bytes of an integer of more than 64 bits, and its neighbours."""
    check_range(value, bits, signed)
    mask = (1 << bits) - 1 << shift if is_field else (1 << 8 * len(before)) - 1
    kept = int.from_bytes(before, "little") & ~mask
    return (kept | value << shift & mask).to_bytes(len(before), "little")


def read_long(ctype: Any, data: bytes) -> Any:
    """Returns a `long double`, of which a float has no more than 53 bits."""
    import numpy  # As below.
    return numpy.frombuffer(data, ctype.code)[0]


def write_long(ctype: Any, value: Any) -> bytes:
    """Returns the bytes of a `long double`, or of a complex one."""
    import numpy
    if hasattr(value, "__index__"):
        number, value = value, numpy.longdouble(value.__index__())
        if int(value) != number:
            raise OverflowError(f"{number} has more digits than a `{ctype.name}`")
    elif not isinstance(value, (float, complex, numpy.inexact)):
        raise TypeError(f"expected a `{ctype.name}`, not a {type(value).__name__}: write "
                        f"numpy.longdouble(value)")
    elif ctype.kind == "f" and isinstance(value, (complex, numpy.complexfloating)):
        raise TypeError(f"expected a `{ctype.name}`, not a {type(value).__name__}")
    return bytes(numpy.array(value, ctype.code).tobytes())


def dtype_of(ctype: Any) -> Any:
    """Returns the dtype of a type's values; raises TypeError."""
    import numpy  # Takes 60 ms, and the prompt's C needs it not.
    if ctype.kind == "[" and ctype.count >= 0:
        if ctype.item.kind == "c":
            return numpy.dtype(f"S{ctype.count}")
        return numpy.dtype((dtype_of(ctype.item), ctype.count))
    if ctype.kind in "sU":
        fields = [field for field in ctype.fields if field[1].count >= 0]
        if any(field[3] for field in fields):
            raise TypeError(f"`{ctype.name}` has bit-fields, which NumPy has not")
        return numpy.dtype({"names": [field[0] for field in fields],
                            "formats": [dtype_of(field[1]) for field in fields],
                            "offsets": [field[2] // 8 for field in fields],
                            "itemsize": ctype.size})
    code = {"c": "S1", "*": "u8"}.get(ctype.kind, ctype.code)
    if code is None:
        raise TypeError(f"NumPy has no `{ctype.name}`")
    return numpy.dtype(code)


class _Memory:
    """What NumPy takes for an array."""

    def __init__(self, view: Any, size: int) -> None:
        self.view = view
        self.__array_interface__ = {"data": (view.__address__, view.__const__),
                                    "shape": (size,), "typestr": "|u1", "version": 3}


def as_array(view: Any) -> Any:
    """Returns an array over the memory of a view."""
    import numpy
    item, shape = view.__ctype__, []
    while item.kind == "[" and item.item.kind != "c":
        shape.append(item.count)
        item = item.item
    dtype, size = dtype_of(item), view.__ctype__.size
    if not size:
        return numpy.empty(shape, dtype)
    return numpy.asarray(_Memory(view, size)).view(dtype).reshape(shape)


def slice_of(view: Any, item: Any, wanted: slice, array: Any) -> Any:
    """Returns items of an array, or items behind a pointer as an array."""
    if array is not None:
        return [view[at] for at in range(*wanted.indices(array.count))]
    first, last = wanted.start or 0, wanted.stop
    if last is None or wanted.step not in (None, 1) or last < first:
        raise ValueError("C knows not where the items end: write pointer[first:last]")
    return array_of(item, last - first).read(
        view.__address__ + first * item.size, view.__memory__, view.__const__)


def address_of(ctype: Any, value: Any) -> Any:
    """Returns what a pointer gets for a value: a memoryview, an address and what keeps
    it, or None, for a function that C calls. Raises TypeError."""
    item = ctype.item
    found = _of_ctypes(value) if "ctypes" in sys.modules else None
    if found is not None:
        return found
    if item.kind == "F":
        if not callable(value):
            raise TypeError(f"expected a function, not a {type(value).__name__}")
        return None
    if item.kind == "v" and hasattr(value, "__index__") and not hasattr(value, "dtype"):
        number = value.__index__()
        check_range(number, 64, False)
        return number, None
    if isinstance(value, str) and item.kind == "c":
        value = value.encode()
    if isinstance(value, bytes) and not ctype.is_const:
        raise TypeError(f"C may write to a `{ctype.name}` that is not `const`: give it a "
                        f"bytearray or an array, not {type(value).__name__}")
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return _of_array(ctype, item, value)
    return _of_buffer(ctype, item, value)


def _of_ctypes(value: Any) -> Any:
    import ctypes
    kinds: Any = ctypes
    taken = (kinds._Pointer, kinds.c_void_p, kinds.c_char_p, kinds._CFuncPtr,
             type(kinds.byref(kinds.c_int())))
    if isinstance(value, taken):
        return ctypes.cast(value, ctypes.c_void_p).value or 0, value
    return None


def _of_array(ctype: Any, item: Any, array: Any) -> Any:
    inner, shape = item, []
    while inner.kind == "[":
        shape.append(inner.count)
        inner = inner.item
    if inner.kind == "c":
        fits, wanted = array.dtype.kind == "S" or array.dtype.itemsize == 1, "bytes"
    elif inner.kind == "v":
        fits = True
    else:
        wanted = dtype_of(inner)
        fits = array.dtype == wanted
    if not fits:
        raise TypeError(f"expected an array of {wanted}, not of {array.dtype}")
    if shape and list(array.shape[-len(shape):]) != shape or array.ndim < len(shape):
        raise TypeError(f"expected an array of the shape (n, {', '.join(map(str, shape))})"
                        f", not {array.shape}")
    if not array.flags.c_contiguous:
        raise TypeError("expected an array whose items stand one after another; "
                        "`numpy.ascontiguousarray` makes one")
    if not array.flags.aligned:
        raise TypeError("expected an array whose items are aligned; "
                        "`numpy.require(..., requirements='A')` makes one")
    if not (ctype.is_const or array.flags.writeable):
        raise TypeError("the array is read-only, and the parameter is no pointer to "
                        "`const`")
    if not shape and _clinch.check_array_layout(_sample()):
        item.know_arrays(array)
    return array.__array_interface__["data"][0], array


def _sample() -> Any:
    import numpy
    return numpy.zeros((2, 3))


def _of_buffer(ctype: Any, item: Any, value: Any) -> Any:
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"expected a `{ctype.name}`, not a {type(value).__name__}"
                        ) from None
    letter = view.format.lstrip("@=<")
    if not view.c_contiguous or not (
            item.kind == "v" or item.kind == "c" and view.itemsize == 1
            or view.itemsize == item.size and letter in _FORMATS.get(item.kind, "")):
        raise TypeError(f"expected a `{ctype.name}`, not a {type(value).__name__} of "
                        f"{view.format!r}")
    if view.readonly and not ctype.is_const:
        raise TypeError("it is read-only, and the parameter is no pointer to `const`")
    return view
