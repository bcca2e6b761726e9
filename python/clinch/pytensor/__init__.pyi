"""The public API of `clinch.pytensor` for editors and type checkers."""

from typing import Any, Literal

_Tier = Literal["fast", "default", "max"]

CLINCH: Any  # A PyTensor mode.

class _Options:
    tier: _Tier
    first_tier: _Tier | None
    native_ops: bool
    fused_gathers: bool
    small_graphs: bool

options: _Options

class ClinchLinker:
    whole_graph: bool
    def __init__(self, *, whole_graph: bool = True, **arguments: Any) -> None: ...

class ClinchDebugMode:
    def __init__(self, *args: Any, check_c_code: bool = True,
                 **kwargs: Any) -> None: ...

def use() -> None: ...
def unuse() -> None: ...
def settle(timeout: float | None = None) -> bool: ...
def patches() -> list[tuple[str, str, bool]]: ...
def registered() -> list[tuple[str, int]]: ...
def nutpie(model: Any, *, initial_points: Any = None, jitter_rvs: Any = None,
           default_initialization_strategy: str = "support_point",
           var_names: Any = None, freeze_model: bool = False) -> Any: ...
