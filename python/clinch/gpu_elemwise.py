"""Scalar Ops on each item of arrays on a device, by their text of the processor."""

from __future__ import annotations

import re

import numpy

from .annotations import Any, Mapping, Sequence, Version
from .gpu_array_type import GpuArrayType
from .graph import Apply, Constant, Variable
from .op import COp
from .ops import ScalarOp, as_variable
from .scalars import scalars
from .sources import c_source
from .tensor.kernel import block, list_of, scalar_node, text_of
from .tensor.operands import is_number, is_weak, weak
from .type import what

#: Stands at the head of a function or a loop: CUDA would round `a * b + c` once, and the
#: processor rounds it twice.
_OFF = "#pragma clang fp contract(off)"
_FUNCTION_HEAD = re.compile(r"^(static inline [^;{}]*\{)", re.M)
_FAIL = "clinch_fail"


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
        return None if "PyErr_" in self._item(node, "x") else False

    def _checked(self, node: Apply, names: Sequence[str],
                 outputs: Sequence[str]) -> tuple[str, str]:
        """Returns the check that a shipped Op's text begins with, up to its `fail`, and
        what follows it: the host can check numbers."""
        if not isinstance(self.scalar_op, ScalarOp):
            return "", ""
        text = self.scalar_op.c_code(self._inner(node), "", names, outputs, {"fail": _FAIL})
        check, found, rest = text.partition(f"{_FAIL}\n}}\n")
        arrays = [name for name, v in zip(names, node.inputs)
                  if isinstance(v.type, GpuArrayType)]
        if not found or re.search(rf"\b({'|'.join(arrays)})\b", check):
            return "", ""
        return check, rest

    def c_compiler(self) -> str:
        return "cuda"

    def c_headers(self, **kwargs: Any) -> list[str]:
        return list_of(self.scalar_op, "c_headers", self.c_compiler())

    def c_support_code(self, **kwargs: Any) -> str:
        return c_source("gpu_elemwise.h")

    def _item(self, node: Apply, name: str) -> str:
        """Returns the text of one item, which makes z0, z1, ... of x0, x1, ...."""
        return block(self._inner(node), name, *_names(node))

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """The kernel; its `it` says how the arrays stand."""
        inner = self._inner(node)
        arrays = [isinstance(v.type, GpuArrayType) for v in node.inputs]
        kinds = [scalars[v.type.dtype].c_element_type() for v in node.inputs]
        made = [scalars[v.type.dtype].c_element_type() for v in node.outputs]
        parameters = [f"const char *p{i}" if array else f"{kind} p{i}" for i, (array, kind)
                      in enumerate(zip(arrays, kinds))]
        parameters += [f"{kind} *q{i}" for i, kind in enumerate(made)]
        items = [f"{kind} x{i} = *(const {kind} *)(p{i} + it.at({i}, n));" if array
                 else f"{kind} x{i} = p{i};"
                 for i, (array, kind) in enumerate(zip(arrays, kinds))]
        outputs = [f"z{i}" for i in range(len(made))]
        text = self._item(node, name)
        if "PyErr_" in text:
            text = self._checked(node, *_names(node))[1] or text
        if "PyErr_" in text:
            raise TypeError(f"{self.scalar_op} of {', '.join(kinds)} may fail for an item, "
                            f"of which a device cannot tell")
        body = "\n".join([*items, *(f"{kind} {z};" for kind, z in zip(made, outputs)), text,
                          *(f"q{i}[n] = {z};" for i, z in enumerate(outputs))])
        return f"""
namespace clinch_{name} {{
{device_functions(self.scalar_op, inner, name)}
__global__ void each(clinch_gpu_items it, {', '.join(parameters)}) {{
  for (Py_ssize_t n = clinch_gpu_first(); n < it.size; n += clinch_gpu_step()) {{
{_OFF}
{body}
  }}
}}
}}
"""

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        arrays = [isinstance(v.type, GpuArrayType) for v in node.inputs]
        given = ", ".join(f"&{x}" if array else "NULL" for x, array in zip(inputs, arrays))
        prepared = " || ".join(f"clinch_gpu_prepare(&{z}, it.shape)" for z in outputs)
        arguments = [f"(const char *){x}.data" if array else x
                     for x, array in zip(inputs, arrays)]
        arguments += [f"({scalars[v.type.dtype].c_element_type()} *){z}.data"
                      for v, z in zip(node.outputs, outputs)]
        check = self._checked(node, inputs, outputs)[0]
        if check:
            check = f"if (it.size) {{\n{check}{sub['fail']}\n}}\n}}"
        return f"""{{
  const clinch_gpu_array *given[] = {{{given}}};
  clinch_gpu_items it;
  if (it.find(given, {len(inputs)}, {node.outputs[0].type.ndim}) || {prepared}) {{
    {sub["fail"]}
  }}
  {check}
  if (it.size)
    clinch_{name}::each<<<it.blocks(), 256>>>(it, {', '.join(arguments)});
}}"""

    def c_code_cache_version(self) -> Version:
        return (2,)


def _names(node: Apply) -> tuple[list[str], list[str]]:
    """Returns what the inputs and outputs of one item are called in a kernel."""
    return ([f"x{i}" for i in range(len(node.inputs))],
            [f"z{i}" for i in range(len(node.outputs))])


def _number(value: Any) -> Constant:
    if value.dtype.name not in scalars:
        raise TypeError(f"{what(value)} of dtype {value.dtype} is nothing that Clinch "
                        f"computes with")
    return Constant(scalars[value.dtype.name], value[()])


def device_functions(scalar_op: Any, inner: Apply, name: str) -> str:
    """Returns a scalar Op's support code, for kernels too."""
    shared = "\n".join(list_of(scalar_op, "c_support_code", "cuda"))
    own = text_of(scalar_op, "c_support_code_apply", inner, name)
    return f"""#pragma clang force_cuda_host_device begin
{uncontracted(shared)}
{uncontracted(own)}
#pragma clang force_cuda_host_device end"""


def uncontracted(functions: str) -> str:
    """Returns functions that round each operation."""
    return _FUNCTION_HEAD.sub(rf"\1\n{_OFF}\n", functions)


GpuArrayType.loop = GpuElemwise
