"""Reductions along axes with a scalar Op of two operands."""

from __future__ import annotations

import operator

import numpy

from ..base.annotations import Any, Iterator, Sequence, Threads
from ..types.array_type import TensorType
from ..graph.variables import Apply
from ..ops.scalar_ops import scalar_ops
from ..types.scalars import scalars
from . import library
from .around import Around
from .array_perform import evaluate
from .elemwise import Elemwise
from .kernel import block, c_type, computed, is_shipped, scalar_node, wrapped
from .operands import as_array, is_number, ndim, shape_of
from .reduce_text import (ANY_ORDER, BEFORE, CHANGES, FEW_CHANGE, JOINS, KERNELS, MEAN,
                          OF_TRUTHS, OTHER_ITEMS, STEP, odd_items)
from .threads import checked, threads_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..ops.op import Op


def normalized(axis: Any, count: int) -> Any:
    """Returns the axes, sorted; None means all. Raises NumPy's own errors."""
    if axis is None:
        return tuple(range(count))
    axes = axis if isinstance(axis, tuple) else (axis,)
    found = []
    for one in axes:
        number = operator.index(one)
        if not -count <= number < count:
            raise _axis_error(number, count)
        found.append(number % count)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(found))


def _axis_error(axis: Any, count: int, name: Any = None) -> Any:
    error = getattr(numpy, "exceptions", numpy).AxisError
    return error(axis, count, name)


