"""Ops whose text has that of scalar Ops, and that need what these need."""

from __future__ import annotations

import hashlib

from ..base.annotations import Any, Iterable
from ..ops.op import COp
from .kernel import is_shipped, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply

#: Stands for a loop's name in its text.
_NAME = "clinch_NAME"


class Around(COp):
    """Base of Ops around scalar Ops: each list has its own items and theirs."""

    def inner_ops(self) -> Iterable[Any]:
        """Returns the scalar Ops."""
        raise NotImplementedError

    def own(self, hook: str) -> list[str]:
        """Returns what the Op itself needs, by the hook that says it."""
        return []

    def _loops(self, node: Apply, name: str) -> str:
        """Returns the C of the loops for a node, all of whose names begin with
        this."""
        raise NotImplementedError

    def _named(self, node: Apply, name: str) -> tuple[str, str]:
        """Returns the name of a node's loops, and their C. Nodes with the same loops
        have the same name and text, which is compiled once."""
        if not all(map(is_shipped, self.inner_ops())):
            return name, self._loops(node, name)
        text = self._loops(node, _NAME)
        name = "loop_" + hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
        return name, text.replace(_NAME, name)

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        return self._named(node, name)[1]

    def _all(self, hook: str, c_compiler: Any = None) -> list[str]:
        return list(dict.fromkeys(
            (*self.own(hook), *(item for op in self.inner_ops()
                                for item in list_of(op, hook, c_compiler)))))

    def c_headers(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_headers", c_compiler)

    def c_header_dirs(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_header_dirs", c_compiler)

    def c_libraries(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_libraries", c_compiler)

    def c_lib_dirs(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_lib_dirs", c_compiler)

    def c_compile_args(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_compile_args", c_compiler)

    def c_no_compile_args(self, c_compiler: Any = None) -> list[str]:
        return self._all("c_no_compile_args", c_compiler)

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return self._all("c_support_code")

    def c_init_code(self, **kwargs: Any) -> list[str]:
        return self._all("c_init_code")

    def c_compiler(self) -> str:
        asked = {op.c_compiler() for op in self.inner_ops()
                 if hasattr(op, "c_compiler")} - {"", None}
        return asked.pop() if len(asked) == 1 else ""
