"""Scalar Ops on each item of arrays on a device, by their text of the processor."""

from __future__ import annotations

import re

import numpy

from ..base.annotations import Any, Callable, Mapping, Sequence, Version
from .array_type import GpuArrayType
from ..graph.variables import Apply, Constant, Variable
from ..ops.op import COp
from ..ops.scalar_ops import ScalarOp, as_variable
from ..types.scalars import scalars
from ..base.c_source import c_source
from ..tensor.kernel import block, c_type, list_of, scalar_node, text_of
from ..tensor.operands import is_number, is_weak, weak
from ..types.type import what

#: Stands at the head of a function or a loop: CUDA would round `a * b + c` once, and the
#: processor rounds it twice.
_OFF = "#pragma clang fp contract(off)"
_FUNCTION_HEAD = re.compile(r"^(static inline [^;{}]*\{)", re.M)


class GpuElemwise(COp):
    """Applies a scalar Op to each item of arrays on a device, broadcast as in NumPy;
    numbers are given to the kernel by value."""

    __props__ = ("scalar_op",)
    # What fusion asks of loops.
    most_inputs, most_outputs = 16, 1
    inplace, threads = (), None

    def __init__(self, scalar_op: Any) -> None:
        if not hasattr(scalar_op, "make_node"):
            raise TypeError(f"GpuElemwise takes a scalar Op, not {scalar_op!r}")
        self.scalar_op = scalar_op

    def make_node(self, *inputs: Any) -> Apply:
        if len(inputs) > self.most_inputs:
            raise TypeError(f"{self} takes {self.most_inputs} inputs at most, and "
                            f"{len(inputs)} were given")
        variables = self._operands(inputs)
        there = [v.type for v in variables if isinstance(v.type, GpuArrayType)]
        if not there:
            raise TypeError(f"{self} needs an array on a device")
        for other in there:
            if (other.device, other.simulate) != (there[0].device, there[0].simulate):
                raise TypeError(f"{self} is given {there[0]} and {other}, which are not "
                                f"in one place")
        inner = scalar_node(self.scalar_op, [v.type.dtype for v in variables])
        for variable in (*inner.inputs, *inner.outputs):
            if variable.type.dtype.startswith("complex"):
                raise TypeError(f"{self}: there are no complex numbers on a device")
        ndim = max(one.ndim for one in there)
        return Apply(self, variables, [
            there[0].clone(dtype=out.type.dtype, ndim=ndim)() for out in inner.outputs])

    def _operands(self, inputs: Sequence[Any]) -> list[Variable]:
        found = [None if is_weak(one) else _number(one) if isinstance(one, numpy.generic)
                 else as_variable(one) for one in inputs]
        for one in found:
            if one is not None and not (isinstance(one.type, GpuArrayType)
                                        or is_number(one)):
                raise TypeError(f"{self} is given {one!r} of type {one.type}; "
                                f"`transfer(\"cuda\")` moves an array to the device")
        dtypes = [one.type.dtype for one in found if one is not None]
        rule = getattr(self.scalar_op, "_beyond", "")
        return [_number(weak(value, dtypes, rule)) if one is None else one
                for value, one in zip(inputs, found)]

    def __str__(self) -> str:
        return f"GpuElemwise({self.scalar_op})"

    def _inner(self, node: Apply) -> Apply:
        return scalar_node(self.scalar_op, [v.type.dtype for v in node.inputs])

    def instead(self, scalar_op: Any) -> GpuElemwise:
        """Returns the same Op for another scalar Op."""
        return GpuElemwise(scalar_op)

    def may_fail(self, node: Apply) -> bool | None:
        """False; None if an item can fail, of which a kernel cannot tell."""
        return None if Items(node.inputs, self.scalar_op).may_fail else False

    def _check(self, node: Apply, inputs: Sequence[str], fail: str) -> str:
        """Returns what a shipped Op's text checks of a number, which the host can do."""
        if not isinstance(self.scalar_op, ScalarOp) or isinstance(
                node.inputs[-1].type, GpuArrayType):
            return ""
        return self.scalar_op.check_text(self._inner(node), inputs, fail)

    def c_compiler(self) -> str:
        return "cuda"

    def c_headers(self, **kwargs: Any) -> list[str]:
        return list_of(self.scalar_op, "c_headers", self.c_compiler())

    def c_support_code(self, **kwargs: Any) -> str:
        return c_source("gpu_elemwise.h")

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """The kernel; its `it` says how the arrays stand."""
        items = Items(node.inputs, self.scalar_op, is_checked=bool(
            self._check(node, ["x"] * len(node.inputs), "")))
        if items.may_fail:
            kinds = ", ".join(v.type.dtype for v in node.inputs)
            raise TypeError(f"{self.scalar_op} of {kinds} may fail for an item, of which "
                            f"a device cannot tell")
        made = [c_type(v) for v in node.outputs]
        parameters = ", ".join([items.parameters, *(
            f"{kind} *q{i}" for i, kind in enumerate(made))])
        stores = "\n".join(f"q{i}[n] = z{i};" for i in range(len(made)))
        return f"""
namespace clinch_{name} {{
{items.functions(name)}
__global__ void each(clinch_gpu_items it, {parameters}) {{
  for (Py_ssize_t n = clinch_gpu_first(); n < it.size; n += clinch_gpu_step()) {{
{items.text(name, lambda k: f"it.at({k}, n)")}
{stores}
  }}
}}
}}
"""

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        items = Items(node.inputs, self.scalar_op)
        given = ", ".join(f"&{inputs[k]}" for k in items.arrays)
        prepared = " || ".join(f"clinch_gpu_prepare(&{z}, it.shape)" for z in outputs)
        arguments = ", ".join([items.given(inputs), *(
            f"({c_type(v)} *){z}.data" for v, z in zip(node.outputs, outputs))])
        check = self._check(node, inputs, sub["fail"])
        return f"""{{
  const clinch_gpu_array *given[] = {{{given}}};
  clinch_gpu_items it;
  if (it.find(given, {len(items.arrays)}, {items.ndim}) || {prepared}) {{
    {sub["fail"]}
  }}
  if (it.size) {{
    {check}
    clinch_{name}::each<<<it.blocks(), 256>>>(it, {arguments});
  }}
}}"""

    def c_code_cache_version(self) -> Version:
        return (3,)


