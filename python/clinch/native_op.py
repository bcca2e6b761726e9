"""Ops whose hooks are C++ but can also be called from Python."""

from .native_hooks import NativeHooks, forwarding
from .op import COp


class NativeOp(NativeHooks, COp):
    """Base of Ops whose C text comes from `_native`."""

    @forwarding
    def c_code(self, node, name, inputs, outputs, sub):
        return self._native.text("c_code", node, name, inputs, outputs, sub)

    @forwarding
    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self._native.text("c_code_cleanup", node, name, inputs,
                                 outputs, sub)

    @forwarding
    def c_init_code_struct(self, node, name, sub):
        return self._native.text("c_init_code_struct", node, name, [], [], sub)

    @forwarding
    def c_support_code_apply(self, node, name):
        return self._native.text("c_support_code_apply", node, name)

    @forwarding
    def c_support_code_struct(self, node, name):
        return self._native.text("c_support_code_struct", node, name)

    @forwarding
    def c_init_code_apply(self, node, name):
        return self._native.text("c_init_code_apply", node, name)

    @forwarding
    def c_cleanup_code_struct(self, node, name):
        return self._native.text("c_cleanup_code_struct", node, name)

    @forwarding
    def c_code_cache_version(self):
        version = self._native.version
        return (self._native.name, version) if version.strip("()") else ()

    @forwarding
    def c_code_cache_version_apply(self, node):
        return self.c_code_cache_version()
