"""Ops whose hooks are C++ but can also be called from Python."""

from .op import COp


def _forwarding(hook):
    """Marks a method that only forwards to `_native`; C++ calls that directly."""
    hook.asks_native = True
    return hook


class NativeOp(COp):
    """Base of Ops whose C text comes from `_native`."""

    @_forwarding
    def c_code(self, node, name, inputs, outputs, sub):
        return self._native.text("c_code", node, name, inputs, outputs, sub)

    @_forwarding
    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self._native.text("c_code_cleanup", node, name, inputs,
                                 outputs, sub)

    @_forwarding
    def c_init_code_struct(self, node, name, sub):
        return self._native.text("c_init_code_struct", node, name, [], [], sub)

    @_forwarding
    def c_support_code_apply(self, node, name):
        return self._native.text("c_support_code_apply", node, name)

    @_forwarding
    def c_support_code_struct(self, node, name):
        return self._native.text("c_support_code_struct", node, name)

    @_forwarding
    def c_init_code_apply(self, node, name):
        return self._native.text("c_init_code_apply", node, name)

    @_forwarding
    def c_cleanup_code_struct(self, node, name):
        return self._native.text("c_cleanup_code_struct", node, name)

    @_forwarding
    def c_headers(self, c_compiler=None):
        return self._native.list("c_headers", c_compiler)

    @_forwarding
    def c_header_dirs(self, c_compiler=None):
        return self._native.list("c_header_dirs", c_compiler)

    @_forwarding
    def c_libraries(self, c_compiler=None):
        return self._native.list("c_libraries", c_compiler)

    @_forwarding
    def c_lib_dirs(self, c_compiler=None):
        return self._native.list("c_lib_dirs", c_compiler)

    @_forwarding
    def c_compile_args(self, c_compiler=None):
        return self._native.list("c_compile_args", c_compiler)

    @_forwarding
    def c_no_compile_args(self, c_compiler=None):
        return self._native.list("c_no_compile_args", c_compiler)

    @_forwarding
    def c_support_code(self):
        return self._native.list("c_support_code")

    @_forwarding
    def c_init_code(self):
        return self._native.list("c_init_code")

    @_forwarding
    def c_compiler(self):
        return self._native.compiler

    @_forwarding
    def c_code_cache_version(self):
        version = self._native.version
        return (self._native.name, version) if version.strip("()") else ()

    @_forwarding
    def c_code_cache_version_apply(self, node):
        return self.c_code_cache_version()
