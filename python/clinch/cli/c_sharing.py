"""What C and Python have of one another at the prompt, by name and without a copy."""

from __future__ import annotations

import builtins
import ctypes
import math
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any
    from .c_names import Declaration, Names

_DTYPES = {"b1": "_Bool", "i1": "signed char", "u1": "unsigned char", "i2": "short",
           "u2": "unsigned short", "i4": "int", "u4": "unsigned int", "i8": "long",
           "u8": "unsigned long", "f4": "float", "f8": "double",
           "c8": "float _Complex", "c16": "double _Complex"}
_utf8 = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
_utf8.argtypes = [ctypes.py_object, ctypes.POINTER(ctypes.c_ssize_t)]
_utf8.restype = ctypes.c_void_p


class Builtins(dict[str, object]):
    """Python's builtins, after the names of C: functions and types, and variables as
    they are at that moment."""

    def __init__(self, names: Names) -> None:
        super().__init__(vars(builtins))
        self.names = names

    def __getitem__(self, name: str) -> Any:
        try:
            return value_of(self.names, name)
        except (KeyError, AttributeError):
            return super().__getitem__(name)


def value_of(names: Names, name: str) -> Any:
    """Returns what a name of C is in Python; raises KeyError or AttributeError."""
    one = names.known[name] if name in names.known else names.known[f"struct {name}"]
    if one.owner is None:
        raise KeyError(name)
    types = one.owner._types
    if name in types.variables:
        return one.owner._of_c(name)
    if one.symbol:
        return one.owner._only(name)
    if name in types.named:
        return types.tag(types.named[name])
    for tag in types.named.values():
        if types._rows[tag][0] == "e" and name in types.tag(tag).__members__:
            return types.tag(tag)[name]
    raise KeyError(name)


def take_back(names: Names) -> None:
    """Gives C's numbers what Python has assigned to their names; where C cannot hold
    it, the name is Python's from now on."""
    for name in names.namespace.keys() & names.known.keys():
        if _is_assigned(names.known[name], name, names.namespace[name]):
            del names.namespace[name]
        else:
            names.forget(name)


def _is_assigned(one: Declaration, name: str, value: Any) -> bool:
    if not one.symbol or one.owner is None or name not in one.owner._types.variables:
        return False
    before = one.owner._of_c(name)
    if not isinstance(before, (int, float)) or not isinstance(value, (int, float)):
        return False
    try:
        one.owner._set(name, value)
    except (TypeError, ValueError, OverflowError, AttributeError):
        return False
    if one.owner._of_c(name) == value or isinstance(before, float):
        return True
    one.owner._set(name, before)
    return False


def declarations(values: dict[str, Any], words: set[str]
                 ) -> tuple[str, dict[str, int], list[Any]]:
    """Returns what declares Python's values that are among the words: text, addresses,
    and what keeps them."""
    lines, symbols, kept = [], {}, []
    for word in sorted(values.keys() & words):
        value = values[word]
        if is_of_numpy(value, "generic"):
            value = value.item()
        if isinstance(value, (int, float)):
            kind, text = number(value)
            lines += [f"constexpr {kind} {word} = {text};\n"] if kind else []
            continue
        found = _place(word, value)
        if found:
            lines.append(f"extern {found[0]};\n")
            symbols[word] = found[1]
            kept.append(value)
    return "".join(lines), symbols, kept


def is_of_numpy(value: Any, kind: str) -> bool:
    """Whether a value is of a class of NumPy's, which need not be imported."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, kind))


def number(value: Any) -> tuple[str, str]:
    """Returns the type of a number in C, empty if there is none, and its text."""
    if isinstance(value, bool):
        return "bool", str(value).lower()
    if isinstance(value, float):
        return "double", (value.hex() if math.isfinite(value) else
                          "__builtin_nan(\"\")" if value != value else
                          f"{'-' if value < 0 else ''}__builtin_inf()")
    if -2**63 < value < 2**63:
        return "int" if -2**31 < value < 2**31 else "long", str(value)
    return ("unsigned long" if 0 < value < 2**64 else "", f"{value}u")


def _place(name: str, value: Any) -> tuple[str, int] | None:
    """Returns the declaration and the address of an array or a text."""
    if isinstance(value, str):
        size = ctypes.c_ssize_t()
        try:
            return f"const char {name}[{len(value.encode()) + 1}]", _utf8(
                value, ctypes.byref(size))
        except UnicodeEncodeError:
            return None
    if isinstance(value, bytes):
        return (f"const char {name}[{len(value) + 1}]",
                id(value) + bytes.__basicsize__ - 1)
    if not is_of_numpy(value, "ndarray") or not value.flags.c_contiguous \
            or not value.flags.aligned or not value.dtype.isnative:
        return None
    item = _DTYPES.get(value.dtype.str[1:])
    if item is None:
        return None
    constant = "" if value.flags.writeable else "const "
    sizes = "".join(f"[{size}]" for size in value.shape)
    return f"{constant}{item} {name}{sizes}", value.ctypes.data
