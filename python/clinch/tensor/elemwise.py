"""Applies scalar Ops to arrays."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Iterable, Mapping, Sequence, Threads, Version
from ..types.array_type import TensorType
from ..graph.variables import Apply, Constant
from ..types.scalars import scalars
from . import library
from .around import Around
from .array_perform import evaluate
from .kernel import Kernel, refuse_state, scalar_node, text_of, wrapped
from .operands import (as_operands, broadcast_shape, check_ndim, is_number,
                       ndim, shape_of)
from .threads import checked, threads_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable
    from ..ops.op import Op


class Elemwise(Around):
    """Applies a scalar Op to each item of arrays, broadcast as in NumPy.

    inplace: {output: input whose memory it takes}. threads: how many compute
    large arrays, "auto" for as many as there are; None for one.
    """

    __props__ = ("scalar_op", "inplace", "threads")
    gives_numbers = True
    most_inputs, most_outputs = 62, 16

    def __init__(self, scalar_op: Op, inplace: Mapping[int, int] | None = None,
                 threads: Threads = None) -> None:
        if not (hasattr(scalar_op, "make_node")):
            raise TypeError(f"Elemwise takes a scalar Op, not {scalar_op!r}")
        self.scalar_op = scalar_op
        self.inplace = tuple(sorted((inplace or {}).items()))
        self.destroy_map = {out: [given] for out, given in self.inplace}
        self.threads = checked(threads)

    def on_threads(self, threads: Threads) -> Elemwise:
        """Returns the same Op for another number of threads."""
        return Elemwise(self.scalar_op, dict(self.inplace), threads)

    def instead(self, scalar_op: Any) -> Elemwise:
        """Returns the same Op, not in place, for another scalar Op."""
        return Elemwise(scalar_op, threads=self.threads)

    # The graph.

    def make_node(self, *inputs: Any) -> Apply:
        variables = as_operands(inputs, getattr(self.scalar_op, "_beyond", ""))
        if len(variables) > self.most_inputs:
            raise TypeError(f"{self} takes {self.most_inputs} inputs at most, and "
                            f"{len(variables)} were given")
        inner = scalar_node(self.scalar_op,
                            [v.type.dtype for v in variables])
        shape = broadcast_shape([shape_of(v) for v in variables])
        check_ndim(len(shape))
        shapes = self._output_shapes(variables, shape, len(inner.outputs))
        made = [(v.type.dtype, own) for v, own in zip(inner.outputs, shapes)]
        types = {key: TensorType(*key) for key in set(made)}
        node = Apply(self, variables, [types[key]() for key in made])
        self._check_inplace(node)
        return node

    def _output_shapes(self, variables: Sequence[Variable],
                       shape: tuple[int | None, ...],
                       count: int) -> list[tuple[int | None, ...]]:
        """Returns the shapes of the outputs. One that depends on only some of
        the inputs has their shape."""
        which = [tuple(self._shaping(out, len(variables)))
                 for out in range(count)]
        shapes = {some: broadcast_shape([shape_of(variables[k]) for k in some])
                  for some in set(which) if some}
        return [shapes.get(some, shape) for some in which]

    def _shaping(self, output: int, count: int) -> Iterable[int]:
        own = getattr(self.scalar_op, "shaping_inputs", None)
        return own(output) if own is not None else range(count)

    def _check_inplace(self, node: Apply) -> None:
        for out, given in self.inplace:
            source, made = node.inputs[given].type, node.outputs[out].type
            if getattr(source, "ndim", None) != made.ndim \
                    or source.dtype != made.dtype:
                raise TypeError(f"{self} cannot make output {out}, {made}, in "
                                f"the memory of input {given}, {source}")

    # C.

    def _inner(self, node: Apply) -> Apply:
        return scalar_node(self.scalar_op, [v.type.dtype for v in node.inputs])

    def _literals(self, node: Apply) -> dict[int, str]:
        """Returns literals for the constants without dimensions."""
        found = {}
        for k, variable in enumerate(node.inputs):
            if isinstance(variable, Constant) and ndim(variable) == 0:
                value = numpy.asarray(variable.data)[()]
                text = scalars[variable.type.dtype].c_literal(value)
                if text:
                    found[k] = text
        return found

    def kernel(self, node: Apply) -> Kernel:
        inner = self._inner(node)
        refuse_state(self.scalar_op, inner)
        single = {k for k, v in enumerate(node.inputs)
                  if all(n == 1 for n in shape_of(v))}
        return Kernel(inner, self._literals(node), single,
                      bool(self.inplace))

    def may_fail(self, node: Apply) -> bool:
        """Whether an item can fail."""
        return "clinch_failing" in self.kernel(node).text("x")

    def inner_ops(self) -> Iterable[Any]:
        return [self.scalar_op]

    def own(self, hook: str) -> list[str]:
        return [*library.hooks().get(hook, ())]

    def _loops(self, node: Apply, name: str) -> str:
        inner = self._inner(node)
        kernel = self.kernel(node)
        text = kernel.text(name)
        return "\n".join([
            text_of(self.scalar_op, "c_support_code_apply", inner, name),
            text, self._loop_text(node, name, kernel, "clinch_failing" in text)
        ]).lstrip("\n")

    def c_init_code_apply(self, node: Apply, name: str) -> str:
        return text_of(self.scalar_op, "c_init_code_apply", self._inner(node),
                       name)

    def _loop_text(self, node: Apply, name: str, kernel: Kernel, may_fail: bool) -> str:
        """Returns C with the description of the loop for the library."""
        inputs, rows = kernel.operands, []
        place = {k: at for at, k in enumerate(inputs)}
        for k in inputs:
            rows.append(self._operand(node.inputs[k], k in kernel.single, -1,
                                      0))
        for out, variable in enumerate(node.outputs):
            shaped_by = sum(1 << place[k] for k in
                            self._shaping(out, len(node.inputs))
                            if k in place)
            rows.append(self._operand(
                variable, False, place.get(dict(self.inplace).get(out, -1), -1),
                shaped_by))
        parallel, threads = threads_hooks(self).fields(may_fail)
        said = str(self).replace("\\", "\\\\").replace('"', '\\"')
        operands = wrapped(f"static const struct clinch_operand {name}_operands[] = {{",
                           rows, "};")
        loop = wrapped(f"static const struct clinch_loop {name}_loop = {{", [
            f'"{said}"', *map(str, (len(inputs), len(node.outputs))), f"{name}_operands",
            f"{name}_kernel", parallel, str(threads), str(int(not may_fail))], "};")
        return f"{threads_hooks(self).declaration}{operands}\n{loop}"

    @staticmethod
    def _operand(variable: Variable, single: bool, in_place_of: int,
                 shaped_by: int) -> str:
        dtype = numpy.dtype(variable.type.dtype)
        number = dtype.itemsize if is_number(variable) else 0
        return (f"{{{number}, {dtype.num}, {dtype.itemsize}, {int(single)}, "
                f"{in_place_of}, {shaped_by}ull}}")

    def c_code(self, node: Apply, name: str, inputs: Sequence[Any], outputs:
               Sequence[str], sub: Mapping[str, str]) -> str:
        kernel = self.kernel(node)
        given = [f"&{inputs[k]}" if is_number(node.inputs[k]) else inputs[k]
                 for k in kernel.operands]
        made = ", ".join(f"&{output}" for output in outputs)
        return (f"void *in[] = {{{', '.join(given) or 'NULL'}}};\n"
                f"void *out[] = {{{made}}};\n"
                f"if (clinch_run_loop((void **)PyArray_API, "
                f"&{self._named(node, name)[0]}_loop, in, "
                f"out) < 0)\n{sub['fail']}")

    def c_code_cache_version(self) -> Version:
        return ("loops", 1)

    # Python.

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage:
                Sequence[list[Any]]) -> None:
        results = evaluate(self.scalar_op, self._inner(node), inputs)
        inplace = dict(self.inplace)
        for k, (result, variable) in enumerate(zip(results, node.outputs)):
            result = numpy.asarray(result, variable.type.dtype)
            if k in inplace:
                target = inputs[inplace[k]]
                numpy.copyto(target, result)
                result = target
            elif any(numpy.may_share_memory(result, given)
                     for given in inputs if isinstance(given, numpy.ndarray)):
                result = result.copy()
            output_storage[k][0] = result

    def __call__(self, *inputs: Any, name: str | None = None) -> Any:
        return super().__call__(*inputs, name=name)

    @property
    def graph_label(self) -> str:
        return str(self)

    def __str__(self) -> str:
        changed = ", ".join(f"{out} in place of {given}"
                            for out, given in self.inplace)
        return f"Elemwise{{{self.scalar_op}{', ' if changed else ''}{changed}}}"

    def __reduce__(self) -> Any:
        return type(self), (self.scalar_op, dict(self.inplace), self.threads)
