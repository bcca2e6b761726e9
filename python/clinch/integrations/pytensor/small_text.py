"""The C text of a `SmallGraph`.

Each value has at most one axis that is longer than one item, so all loops are simple.
What an Op computes is stored before the next one reads it, as in PyTensor's C, so that
the compiler contracts nothing across Ops and the results are the same bits. Parts, and
other shapes, of a value are where the value is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from pytensor.graph.basic import Constant
from pytensor.tensor.basic import Alloc, Join, MakeVector
from pytensor.tensor.elemwise import CAReduce, DimShuffle, Elemwise
from pytensor.tensor.extra_ops import CumOp
from pytensor.tensor.math import All, Any, Max, Min, Prod, Sum
from pytensor.tensor.shape import Reshape
from pytensor.tensor.subtensor import IncSubtensor, Subtensor
from pytensor.tensor.type import TensorType

from clinch.integrations.pytensor.fused_text import ITEMS, item_code, may_fail, one_item
from clinch.integrations.pytensor.plan import is_small

_WHOLE = """{{
  PyArrayObject *given[] = {{{inputs}}}, *copies[{n_inputs}] = {{}};
  PyArrayObject *made[] = {{{outputs}}};
  {items}
  int failed;
  if ({missing}) {{
    failed = PyErr_Occurred() ||
             clinchAsk({params}, {n_inputs}, given, {n_outputs}, made) < 0;
  }} else {{
    {places}
    failed = {full};
    if (!failed) {{
      struct {{
        {own}
      }} own __attribute__((uninitialized));
      __asm__ volatile("" : : "r"(&own) : "memory");
      {body}
    }}
  }}
  for (PyArrayObject *copy : copies)
    Py_XDECREF(copy);
  {results}
  if (failed)
    {fail}
}}"""

_STORED = '__asm__ volatile("" : : : "memory");'


@dataclass(frozen=True)
class _Place:
    """Where items of a value are: `array[first + step * k]`."""

    array: str
    first: int = 0
    step: int = 1

    def item(self, k):
        places = [str(self.first)] * bool(self.first)
        if self.step:
            places.append(k if self.step == 1 else f"{self.step} * ({k})")
        return f"{self.array}[{' + '.join(places) or 0}]"


@dataclass(frozen=True)
class _Kind:
    """What is done with Ops of a class: those of their inputs that are not indices or
    shapes, whether an apply fits, how it is written, and whether it is quicker so when
    it is alone."""

    data: Callable
    fits: Callable
    write: Callable
    alone: bool = False


def _is_known(v):
    """Whether it is an array of few items, at least one, along one axis."""
    if not isinstance(v.type, TensorType) or v.type.dtype not in ITEMS:
        return False
    return is_small(v) and v.type.shape.count(1) >= v.type.ndim - 1 and count(v) > 0


def count(v):
    return math.prod(v.type.shape)


def fits(node):
    """Whether the apply can be one of a `SmallGraph`."""
    kind = KINDS.get(type(node.op))
    if kind is None or not all(map(_is_known, (*kind.data(node), *node.outputs))):
        return False
    return kind.fits(node)


def _c_type(v):
    return v.type.dtype_specs()[1]


def _loop(n, lines):
    return f"for (int k = 0; k != {n}; ++k) {{\n{lines}\n}}"


class _Writer:
    def __init__(self, op, name, sub):
        self.op, self.name, self.sub = op, name, sub
        self.places = {v: _Place(f"in{i}") for i, v in enumerate(op.inputs)}
        self.body = []
        #: Values that this block has to keep, for itself.
        self.own = {}
        #: Inputs that must not be read backwards: PyTensor's sums follow the memory.
        self.forward = set()

    def new(self, v):
        """Returns the place for a value that is computed."""
        if v in self.op.outputs:
            place = _Place(f"out{self.op.outputs.index(v)}")
        else:
            place = _Place(f"own.v{self.own.setdefault(v, len(self.own))}")
        self.places[v] = place
        return place

    def at(self, v, k, n):
        """Returns the item of `v` for the `k`th of `n`: its own, or its only one."""
        return self.places[v].item(k if count(v) == n else "0")

    def view(self, z, x, first=0, step=1):
        """Places a value among the items of another."""
        old = self.places[x]
        self.places[z] = _Place(old.array, old.first + old.step * first, old.step * step)

    def in_order(self, v):
        """Returns the place of a value that is added up, here or outside."""
        self.forward.add(self.places[v].array)
        return self.places[v]

    def finish(self):
        """Copies the outputs that are parts of other values."""
        for v in self.op.outputs:
            seen = self.in_order(v)
            to = self.new(v)
            if to != seen:
                n = count(v)
                item = seen.item("k") if n > 1 else seen.item("0")
                self.body.append(_loop(n, f"{to.item('k')} = {item};"))


def _write_elemwise(writer, node, number):
    n = count(node.outputs[0])
    lines = [
        f"const {_c_type(v)} x{i} = {writer.at(v, 'k', n)};" for i, v in enumerate(node.inputs)
    ]
    lines += [f"{_c_type(v)} y{i};" for i, v in enumerate(node.outputs)]
    name = f"{writer.name}_{number}"
    lines.append(one_item(node, name, writer.sub))
    lines += [f"{writer.new(v).item('k')} = y{i};" for i, v in enumerate(node.outputs)]
    writer.body += [_loop(n, "\n".join(lines)), _STORED]


def _write_reduction(writer, node, number):
    (x,), (z,) = node.inputs, node.outputs
    sums, of = count(z), count(x) // count(z)
    code = reduced(node, f"{writer.name}_{number}", writer.sub)
    inner = f"const {_c_type(x)} x0 = {writer.in_order(x).item('k + j')};\n{code}"
    lines = f"""{_accumulator(node)} y0 = {identity(node)};
