"""argmin and argmax."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Iterator, Sequence, Threads
from ..types.scalars import scalars
from .reduce import Reduction
from .reduce_text import odd_items
from .threads import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply


class Search(Reduction):
    """Finds the index of the first largest, or smallest, item.

    everything: the index counts all items, else those along the one axis.
    """

    __props__ = ("axes", "keepdims", "before", "everything", "threads")
    dtype = "int64"
    _said: str  # NumPy's function.
    _better: str
    _no_better: str

    def __init__(self, axes: Sequence[int], keepdims: bool = False, before: Any = None,
                 everything: bool = False, threads: Threads = None) -> None:
        self.axes, self.keepdims = tuple(axes), bool(keepdims)
        self.before, self.everything = before, bool(everything)
        self.threads = checked(threads)

    def _check(self, dtype: str) -> None:
        if numpy.dtype(dtype).kind == "c":
            raise TypeError(f"{self._said} is not defined for {dtype}")

    def _kernels(self, node: Apply, name: str) -> str:
        dtype = self._item(node).dtype
        item = scalars[dtype].c_element_type()
        return "\n".join([
            f"#define CLINCH_OF(name) {name}_##name", f"#define CLINCH_ITEM {item}",
            f"#define CLINCH_BEFORE(x, y) ((x) {self._better} (y))",
            f"#define CLINCH_CHANGES(a, x) (!((x) {self._no_better} (a)))",
            odd_items(dtype) + "#include <clinch/search.h>"])

    def _fields(self, node: Apply, name: str) -> Iterator[tuple[str, Any]]:
        yield "numpy_name", f'"{self._said}"'
        yield "search", f"{name}_search"

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        items = self._items(node, inputs)
        axis = None if self.everything else self.axes[0]
        result = getattr(numpy, self._said)(items, axis)
        if self.keepdims:
            result = numpy.reshape(result, [
                1 if k in self.axes else n for k, n in enumerate(items.shape)])
        output_storage[0][0] = numpy.asarray(result, "int64")


class Argmax(Search):
    _said, _better, _no_better = "argmax", ">", "<="


class Argmin(Search):
    _said, _better, _no_better = "argmin", "<", ">="
