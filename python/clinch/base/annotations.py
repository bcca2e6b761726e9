"""Names for annotations, which nobody evaluates: None where the package runs, because
`typing` takes 2 ms."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, ClassVar, Literal

    Tier = Literal["fast", "default", "max"]
    Form = Literal["struct", "function"]
    Linker = Literal["auto", "graph", "op"]
    Language = Literal["c", "c++", "cuda"]
    Isolation = Literal["process"]
    Mathematics = Literal["clinch", "libdevice"]
    Threads = int | Literal["auto"] | None
    Axis = int | Sequence[int] | None
    Diagnostic = dict[str, Any]
    Version = tuple[object, ...]
else:
    Any = Axis = Callable = ClassVar = Diagnostic = Form = Isolation = None
    Iterable = Iterator = Language = Linker = Mapping = Mathematics = Sequence = None
    Threads = Tier = Version = None

__all__ = ["Any", "Axis", "Callable", "ClassVar", "Diagnostic", "Form", "Isolation",
           "Iterable", "Iterator", "Language", "Linker", "Mapping", "Mathematics", "Sequence",
           "Threads", "Tier", "Version"]