class Reduction(Around):
    """What reductions and searches have in common.

    before: a scalar Op that the reduction applies to its broadcast inputs, in
    the same loop, or None. axes: the axes to reduce, sorted. threads: how many
    reduce large arrays, "auto" for as many as there are; None for one.
    """

    gives_numbers = True
    #: The loops that it can absorb.
    takes = Elemwise
    axes: tuple[int, ...]
    keepdims: bool
    dtype: str  # Of the result.
    before: Any
    threads: Threads

    @property
    def _said(self) -> str:
        """The name in pictures and messages."""
        raise NotImplementedError

    def changed(self, **changed: Any) -> Any:
        """Returns the same reduction with other properties."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__props__},
                             **changed})

    def on_threads(self, threads: Threads) -> Any:
        """Returns the same reduction for another number of threads."""
        return self.changed(threads=threads)

    def _check(self, dtype: str) -> None:
        """Raises if items of this dtype cannot be reduced."""
        raise NotImplementedError

    def _kernels(self, node: Any, name: str) -> str:
        """Returns the C of the loops."""
        raise NotImplementedError

    def _fields(self, node: Any, name: str) -> Iterator[tuple[str, Any]]:
        """Yields the members of C's description and their values."""
        raise NotImplementedError

    def make_node(self, *inputs: Any) -> Any:
        if self.before is None:
            (x,) = inputs
            variables, shape = [as_array(x)], shape_of(as_array(x))
            dtype = variables[0].type.dtype
        else:
            made = self._around().make_node(*inputs)
            (out,) = made.outputs
            variables, shape, dtype = made.inputs, out.type.shape, \
                out.type.dtype
        if any(axis >= len(shape) for axis in self.axes):
            raise _axis_error(max(self.axes), len(shape))
        self._check(dtype)
        kept = tuple(1 if axis in self.axes else n
                     for axis, n in enumerate(shape)
                     if axis not in self.axes or self.keepdims)
        return Apply(self, variables, [TensorType(self.dtype, kept)()])

    def _loop(self, node: Any) -> Any:
        """Returns the Elemwise apply whose results are reduced, or None."""
        if self.before is None:
            return None
        return self._around().make_node(*node.inputs)

    def _around(self) -> Elemwise:
        return Elemwise(self.before, threads=self.threads)

    def _item(self, node: Any) -> Any:
        """Returns the Type of the array that is reduced."""
        loop = self._loop(node)
        return (node.inputs[0] if loop is None else loop.outputs[0]).type

    def inner_ops(self) -> Any:
        return [self.before] if self.before is not None else []

    def own(self, hook: str) -> Any:
        return [*library.hooks().get(hook, ())]

    def _loops(self, node: Any, name: str) -> str:
        return "\n".join([self._loop_text(node, name),
                          self._kernels(node, name),
                          self._description(node, name)]).lstrip("\n")

    def _loop_text(self, node: Any, name: str) -> Any:
        """Returns C for the loop before the reduction, or for one that has only
        the input."""
        loop = self._loop(node)
        if loop is not None:
            return loop.op._loops(loop, name)
        given = node.inputs[0]
        row = Elemwise._operand(given, False, -1, 0)
        hooks = threads_hooks(self)
        parallel, threads = hooks.fields(False)
        return (f"{hooks.declaration}static const struct clinch_operand {name}_operands[] = "
                f"{{{row}, {row}}};\n"
                f"static const struct clinch_loop {name}_loop = {{\"{self}\", "
                f"1, 0, {name}_operands, NULL, {parallel}, "
                f"{threads}}};")

    def _description(self, node: Any, name: str) -> str:
        masks = [sum(1 << axis - 64 * word for axis in self.axes
                     if axis // 64 == word) for word in (0, 1)]
        dtype = numpy.dtype(self.dtype)
        fields: dict[str, Any] = {
            "loop": f"&{name}_loop", "axes": f"{{{masks[0]}ull, {masks[1]}ull}}",
            "keep_dims": int(self.keepdims), "typenum": dtype.num,
            "size": dtype.itemsize, **dict(self._fields(node, name))}
        # What is not named is 0.
        return wrapped(f"static const struct clinch_reduction {name}_reduction = {{",
                       [f".{key} = {value}" if key else value
                        for key, value in fields.items() if value not in (0, "NULL")],
                       "};")

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> str:
        loop = self._loop(node)
        operands = (range(len(inputs)) if loop is None
                    else loop.op.kernel(loop).operands)
        given = [f"&{inputs[k]}" if is_number(node.inputs[k]) else inputs[k]
                 for k in operands]
        return (f"void *in[] = {{{', '.join(given) or 'NULL'}}};\n"
                f"if (clinch_run_reduction((void **)PyArray_API, "
                f"&{self._named(node, name)[0]}_reduction, in, &{outputs[0]}) < 0)\n{sub['fail']}")

    def c_code_cache_version(self) -> Any:
        return ("reductions", 3)

    def _items(self, node: Any, inputs: Any) -> Any:
        """Returns the array to reduce, computed by NumPy."""
        loop = self._loop(node)
        if loop is None:
            return inputs[0]
        return numpy.asarray(evaluate(self.before, loop.op._inner(loop),
                                      inputs)[0])

    @property
    def graph_label(self) -> str:
        return str(self)

    def __str__(self) -> str:
        axes = ",".join(map(str, self.axes))
        before = f" of {self.before}" if self.before is not None else ""
        return f"{type(self).__name__}{{{self._said}, {axes}{before}}}"


class Reduce(Reduction):
    """Reduces axes with a scalar Op of two operands; `add` makes a sum.

    dtype: of the result and the accumulator. mean: whether to divide by the
    count. empty: what there is of no items, if the Op alone does not say it.
    """

    __props__ = ("scalar_op", "axes", "keepdims", "dtype", "mean", "before", "empty",
                 "threads")

    def __init__(self, scalar_op: Op, axes: Sequence[int], dtype: str,
                 keepdims: bool = False, mean: bool = False,
                 before: Op | None = None, empty: float | None = None,
                 threads: Threads = None) -> None:
        self.scalar_op, self.axes = scalar_op, tuple(axes)
        self.keepdims, self.dtype = bool(keepdims), numpy.dtype(dtype).name
        self.mean, self.before, self.empty = bool(mean), before, empty
        self.threads = checked(threads)

    @property
    def _said(self) -> Any:
        return "mean" if self.mean else str(self.scalar_op)

    def _check(self, dtype: Any) -> None:
        made = scalar_node(self.scalar_op, [self.dtype] * 2).outputs[0].type
        if made.dtype != self.dtype:
            raise TypeError(f"{self.scalar_op} of two {self.dtype} gives "
                            f"{made.dtype}, and cannot be reduced with")

    def inner_ops(self) -> Any:
        return [self.scalar_op, *super().inner_ops()]

    def _cast(self, item: str, text: str) -> Any:
        """Returns C that makes an item of that dtype one of the accumulator's."""
        if item == self.dtype != "bool":
            return text
        kind, want = numpy.dtype(item).kind, numpy.dtype(self.dtype).kind
        if want == "c":
            value = (f"clinch_from_{item}({text})" if kind == "c"
                     else f"clinch_make_complex({text}, 0)")
            return f"clinch_to_{self.dtype}({value})"
        if want == "b":
            return (f"(clinch_from_{item}({text}) != 0)" if kind == "c"
                    else f"({text} != 0)")
        return f"(({scalars[self.dtype].c_element_type()}){text})"

    def _kernels(self, node: Any, name: str) -> str:
        acc = scalars[self.dtype]
        inner = scalar_node(self.scalar_op, [self.dtype] * 2)
        a, x, z = "axz" if is_shipped(self.scalar_op) else [f"{n}_{name}" for n in "axz"]
        text = KERNELS.format(
            name=name, acc=acc.c_element_type(), a=a, x=x, z=z,
            code=self._step(inner, name, a, x, z), more=self._more(node))
        if "clinch_failing" in text:
            raise NotImplementedError(f"{self.scalar_op} can fail, and cannot "
                                      f"be reduced with in C")
        if self.mean:
            text += MEAN.format(name=name, acc=acc.c_element_type(),
                                 divided=self._divided())
        identity = self._identity_bytes()
        if identity is not None:
            text += wrapped(f"\nstatic const unsigned char {name}_identity[] = {{",
                            map(str, identity), "};")
        return text

    def statements(self, inner: Any, name: str, a: str, x: str, z: str) -> str:
        """Returns the C that makes z of a and an item x."""
        of_truths = OF_TRUTHS.get(self._shipped) if self.dtype == "bool" else None
        return (f"{z} = {a} {of_truths} {x};" if of_truths
                else block(inner, f"{name}_op", [a, x], [z]))

    def _step(self, inner: Any, name: str, a: str, x: str, z: str) -> str:
        code = self.statements(inner, name, a, x, z)
        if not is_shipped(self.scalar_op):
            declared = f"{c_type(inner.outputs[0])} {z};"
            return STEP.format(name=name, declared=declared, code=code)
        return "  " + computed(inner, [z], code, code).replace("\n", "\n  ")

    @property
    def _shipped(self) -> str:
        """The name of a scalar Op that comes with Clinch, or nothing."""
        name = getattr(self.scalar_op, "name", "")
        return name if scalar_ops.get(name) == self.scalar_op else ""

    def _is_of_all(self, reduced: Any) -> bool:
        """Whether an array of this Type is reduced to one item."""
        return len(self.axes) == reduced.ndim

    def _more(self, node: Any) -> str:
        """Returns what the loops may know of the items and the Op."""
        reduced, kind = self._item(node), numpy.dtype(self.dtype).kind
        item, cast = reduced.dtype, self._cast(reduced.dtype, "(x)")
        more = "" if cast == "(x)" else OTHER_ITEMS.format(
            item=scalars[item].c_element_type(), cast=cast)
        # The tier default keeps lanes of doubles in registers only so.
        if self.dtype == "float64":
            more += "#define CLINCH_UNROLL\n"
        if self._is_of_all(reduced):
            more += "#define CLINCH_ROWS\n"
        if kind in "biu" and self._shipped in ORDERLESS:
            more += ANY_ORDER
        if kind == "f" and item == self.dtype != "float16" and self._shipped in JOINS:
            more += f"#define CLINCH_JOIN(a, x) ((a) {JOINS[self._shipped]} (x))\n"
        found = CHANGES.get((self._shipped, kind))
        if found and (item == self.dtype or kind == "b" and not item.startswith("complex")):
            more += FEW_CHANGE.format(changes=found[0], last=found[1]) + odd_items(item)
            if self._shipped in BEFORE:
                more += f"#define CLINCH_BEFORE(x, y) ((x) {BEFORE[self._shipped]} (y))\n"
        return more

    def _divided(self) -> str:
        if numpy.dtype(self.dtype).kind == "c":
            return (f"clinch_to_{self.dtype}(clinch_from_{self.dtype}(a[i]) / "
                    f"(double)count)")
        return f"({scalars[self.dtype].c_element_type()})(a[i] / count)"

    def _identity_bytes(self) -> Any:
        value = self.empty
        if value is None:
            value = IDENTITIES.get(getattr(self.scalar_op, "name", ""))
        if value is None:
            return None
        return numpy.array(value, self.dtype).tobytes()

    def _fields(self, node: Any, name: str) -> Iterator[tuple[str, Any]]:
        floats = numpy.dtype(self.dtype).kind in "fc"
        yield "pairwise", int(floats and getattr(
            self.scalar_op, "name", "") in ("add", "mul"))
        yield "identity", ("NULL" if self._identity_bytes() is None
                           else f"{name}_identity")
        numpy_name = getattr(self.scalar_op, "_numpy_name", None)
        yield "numpy_name", f'"{numpy_name or self.scalar_op}"'
        columns = "ROWS" if self._is_of_all(self._item(node)) else "LOOPS"
        yield "", f"CLINCH_{columns}_OF({name})"
        if self.mean:
            yield "finish", f"{name}_finish"

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        items = self._items(node, inputs)
        axes = self.axes
        with numpy.errstate(all="ignore"):
            if self.mean:
                result = numpy.mean(items, axis=axes, dtype=self.dtype,
                                    keepdims=self.keepdims)
            else:
                result = self._reduced(items.astype(self.dtype), axes)
        output_storage[0][0] = numpy.asarray(result, self.dtype)

    def _reduced(self, items: Any, axes: Any) -> Any:
        if self.empty is not None and not items.size:
            shape = numpy.any(items, axis=axes, keepdims=self.keepdims).shape
            return numpy.full(shape, self.empty)
        own = getattr(numpy, getattr(self.scalar_op, "_numpy_name", None)
                      or "", None)
        if own is not None:
            return own.reduce(items, axis=axes, keepdims=self.keepdims,
                              dtype=self.dtype)
        inner = scalar_node(self.scalar_op, [self.dtype] * 2)
        moved = numpy.moveaxis(items, axes, range(len(axes)))
        kept = moved.shape[len(axes):]
        flat = moved.reshape((-1, *kept))
        result = flat[0]
        for row in flat[1:]:
            (result,) = evaluate(self.scalar_op, inner, [result, row])
        if self.keepdims:
            result = numpy.expand_dims(result, axes)
        return result


#: The results of empty reductions.
IDENTITIES = {"add": 0, "mul": 1, "logical_or": 0, "logical_and": 1, "or_": 0,
              "logical_xor": 0, "xor": 0}


#: Of integers they give the same in any order.
ORDERLESS = ("add", "mul", "maximum", "minimum", "logical_or", "logical_and", "or_",
             "and_", "xor")


def may_take(op: Any, loop: Any) -> bool:
    """Whether an Op, if it is a reduction, can absorb this element-wise loop."""
    return isinstance(loop, getattr(op, "takes", ())) and op.before is None


def same_axes(x: Any, axis: Any) -> Any:
    return normalized(axis, ndim(x))


def as_items(x: Any) -> Any:
    """Converts a value to a Variable that is reduced: an array, here or on a device."""
    return x if hasattr(getattr(x, "type", None), "reducer") else as_array(x)


def reduced(scalar_name: Any, x: Any, axis: Any, dtype: Any, keepdims: Any,
            **more: Any) -> Any:
    """Returns the reduction of `x` with a shipped scalar Op."""
    x = as_items(x)
    kind = getattr(x.type, "reducer", Reduce)
    return kind(scalar_ops[scalar_name], same_axes(x, axis), dtype,
                bool(keepdims), **more)(x)
