"""Hooks that `_native`, which is C++, answers for Types and Ops of the package."""

from __future__ import annotations

from ..base.annotations import Any, Callable


def forwarding(hook: Callable[..., Any]) -> Any:
    """Marks a method that only forwards to `_native`; C++ calls that directly."""
    hook.asks_native = True  # type: ignore[attr-defined]
    return hook


def _list(name: str) -> Any:
    @forwarding
    def hook(self: Any, c_compiler: Any = None) -> Any:
        return self._native.list(name, c_compiler)

    return hook


class NativeHooks:
    """The hooks that Types and Ops have in common."""

    c_headers = _list("c_headers")
    c_header_dirs = _list("c_header_dirs")
    c_libraries = _list("c_libraries")
    c_lib_dirs = _list("c_lib_dirs")
    c_compile_args = _list("c_compile_args")
    c_no_compile_args = _list("c_no_compile_args")
    c_support_code = _list("c_support_code")
    c_init_code = _list("c_init_code")

    @forwarding
    def c_compiler(self) -> str:
        return self._native.compiler  # type: ignore[attr-defined]
