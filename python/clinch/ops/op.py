"""The base classes of Ops, with the defaults of the contract."""

from __future__ import annotations

from ..base.annotations import Any, Mapping, Sequence, Version
from ..graph.variables import Apply, Variable
from ..types.type import warn_of_slips, what


class Op:
    """Says what to compute: in Python with `perform`, in C with `c_code`.

    `make_node` checks the inputs and makes the outputs; an Op that sets `itypes`
    and `otypes` need not define it. Ops of one class are equal if the attributes
    named in `__props__` are.
    """

    view_map: dict[int, list[int]] = {}
    destroy_map: dict[int, list[int]] = {}
    default_output: int | None = None
    #: The names of the attributes that tell Ops of a class apart; without any, each is
    #: equal to itself alone.
    __props__: Sequence[str]
    itypes: Sequence[Any] | None = None
    otypes: Sequence[Any] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        warn_of_slips(cls)

    def make_node(self, *inputs: Any, **keywords: Any) -> Apply:
        if self.itypes is None or self.otypes is None:
            raise NotImplementedError(
                f"{type(self).__name__} defines neither make_node(*inputs) "
                f"nor itypes and otypes")
        if len(inputs) != len(self.itypes):
            raise ValueError(f"{self} takes {len(self.itypes)} inputs, not "
                             f"{len(inputs)}")
        if keywords:
            raise TypeError(f"{self} takes no argument `{next(iter(keywords))}`")
        checked = [as_input(self, position, value, wanted)
                   for position, (value, wanted)
                   in enumerate(zip(inputs, self.itypes), 1)]
        return Apply(self, checked, [t() for t in self.otypes])

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        name = kwargs.pop("name", None)
        try:
            node = self.make_node(*inputs, **kwargs)
        except AttributeError as error:
            _explain(self, inputs, error)
            raise
        if not hasattr(node, "default_output"):
            raise TypeError(f"`{type(self).__name__}.make_node` must return an "
                            f"Apply; it returned "
                            f"{'None' if node is None else what(node)}")
        if name is not None:
            if len(node.outputs) != 1:
                raise ValueError(f"{self} has {len(node.outputs)} outputs; "
                                 f"one name cannot name them")
            node.outputs[0].name = name
        return node.default_output()

    def get_params(self, node: Apply) -> Any:
        """Returns the values of the parameters for `params_type`."""
        params_type = getattr(self, "params_type", None)
        if params_type is None or not hasattr(params_type, "get_params"):
            raise NotImplementedError(
                f"{type(self).__name__} has a params_type and no "
                f"get_params(node)")
        return params_type.get_params(self)

    def _props(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__props__)

    def __eq__(self, other: Any) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not hasattr(self, "__props__"):
            return False
        return _same(self._props(), other._props())

    def __hash__(self) -> int:
        if not hasattr(self, "__props__"):
            return id(self) >> 4
        return hash((type(self), self._props()))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        name = type(self).__name__
        if not getattr(self, "__props__", ()):
            return name
        props = ", ".join(f"{n}={getattr(self, n)!r}" for n in self.__props__)
        return f"{name}{{{props}}}"


def _explain(op: Op, inputs: Sequence[Any], error: AttributeError) -> None:
    """Raises what says it better if `make_node` took a plain value for a Variable."""
    for position, value in enumerate(inputs, 1):
        if value is error.obj and not isinstance(value, Variable):
            raise TypeError(
                f"input {position} of {op} is {what(value)}, and its make_node "
                f"takes a Variable; `x = clinch.as_variable(x)` there makes one "
                f"of a number") from error


def _same(one: Any, other: Any) -> bool:
    """Compares values of `__props__`: Variables, whose `==` makes a graph, by
    identity."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return one is other
    if type(one) is type(other) and isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    return one is other or one == other


class COp(Op):
    """An Op with C code; it has these defaults for hooks that it does not define."""

    check_input = True
    #: Whether a caller gets NumPy's scalar of an output without dimensions.
    gives_numbers = False

    def c_code_cleanup(self, node: Apply, name: str, inputs: Sequence[str],
                       outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        return ""

    def c_support_code(self, **kwargs: Any) -> str | list[str]:
        return ""

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        return ""

    def c_support_code_struct(self, node: Apply, name: str) -> str:
        return ""

    def c_init_code(self, **kwargs: Any) -> str | list[str]:
        return []

    def c_init_code_apply(self, node: Apply, name: str) -> str:
        return ""

    def c_init_code_struct(self, node: Apply, name: str,
                           sub: Mapping[str, str]) -> str:
        return ""

    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        return ""

    def c_code_cache_version(self) -> Version:
        return ()

    def c_code_cache_version_apply(self, node: Apply) -> Version:
        return self.c_code_cache_version()


def as_input(op: Op, position: int, value: Any, wanted: Any) -> Variable:
    """Returns `value` as a Variable of the Type that the Op takes there."""
    if not isinstance(value, Variable):
        return wanted.filter_variable(value)
    if value.type != wanted:
        raise TypeError(f"input {position} of {op} must be of type {wanted}; "
                        f"{value!r} is of type {value.type}")
    return value
