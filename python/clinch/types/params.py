"""Parameters of Ops: structs of values, and choices among constants."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .. import _clinch
from ..base.annotations import Any
from .type import NativeType, shipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .type import Type

_CONSTANT = r"^[A-Z][A-Z0-9_]*$"


class Params(Mapping[str, object]):
    """The values of a ParamsType: a mapping that also has attributes."""

    def __init__(self, params_type: ParamsType, **values: Any) -> None:
        checked = params_type._checked(values)
        object.__setattr__(self, "_type", params_type)
        object.__setattr__(self, "_values", checked)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_values")[name]
        except KeyError:
            raise AttributeError(f"there is no parameter {name!r}; there are "
                                 f"{', '.join(self._values)}") from None

    def __setattr__(self, name: str, value: Any) -> Any:
        raise AttributeError("parameters cannot be changed")

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Params) or other._type != self._type:
            return NotImplemented
        return all(self._type.types[n].values_eq(self[n], other[n])
                   for n in self)

    def __hash__(self) -> int:
        return hash((self._type, tuple(_hashable(v)
                                       for v in self._values.values())))

    def __repr__(self) -> str:
        values = ", ".join(f"{n}={v!r}" for n, v in self._values.items())
        return f"Params({values})"

    def __reduce__(self) -> Any:
        return _params, (self._type, self._values)


def _params(params_type: Any, values: Any) -> Any:
    return Params(params_type, **values)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return value.tobytes() if hasattr(value, "tobytes") else repr(value)
    return value


@shipped
class ParamsType(NativeType):
    """A struct with a member for each field: ParamsType(a=double, b=...).

    In C the parameters are a pointer to the struct: `%(params)s->a`.
    """

    def __init__(self, **fields: Type) -> None:
        if not fields:
            raise TypeError("a ParamsType needs at least one field")
        for name, field in fields.items():
            if not hasattr(field, "filter"):
                raise TypeError(f"the parameter {name!r} must have a Type; it "
                                f"has a {type(field).__name__}")
        self.types = dict(sorted(fields.items()))
        self._native = _clinch.native_params(list(self.types.items()))

    @property
    def fields(self) -> Any:
        return tuple(self.types)

    @property
    def length(self) -> int:
        return len(self.types)

    @property
    def c_struct(self) -> Any:
        """The C type that the parameters point to."""
        return self._native.struct_type

    def _checked(self, values: Any, strict: bool = False,
                 allow_downcast: Any = None) -> Any:
        missing = self.types.keys() - values.keys()
        unknown = values.keys() - self.types.keys()
        if missing or unknown:
            problem = [f"lacks {', '.join(sorted(missing))}"] if missing else []
            if unknown:
                problem.append(f"does not know {', '.join(sorted(unknown))}")
            raise TypeError(f"{self} {' and '.join(problem)}")
        return {name: field.filter(values[name], strict=strict,
                                   allow_downcast=allow_downcast)
                for name, field in self.types.items()}

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if isinstance(value, Params) and value._type == self:
            return value
        if strict:
            raise TypeError(f"expected Params of {self}")
        if isinstance(value, Mapping):
            values = dict(value)
        else:
            values = {n: getattr(value, n) for n in self.types
                      if hasattr(value, n)}
        return Params(self, **self._checked(values, False, allow_downcast))

    def get_params(self, *objects: Any, **values: Any) -> Params:
        """Makes Params from the attributes of objects (an Op) and from keywords."""
        for name in self.types:
            for candidate in objects:
                if name not in values and hasattr(candidate, name):
                    values[name] = getattr(candidate, name)
        for name, field in self.types.items():
            if name in values and isinstance(field, _Enumeration):
                values[name] = field.filter(values[name])
        return Params(self, **values)

    def extended(self, **fields: Type) -> ParamsType:
        return type(self)(**{**self.types, **fields})

    def has_type(self, field_type: Type) -> bool:
        return field_type in self.types.values()

    def get_field(self, field_type: Type) -> str:
        for name, each in self.types.items():
            if each == field_type:
                return name
        raise ValueError(f"no parameter of {self} has the type {field_type}")

    def get_type(self, name: str) -> Type:
        return self.types[name]

    def __getattr__(self, name: str) -> Any:
        """Returns a constant of one of its enumerations."""
        for field in self.__dict__.get("types", {}).values():
            if isinstance(field, _Enumeration) and name in field.constants:
                return field.constants[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def get_enum(self, name: str) -> Any:
        return getattr(self, name)

    def enum_from_alias(self, alias: str) -> Any:
        for field in self.types.values():
            if isinstance(field, _Enumeration) and alias in field.aliases:
                return field.constants[field.aliases[alias]]
        raise AttributeError(f"no enumeration of {self} has the alias "
                             f"{alias!r}")

    def values_eq(self, a: Any, b: Any) -> bool:
        return a == b

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other.types == self.types

    def __hash__(self) -> int:
        return hash((ParamsType, tuple(self.types.items())))

    def __str__(self) -> str:
        fields = ", ".join(f"{n}: {t}" for n, t in self.types.items())
        return f"ParamsType({fields})"

    def __reduce__(self) -> Any:
        return _params_type, (type(self), self.types)


def _params_type(cls: Any, fields: Any) -> Any:
    return cls(**fields)


class _Enumeration(NativeType):
    """Named constants, some with an alias in Python."""

    _kind = 0

    def _set_up(self, constants: Any, aliases: Any, ctype: Any, cname: Any) -> None:
        for name in constants:
            if not re.match(_CONSTANT, name):
                raise AttributeError(
                    f"{type(self).__name__}: {name!r} is no name for a "
                    f"constant; they are capitals, digits and underscores")
        for alias in aliases:
            if alias in constants:
                raise TypeError(f"{type(self).__name__}: {alias!r} is a "
                                f"constant and cannot be an alias, too")
        self.constants = dict(constants)
        self.aliases = dict(aliases)
        self.ctype = ctype
        self.cname = cname or ctype
        of_name = {name: alias for alias, name in aliases.items()}
        rows = [(name, of_name.get(name, ""), value)
                for name, value in constants.items()]
        self._native = _clinch.native_enum(self._kind, ctype, rows, [], "")

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["constants"][name]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__} has no constant {name!r}") from None

    def __contains__(self, name: str) -> bool:
        return name in self.constants

    def __iter__(self) -> Any:
        return iter(self.constants)

    def __len__(self) -> int:
        return len(self.constants)

    def fromalias(self, alias: Any) -> Any:
        return self.constants[self.aliases[alias]]

    def has_alias(self, alias: Any) -> bool:
        return alias in self.aliases

    def get_aliases(self) -> Any:
        return tuple(sorted(self.aliases))

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if not strict and isinstance(value, str):
            if value in self.constants:
                return self.constants[value]
            if value in self.aliases:
                return self.fromalias(value)
        if isinstance(value, bool):
            value = int(value)
        if not isinstance(value, str) and value in self.constants.values():
            return value
        raise ValueError(
            f"{value!r} is no constant of {self}; there are "
            f"{', '.join(self.constants)}"
            + (f", by other names {', '.join(self.get_aliases())}"
               if self.aliases else ""))

    def _identity(self) -> Any:
        return (type(self), self.ctype, self.cname,
                tuple(self.constants.items()), tuple(self.aliases.items()))

    def __eq__(self, other: Any) -> bool:
        return (type(other) is type(self)
                and other._identity() == self._identity())

    def __hash__(self) -> int:
        return hash(self._identity())

    def __str__(self) -> str:
        names = ", ".join(f"{n}: {v}" for n, v in self.constants.items())
        return f"{type(self).__name__}<{self.ctype}>({names})"

    def __reduce__(self) -> Any:
        return _enumeration, (type(self), self.constants, self.aliases,
                              self.ctype, self.cname)


def _enumeration(cls: Any, constants: Any, aliases: Any, ctype: Any, cname: Any) -> Any:
    made = cls.__new__(cls)
    made._set_up(constants, aliases, ctype, cname)
    return made


@shipped
class EnumType(_Enumeration):
    """EnumType(CONSTANT=value, OTHER=(alias, value), ctype="double")."""

    def __init__(self, **constants: Any) -> None:
        ctype = constants.pop("ctype", "double")
        cname = constants.pop("cname", None)
        aliases = {}
        for name, value in list(constants.items()):
            if isinstance(value, tuple):
                alias, value = value
                aliases[alias] = name
            constants[name] = int(value) if isinstance(value, bool) else value
            if not isinstance(constants[name], (int, float)):
                raise TypeError(f"EnumType: the constant {name!r} must be a "
                                f"number; it is of type {type(value).__name__}")
        self._set_up(constants, aliases, ctype, cname)


class _Numbered(_Enumeration):
    """Of names and (name, alias) pairs, whose values are 0, 1, ..."""

    def __init__(self, *names: Any, ctype: str = "int",
                 cname: str | None = None) -> None:
        constants, aliases = {}, {}
        for number, item in enumerate(names):
            name, alias = item if isinstance(item, tuple) else (item, None)
            if name in constants:
                raise AttributeError(f"{type(self).__name__}: the constant {name!r} is "
                                     f"there twice")
            constants[name] = number
            if alias is not None:
                aliases[alias] = name
        self._set_up(constants, aliases, ctype, cname)


@shipped
class EnumList(_Numbered):
    """EnumList("A", ("B", "alias"), ctype="int"): the values are 0, 1, ..."""

    _kind = 1


@shipped
class CEnumType(_Numbered):
    """Names that C defines, in a header or as macros; in Python their values are
    0, 1, ..."""

    _kind = 2
