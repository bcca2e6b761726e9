"""The base classes of Types, with the defaults of the contract."""

from __future__ import annotations

import warnings

import numpy

from .. import _clinch
from ..base.annotations import Any, Mapping, Version
from ..graph.variables import Constant, Variable
from .native_hooks import NativeHooks


def what(value: Any) -> str:
    """Names a value in messages: "an int", "a list"."""
    name = type(value).__name__
    vowel = name[0] in "aeiouAEIOU" and not name.startswith(("u", "U"))
    return f"{'an' if vowel else 'a'} {name}"


_HOOKS = frozenset(_clinch.hook_names())


def warn_of_slips(cls: type) -> None:
    """Warns of a method that looks like a misspelt hook."""
    for name, found in vars(cls).items():
        if (name in _HOOKS or not name.startswith("c_")
                or isinstance(found, property)):
            continue
        import difflib  # Seldom needed: it takes 2 ms.
        near = difflib.get_close_matches(name, _HOOKS, 1, 0.8)
        # If the hook itself is defined too, this is a helper of it.
        if near and near[0] not in vars(cls):
            warnings.warn(f"`{cls.__name__}.{name}` is no hook and nobody "
                          f"calls it; is `{near[0]}` meant?", stacklevel=3)


def is_array(value: Any) -> Any:
    """Whether scalar Ops apply to each item of the value."""
    return isinstance(value, numpy.ndarray) or getattr(
        getattr(value, "type", None), "is_array", False)


class Type:
    """A set of values, and how they become C data.

    A subclass (or an instance, by assignment) defines `filter` and, to be used
    from C, `c_declare`, `c_init`, `c_extract`, `c_sync` and `c_cleanup`.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        warn_of_slips(cls)

    #: What calling the Type makes.
    variable_type = Variable
    #: Whether its values are NumPy's arrays.
    is_array = False

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        """Casts a value to this Type, or raises."""
        raise NotImplementedError(
            f"{type(self).__name__} defines no filter(value, strict=False, "
            f"allow_downcast=None)")

    def is_valid_value(self, value: Any) -> bool:
        """Whether filter(value, strict=True) raises nothing."""
        try:
            self.filter(value, strict=True)
        except MemoryError:
            raise
        except Exception:
            return False
        return True

    def values_eq(self, a: Any, b: Any) -> bool:
        return a == b

    def values_eq_approx(self, a: Any, b: Any) -> bool:
        return self.values_eq(a, b)

    def make_variable(self, name: str | None = None) -> Variable:
        return self.variable_type(self, name=name)

    def __call__(self, name: str | None = None) -> Variable:
        return self.make_variable(name)

    def make_constant(self, value: Any, name: str | None = None) -> Constant:
        return Constant(self, value, name)

    def filter_variable(self, other: Any,
                        allow_convert: bool = True) -> Variable:
        """Returns `other` as a Variable of this Type, or raises."""
        if not isinstance(other, Variable):
            return self.make_constant(other)
        if other.type == self:
            return other
        raise TypeError(f"{other!r} is of type {other.type}, not {self}")

    @classmethod
    def applying(cls, scalar_op: Any) -> Any:
        """Returns the Op that computes a scalar Op on values of this Type."""
        return scalar_op

    def get_shape_info(self, obj: Any) -> Any:
        return obj.shape if hasattr(obj, "shape") else None

    def get_size(self, shape_info: Any) -> int:
        raise NotImplementedError(
            f"{type(self).__name__} defines no get_size(shape_info)")

    def clone(self, **changes: Any) -> Type:
        if any(value is not None for value in changes.values()):
            raise TypeError(f"{self} has no {', '.join(changes)} to change")
        return self

    def may_share_memory(self, a: Any, b: Any) -> bool:
        return False

    # Hooks that a Type with C code may leave out.
    def c_cleanup(self, name: str, sub: Mapping[str, str]) -> str:
        return ""

    def c_is_simple(self) -> bool:
        return False

    def c_literal(self, data: Any) -> str:
        return ""

    def c_element_type(self) -> str:
        return ""

    def c_code_cache_version(self) -> Version:
        return ()

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return type(self).__name__


def shipped(cls: Any) -> Any:
    """Marks a class whose hooks are C++: `_clinch` calls them without Python
    as long as nothing overrides them."""
    cls._shipped = cls
    return cls


class NativeType(NativeHooks, Type):
    """Base of the Types that come with Clinch; `_native` has the C text."""

    _native: Any

    def c_declare(self, name: str, sub: Any, check_input: bool = True) -> Any:
        return self._native.text("c_declare", name, sub, check_input)

    def c_init(self, name: str, sub: Any) -> Any:
        return self._native.text("c_init", name, sub)

    def c_extract(self, name: str, sub: Any, check_input: bool = True) -> Any:
        return self._native.text("c_extract", name, sub, check_input)

    def c_extract_out(self, name: str, sub: Any, check_input: bool = True) -> Any:
        return self._native.text("c_extract_out", name, sub, check_input)

    def c_sync(self, name: str, sub: Any) -> Any:
        return self._native.text("c_sync", name, sub)

    def c_cleanup(self, name: str, sub: Any) -> Any:
        return self._native.text("c_cleanup", name, sub)

    def c_is_simple(self) -> Any:
        return self._native.is_simple

    def c_literal(self, data: Any) -> Any:
        return self._native.literal(data)

    def c_element_type(self) -> Any:
        return self._native.element_type

    def c_code_cache_version(self) -> Any:
        version = self._native.version
        return (self._native.class_name, version) if version.strip("()") else ()
