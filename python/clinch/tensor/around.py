"""Ops whose text has that of scalar Ops, and that need what these need."""

from __future__ import annotations

from ..annotations import Any, Iterable
from ..op import COp
from .kernel import list_of


class Around(COp):
    """Base of Ops around scalar Ops: each list has its own items and theirs."""

    def inner_ops(self) -> Iterable[Any]:
        """Returns the scalar Ops."""
        raise NotImplementedError

    def own(self, hook: str) -> list[str]:
        """Returns what the Op itself needs, by the hook that says it."""
        return []

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