class Items:
    """What a kernel computes for each item of what inputs are broadcast to, by the text
    of a scalar Op, or the item itself. Arrays are read, numbers are given by value.

    is_checked: whether the host has done what the text checks.
    """

    def __init__(self, inputs: Sequence[Variable], scalar_op: Any = None,
                 is_checked: bool = False) -> None:
        self._op, self._is_checked = scalar_op, is_checked
        self._kinds = [c_type(v) for v in inputs]
        self._inner = scalar_op and scalar_node(scalar_op, [v.type.dtype for v in inputs])
        self._made = [v.type.dtype for v in self._inner.outputs] if self._inner else [
            inputs[0].type.dtype]
        #: The positions of the arrays.
        self.arrays = [k for k, v in enumerate(inputs) if isinstance(v.type, GpuArrayType)]
        self.ndim = max(inputs[k].type.ndim for k in self.arrays)

    @property
    def dtype(self) -> str:
        """Of what is computed first."""
        return self._made[0]

    @property
    def may_fail(self) -> bool:
        return "clinch_failing" in self._code("x")

    @property
    def parameters(self) -> str:
        """What a kernel takes of the inputs."""
        return ", ".join(f"const char *p{k}" if k in self.arrays else f"{kind} p{k}"
                         for k, kind in enumerate(self._kinds))

    def given(self, inputs: Sequence[str]) -> str:
        """Returns what a launch gives for them."""
        return ", ".join(f"(const char *){x}.data" if k in self.arrays else x
                         for k, x in enumerate(inputs))

    def functions(self, name: str, *others: tuple[Any, Apply, str]) -> str:
        """Returns what the text calls, and that of other scalar Ops: each with its
        apply and its name."""
        return device_functions(*others, *([(self._op, self._inner, name)]
                                           if self._op else []))

    def text(self, name: str, at: Callable[[int], str]) -> str:
        """Returns C that makes z0, z1, ...; `at` says where the item of an array is."""
        places = {k: at(number) for number, k in enumerate(self.arrays)}
        read = [f"{kind} x{k} = *(const {kind} *)(p{k} + {places[k]});" if k in places
                else f"{kind} x{k} = p{k};" for k, kind in enumerate(self._kinds)]
        made = [f"{scalars[dtype].c_element_type()} z{i};"
                for i, dtype in enumerate(self._made)]
        return "\n".join([_OFF, *read, *made, self._code(name)])

    def _code(self, name: str) -> str:
        inputs = [f"x{k}" for k in range(len(self._kinds))]
        outputs = [f"z{i}" for i in range(len(self._made))]
        if not self._op:
            return "z0 = x0;"
        if self._is_checked:
            return self._op.unchecked_text(self._inner, inputs, outputs)
        return block(self._inner, name, inputs, outputs)


def _number(value: Any) -> Constant:
    if value.dtype.name not in scalars:
        raise TypeError(f"{what(value)} of dtype {value.dtype} is nothing that Clinch "
                        f"computes with")
    return Constant(scalars[value.dtype.name], value[()])


def device_functions(*called: tuple[Any, Apply, str]) -> str:
    """Returns the support code of scalar Ops, for kernels too."""
    shared = dict.fromkeys(one for op, _, _ in called
                           for one in list_of(op, "c_support_code", "cuda"))
    own = [text_of(op, "c_support_code_apply", inner, name) for op, inner, name in called]
    return "\n".join(["#pragma clang force_cuda_host_device begin",
                      *map(uncontracted, [*shared, *own]),
                      "#pragma clang force_cuda_host_device end"])


def uncontracted(functions: str) -> str:
    """Returns functions that round each operation."""
    return _FUNCTION_HEAD.sub(rf"\1\n{_OFF}\n", functions)


GpuArrayType.loop = GpuElemwise
