"""A scalar Op made of a graph of scalar Ops, which fusion puts into a loop."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Iterable, Mapping, Sequence
from ..graph.variables import Apply, Constant
from ..types.scalars import scalars
from ..base.walks import applies
from .around import Around
from .array_perform import evaluate
from .kernel import block, computed, refuse_state, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


def _literal(constant: Constant) -> str:
    """Returns C for the value; a complex number has no literal, so C makes it."""
    dtype = constant.type.dtype
    value = numpy.asarray(constant.data, dtype)[()]
    if value.dtype.kind != "c":
        return scalars[dtype].c_literal(value)
    parts = ", ".join(scalars["float64"].c_literal(numpy.float64(part))
                      for part in (value.real, value.imag))
    return f"clinch_to_{dtype}(clinch_make_complex({parts}))"


class Composite(Around):
    """Computes several scalar Ops one after another, each once.

    inputs, outputs: of a graph of scalars. A result may be used several times,
    and each may be an output.
    """

    def __init__(self, inputs: Sequence[Variable], outputs: Sequence[Variable]) -> None:
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.nodes = _order(self.inputs, self.outputs)
        self._shaping: list[list[int]] | None = None

    # The graph.

    def make_node(self, *inputs: Any) -> Apply:
        if len(inputs) != len(self.inputs):
            raise TypeError(f"{self} takes {len(self.inputs)} inputs, and "
                            f"{len(inputs)} were given")
        for given, own in zip(inputs, self.inputs):
            if given.type.dtype != own.type.dtype:
                raise TypeError(f"{self} takes {own.type} where {given!r} is "
                                f"of type {given.type}")
        return Apply(self, list(inputs), [v.type() for v in self.outputs])

    def shaping_inputs(self, output: int) -> list[int]:
        """Returns the positions of the inputs that an output depends on."""
        if self._shaping is None:
            reached = {v: frozenset([k]) for k, v in enumerate(self.inputs)}
            for node in self.nodes:
                of_node = frozenset().union(
                    *(reached.get(v, ()) for v in node.inputs))
                reached.update((v, of_node) for v in node.outputs)
            self._shaping = [sorted(reached.get(v, ())) for v in self.outputs]
        return self._shaping[output]

    # C.

    def code_of_items(self, node: Apply, name: str, inputs: Sequence[str],
                        outputs: Sequence[str]) -> str:
        """Returns the blocks of all Ops, each with its own `fail`."""
        names = dict(zip(self.inputs, inputs))
        blocks = []
        for number, inner in enumerate(self.nodes):
            for variable in (*inner.inputs, *inner.outputs):
                if variable not in names:
                    names[variable] = (_literal(variable) if isinstance(variable, Constant)
                                       else f"t{len(names)}_{name}")
            blocks.append(block(inner, f"{name}_{number}",
                                [names[v] for v in inner.inputs],
                                [names[v] for v in inner.outputs]))
        whole, lines = "\n".join(blocks), []
        for inner, text in zip(self.nodes, blocks):
            lines.append(computed(inner, [names[v] for v in inner.outputs], text, whole))
        lines += [f"{made} = {names[v]};"
                  for v, made in zip(self.outputs, outputs)]
        return "\n".join(lines)

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        raise NotImplementedError(f"{self} is computed in loops; "
                                  f"`Elemwise` makes one")

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        return "\n".join(
            text_of(inner.op, "c_support_code_apply", inner,
                    f"{name}_{number}")
            for number, inner in enumerate(self.nodes))

    def c_init_code_apply(self, node: Apply, name: str) -> str:
        return "\n".join(
            text_of(inner.op, "c_init_code_apply", inner, f"{name}_{number}")
            for number, inner in enumerate(self.nodes))

    def inner_ops(self) -> Iterable[Any]:
        return {id(inner.op): inner.op for inner in self.nodes}.values()

    def refuse_state(self) -> None:
        """Raises if one of the Ops cannot be in a loop. That depends on the Op and
        the dtypes alone."""
        different = {(id(inner.op), *[v.type.dtype for v in inner.inputs]): inner
                     for inner in self.nodes}
        for inner in different.values():
            refuse_state(inner.op, inner)

    # Python.

    def evaluate_arrays(self, inputs: Sequence[Any]) -> list[Any]:
        """Computes the outputs for arrays, with NumPy."""
        values = dict(zip(self.inputs, map(numpy.asarray, inputs)))
        for inner in self.nodes:
            given = [numpy.asarray(v.data, v.type.dtype)
                     if isinstance(v, Constant) else values[v]
                     for v in inner.inputs]
            values.update(zip(inner.outputs,
                              evaluate(inner.op, inner, given)))
        return [values[v] for v in self.outputs]

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        for cell, value, variable in zip(
                output_storage, self.evaluate_arrays(inputs), node.outputs):
            cell[0] = variable.type.filter(value[()])

    def __str__(self) -> str:
        names = {v: f"i{k}" for k, v in enumerate(self.inputs)}
        said = [_expression(v, names) for v in self.outputs]
        return f"Composite{{{', '.join(said)}}}"

    def __reduce__(self) -> Any:
        return type(self), (self.inputs, self.outputs)


def _order(inputs: Sequence[Variable], outputs: Sequence[Variable]) -> list[Apply]:
    """Returns the applies between them in running order."""
    order = applies(inputs, outputs)
    made = {*inputs, *(v for node in order for v in node.outputs)}
    for variable in (*(v for node in order for v in node.inputs), *outputs):
        if variable not in made and not isinstance(variable, Constant):
            raise ValueError(f"{variable!r} is neither an input of the "
                             f"Composite nor computed in it")
    return order


def _expression(variable: Variable, names: Mapping[Variable, str],
                room: int = 1000) -> str:
    """Writes "tanh(add(i0, i1))", truncated if it gets long."""
    if variable in names:
        return names[variable]
    if isinstance(variable, Constant):
        return str(numpy.asarray(variable.data)[()])
    if room < 4:
        return "…"
    node: Any = variable.owner
    share = room // (len(node.inputs) + 1)
    said = ", ".join(_expression(v, names, share) for v in node.inputs)
    return f"{node.op}({said})"