for (int j = 0; j != {of}; ++j) {{
{inner}
}}
{writer.new(z).item("k")} = y0;"""
    writer.body += [_loop(sums, lines), _STORED]


def _accumulator(node):
    of = getattr(node.op, "acc_dtype", None) or node.outputs[0].type.dtype
    return TensorType(of, shape=()).dtype_specs()[1]


def identity(node):
    """Returns what a reduction begins with, as C; None if that is not known."""
    begin = getattr(node.op.scalar_op, "identity", None)
    if begin is None or math.isfinite(begin):
        return begin
    infinity = "__builtin_inf()" if begin > 0 else "-__builtin_inf()"
    return infinity if node.inputs[0].type.dtype.startswith("float") else None


def reduced(node, name, sub):
    """Returns the C that takes one more item, x0, into y0."""
    names = ["y0", "x0"], ["y0"]
    return item_code(node.op.scalar_op, (node.inputs * 2, node.outputs), name, names, sub)


def reduces(node):
    of = getattr(node.op, "acc_dtype", None)
    if of not in (None, *ITEMS) or identity(node) is None:
        return False
    axes = node.op.axis
    return axes != () and not may_fail(node, reduced)


def _write_cumulated(writer, node, number):
    (x,), (z,) = node.inputs, node.outputs
    sign = "+" if node.op.mode == "add" else "*"
    old, n = writer.places[x].item("k"), count(z)
    line = f"sum = k ? sum {sign} {old} : {old};\n{writer.new(z).item('k')} = sum;"
    writer.body += [f"{{\n{_c_type(z)} sum = 0;\n{_loop(n, line)}\n}}", _STORED]


def _is_cumulated(node):
    (x,), (z,) = node.inputs, node.outputs
    floats = x.type.dtype == z.type.dtype and x.type.dtype in ("float32", "float64")
    return floats and x.type.ndim == 1


def _write_join(writer, node, number):
    to, first = writer.new(node.outputs[0]), 0
    for v in _joined(node):
        place = _Place(to.array, first)
        item = writer.at(v, "k", count(v))
        writer.body.append(_loop(count(v), f"{place.item('k')} = {item};"))
        first += count(v)
    writer.body.append(_STORED)


def _joined(node):
    """Returns what is joined: before PyTensor 3.3 the axis is the first input."""
    return node.inputs[_has_axis_as_input(node) :]


def _has_axis_as_input(node):
    return type(node.op) is Join and not hasattr(node.op, "axis")


def _joins_vectors(node):
    (z,) = node.outputs
    alike = all(v.type.dtype == z.type.dtype for v in _joined(node))
    known = not _has_axis_as_input(node) or isinstance(node.inputs[0], Constant)
    return alike and known and bool(_joined(node)) and z.type.ndim == 1


def _write_same(writer, node, number):
    writer.view(node.outputs[0], node.inputs[0])


def _write_repeated(writer, node, number):
    z, x = node.outputs[0], node.inputs[0]
    writer.view(z, x, step=int(count(x) == count(z)))


def _write_part(writer, node, number):
    first, step, _ = _part(node, node.inputs[1:])
    writer.view(node.outputs[0], node.inputs[0], first, step)


def _write_changed_part(writer, node, number):
    x, y, *given = node.inputs
    (z,), (first, step, n) = node.outputs, _part(node, given)
    old, to = writer.places[x], writer.new(z)
    part = _Place(to.array, first, step).item("k")
    sign = "=" if node.op.set_instead_of_inc else "+="
    writer.body += [
        _loop(count(z), f"{to.item('k')} = {old.item('k')};"),
        _loop(n, f"{part} {sign} {writer.at(y, 'k', n)};"),
        _STORED,
    ]


def _part(node, given):
    """Returns the first of the items that indices choose, the step from one to the next,
    and how many there are; None for what is out of bounds or goes backwards."""
    x = node.inputs[0]
    rest = iter([int(v.data) for v in given])

    def number(entry):
        return None if entry is None else next(rest)

    first, step, n = 0, 1, count(x)
    for index, size in zip(node.op.idx_list, x.type.shape, strict=False):
        if isinstance(index, slice):
            chosen = slice(*map(number, (index.start, index.stop, index.step)))
        else:
            at = number(index)
            chosen = slice(at, at + 1 or None)
        taken = range(size)[chosen]
        if not taken or taken.step < 0:
            return None
        if size > 1:
            first, step, n = taken.start, taken.step, len(taken)
    return first, step, n


def _takes_a_part(node):
    given = node.inputs[1:]
    return _are_constant(given) and _part(node, given) is not None


def _changes_a_part(node):
    x, y, *given = node.inputs
    part = _part(node, given) if _are_constant(given) else None
    becomes = np.can_cast(y.type.dtype, x.type.dtype) and part is not None
    adds = x.type.dtype.startswith("float") or node.op.set_instead_of_inc
    return becomes and adds and count(y) in (1, part[2])


def _are_constant(variables):
    return all(isinstance(v, Constant) for v in variables)


def _first(node):
    return node.inputs[:1]


def _first_two(node):
    return node.inputs[:2]


def _all(node):
    return node.inputs


_REDUCTION = _Kind(_all, reduces, _write_reduction)

KINDS = {
    Elemwise: _Kind(_all, lambda node: not may_fail(node, one_item), _write_elemwise),
    **dict.fromkeys((CAReduce, Sum, Prod, All, Any, Max, Min), _REDUCTION),
    CumOp: _Kind(_all, _is_cumulated, _write_cumulated, alone=True),
    Join: _Kind(_joined, _joins_vectors, _write_join, alone=True),
    MakeVector: _Kind(_all, _joins_vectors, _write_join),
    DimShuffle: _Kind(_all, lambda node: True, _write_same),
    Reshape: _Kind(_first, lambda node: _are_constant(node.inputs[1:]), _write_same),
    Alloc: _Kind(_first, lambda node: _are_constant(node.inputs[1:]), _write_repeated),
    Subtensor: _Kind(_first, _takes_a_part, _write_part),
    IncSubtensor: _Kind(_first_two, _changes_a_part, _write_changed_part, alone=True),
}


def text(op, name, inputs, outputs, sub):
    writer = _Writer(op, name, sub)
    for number, node in enumerate(op.nodes):
        KINDS[type(node.op)].write(writer, node, number)
    writer.finish()
    items = [_items(i, v, writer.forward) for i, v in enumerate(op.inputs)]
    places = [_room(i, v) for i, v in enumerate(op.outputs)]
    own = [f"{_c_type(v)} v{i}[{count(v)}];" for v, i in writer.own.items()]
    return _WHOLE.format(
        inputs=", ".join(inputs) or "NULL",
        outputs=", ".join(outputs),
        n_inputs=len(inputs) or 1,
        n_outputs=len(outputs),
        items="\n".join(items),
        missing=" || ".join(f"!in{i}" for i in range(len(inputs))) or "0",
        params=sub["params"],
        places="\n".join(places),
        full=" || ".join(f"!out{i}" for i in range(len(outputs))),
        own="\n".join(own),
        body="\n".join(writer.body),
        results="\n".join(f"{z} = made[{i}];" for i, z in enumerate(outputs)),
        fail=sub["fail"],
    )


def _sizes(v):
    return ", ".join(map(str, v.type.shape)) or "1"


def _items(i, v, forward):
    item, how = _c_type(v), f"{v.type.ndim}, sizes{i}, {int(f'in{i}' in forward)}"
    return f"""const npy_intp sizes{i}[] = {{{_sizes(v)}}};
const {item} *in{i} =
    (const {item} *)clinchItems(given[{i}], {how}, &copies[{i}]);"""


def _room(i, v):
    item, dims, number = _c_type(v), v.type.ndim, v.type.numpy_dtype.num
    return f"""npy_intp room{i}[] = {{{_sizes(v)}}};
{item} *out{i} = ({item} *)clinchPlace(&made[{i}], {dims}, room{i}, {number});"""
