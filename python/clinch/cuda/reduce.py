"""Reductions of arrays on a device, by a scalar Op's text of the processor."""

from __future__ import annotations

from ..base.annotations import Any, Mapping, Sequence, Version
from .array_type import GpuArrayType
from .elemwise import GpuElemwise, Items, uncontracted
from ..graph.variables import Apply, Variable
from ..ops.op import COp
from ..types.scalars import scalars
from ..base.c_source import c_source
from ..tensor.kernel import list_of, scalar_node
from ..tensor.reduce import IDENTITIES, Reduce


class GpuReduce(COp):
    """Reduces axes of an array on a device with a scalar Op of two operands, whose
    order may not matter but for rounding.

    dtype: of the result and of what is added up. mean: whether to divide by the count.
    before: a scalar Op that makes the items, in the same kernel, or None.
    """

    __props__ = ("scalar_op", "axes", "dtype", "keepdims", "mean", "before")
    # What fusion asks of reductions.
    takes, threads = GpuElemwise, None

    def __init__(self, scalar_op: Any, axes: Sequence[int], dtype: str,
                 keepdims: bool = False, mean: bool = False, before: Any = None) -> None:
        self._here = Reduce(scalar_op, axes, dtype, keepdims, mean, before)
        self.scalar_op, self.axes = scalar_op, self._here.axes
        self.dtype, self.keepdims, self.mean = self._here.dtype, bool(keepdims), bool(mean)
        self.before = before

    def changed(self, before: Any) -> GpuReduce:
        """Returns the same reduction of what a scalar Op makes."""
        return GpuReduce(self.scalar_op, self.axes, self.dtype, self.keepdims, self.mean,
                         before)

    def make_node(self, *inputs: Any) -> Apply:
        if self.before is not None:
            made = GpuElemwise(self.before).make_node(*inputs)
            return self._of(made.inputs, made.outputs[0].type)
        (x,) = inputs
        if not (isinstance(x, Variable) and isinstance(x.type, GpuArrayType)):
            raise TypeError(f"{self} needs an array on a device, not {x!r}")
        return self._of([x], x.type)

    def _of(self, inputs: Sequence[Variable], items: GpuArrayType) -> Apply:
        if any(axis >= items.ndim for axis in self.axes):
            raise ValueError(f"{self} is given {items}, which has no such axis")
        for dtype in (items.dtype, self.dtype):
            if dtype.startswith("complex"):
                raise TypeError(f"{self}: there are no complex numbers on a device")
        self._here._check(items.dtype)
        ndim = items.ndim - (0 if self.keepdims else len(self.axes))
        return Apply(self, inputs, [items.clone(dtype=self.dtype, ndim=ndim)()])

    def __str__(self) -> str:
        return f"Gpu{self._here}"

    def c_compiler(self) -> str:
        return "cuda"

    def c_headers(self, **kwargs: Any) -> list[str]:
        return list(dict.fromkeys(
            header for op in (self.scalar_op, self.before) if op is not None
            for header in list_of(op, "c_headers", self.c_compiler())))

    def c_support_code(self, **kwargs: Any) -> str:
        return c_source("gpu_elemwise.h") + c_source("gpu_reduce.h")

    def _items(self, node: Apply) -> Items:
        return Items(node.inputs, self.before)

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """The kernels: of the items, and of what the blocks made of them."""
        inner = scalar_node(self.scalar_op, [self.dtype] * 2)
        acc, items = scalars[self.dtype].c_element_type(), self._items(node)
        step = self._here.statements(inner, name, f"a_{name}", f"x_{name}", f"z_{name}")
        if "clinch_failing" in step:
            raise TypeError(f"{self.scalar_op} of two {self.dtype} may fail for an item, "
                            f"of which a device cannot tell")
        divided = f"({acc})(a / count)" if self.mean else "a"
        functions = uncontracted(f"""
static inline __device__ {acc} step({acc} a_{name}, {acc} x_{name}) {{
{acc} z_{name};
{step}
return z_{name};
}}""")
        return f"""
namespace clinch_{name} {{
{items.functions(f"{name}_items", (self.scalar_op, inner, name))}
struct Of {{
  using Acc = {acc};{functions}
  static __device__ Acc finish(Acc a, Py_ssize_t count) {{ return {divided}; }}
}};
__global__ void items(clinch_gpu_sums<{len(items.arrays)}> it, {items.parameters},
                      {acc} *to, {acc} empty) {{
  clinch_gpu_reduce<Of>(it, [=](const Py_ssize_t *at) -> {acc} {{
{items.text(f"{name}_items", lambda k: f"at[{k}]")}
return {self._here._cast(items.dtype, "z0")};
  }}, to, empty);
}}
__global__ void parts(clinch_gpu_sums<1> it, const char *from, {acc} *to, {acc} empty) {{
  clinch_gpu_reduce<Of>(it, [=](const Py_ssize_t *at) {{
    return *(const {acc} *)(from + *at);
  }}, to, empty);
}}
}}
"""

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        (z,), fail, items = outputs, sub["fail"], self._items(node)
        acc = scalars[self.dtype].c_element_type()
        mask = sum(1 << axis for axis in self.axes)
        parts = node.outputs[0].type.clone(ndim=2).c_init("parts", sub)
        empty = scalars[self.dtype].c_literal(
            scalars[self.dtype].filter(self._identity or 0, allow_downcast=True))
        given = ", ".join(f"&{inputs[k]}" for k in items.arrays)
        return f"""{{
  const clinch_gpu_array *given[] = {{{given}}};
  clinch_gpu_items all;
  clinch_gpu_sums<{len(items.arrays)}> it;
  Py_ssize_t shape[8];
  if (all.find(given, {len(items.arrays)}, {items.ndim})) {{
    {fail}
  }}
  it.find(all, {mask}u, {str(self.keepdims).lower()}, shape);
  if ({self._refused()}clinch_gpu_prepare(&{z}, shape)) {{
    {fail}
  }}
  if (it.size && it.chunks == 1)
    clinch_{name}::items<<<it.blocks(), 256>>>(it, {items.given(inputs)},
                                               ({acc} *){z}.data, {empty});
  else if (it.size) {{
    clinch_gpu_array parts;
    {parts}
    const Py_ssize_t lengths[] = {{it.size, it.chunks}};
    if (clinch_gpu_prepare(&parts, lengths)) {{
      {fail}
    }}
    const clinch_gpu_sums<1> rest = it.rest(sizeof({acc}));
    clinch_{name}::items<<<it.blocks(), 256>>>(it, {items.given(inputs)},
                                               ({acc} *)parts.data, {empty});
    clinch_{name}::parts<<<rest.blocks(), 256>>>(rest, (const char *)parts.data,
                                                 ({acc} *){z}.data, {empty});
    clinch_gpu_release(&parts);
  }}
}}"""

    @property
    def _identity(self) -> Any:
        return IDENTITIES.get(getattr(self.scalar_op, "name", ""))

    def _refused(self) -> str:
        """Returns C's condition that raises NumPy's error of no items."""
        if self._identity is not None:
            return ""
        said = getattr(self.scalar_op, "_numpy_name", None) or self.scalar_op
        return (f'(!it.count && it.size && (PyErr_SetString(PyExc_ValueError, '
                f'"zero-size array to reduction operation {said} which has no identity"), '
                f'1)) || ')

    def c_code_cache_version(self) -> Version:
        return (2,)


GpuArrayType.reducer = GpuReduce
