"""Any Python object, and opaque C data."""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any, Sequence, Version
from .type import NativeType, shipped


@shipped
class Generic(NativeType):
    """Any Python object, as a `PyObject *`."""

    def __init__(self) -> None:
        self._native = _clinch.native_generic()

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        return value

    def may_share_memory(self, a: Any, b: Any) -> bool:
        return a is b

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(Generic)

    def __str__(self) -> str:
        return "Generic"

    def __reduce__(self) -> Any:
        return type(self), ()


generic = Generic()


@shipped
class CDataType(NativeType):
    """A C pointer in a PyCapsule, which frees it with `freefunc`."""

    def __init__(self, ctype: str, freefunc: str | None = None,
                 headers: Sequence[str] = (), header_dirs: Sequence[str] = (),
                 libraries: Sequence[str] = (), lib_dirs: Sequence[str] = (),
                 compile_args: Sequence[str] = (),
                 extra_support_code: str = "",
                 version: Version | None = None) -> None:
        self._arguments = (ctype, freefunc, tuple(headers),
                           tuple(header_dirs), tuple(libraries),
                           tuple(lib_dirs), tuple(compile_args),
                           extra_support_code, version)
        self.ctype = ctype
        self._native = _clinch.native_cdata(
            ctype, freefunc or "", *self._arguments[2:7], extra_support_code,
            "" if version is None else repr(version))

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        if value is None or type(value).__name__ == "PyCapsule":
            return value
        raise TypeError(f"expected a PyCapsule or None, not a "
                        f"{type(value).__name__}")

    def may_share_memory(self, a: Any, b: Any) -> bool:
        return a is b and a is not None

    def __eq__(self, other: Any) -> bool:
        return (type(other) is type(self)
                and other._arguments == self._arguments)

    def __hash__(self) -> int:
        return hash((CDataType, self._arguments))

    def __str__(self) -> str:
        return f"CDataType({self.ctype})"

    def __reduce__(self) -> Any:
        return type(self), self._arguments
