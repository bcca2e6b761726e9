"""Ops whose hooks are C++ but can also be called from Python."""

from __future__ import annotations

from ..base.annotations import Any, Mapping, Sequence, Version
from ..types.native_hooks import NativeHooks, forwarding
from .op import COp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply


class NativeOp(NativeHooks, COp):
    """Base of Ops whose C text comes from `_native`."""

    _native: Any

    @forwarding
    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        return self._native.text("c_code", node, name, inputs, outputs, sub)

    @forwarding
    def c_code_cleanup(self, node: Apply, name: str, inputs: Sequence[str],
                       outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        return self._native.text("c_code_cleanup", node, name, inputs,
                                 outputs, sub)

    @forwarding
    def c_init_code_struct(self, node: Apply, name: str, sub: Mapping[str, str]) -> str:
        return self._native.text("c_init_code_struct", node, name, [], [], sub)

    @forwarding
    def c_support_code_apply(self, node: Apply, name: str) -> str:
        return self._native.text("c_support_code_apply", node, name)

    @forwarding
    def c_support_code_struct(self, node: Apply, name: str) -> str:
        return self._native.text("c_support_code_struct", node, name)

    @forwarding
    def c_init_code_apply(self, node: Apply, name: str) -> str:
        return self._native.text("c_init_code_apply", node, name)

    @forwarding
    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        return self._native.text("c_cleanup_code_struct", node, name)

    @forwarding
    def c_code_cache_version(self) -> Version:
        version = self._native.version
        return (self._native.name, version) if version.strip("()") else ()

    @forwarding
    def c_code_cache_version_apply(self, node: Apply) -> Version:
        return self.c_code_cache_version()
