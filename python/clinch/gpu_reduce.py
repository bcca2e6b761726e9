"""Reductions of arrays on a device, by a scalar Op's text of the processor."""

from __future__ import annotations

from .annotations import Any, Mapping, Sequence, Version
from .gpu_array_type import GpuArrayType
from .gpu_elemwise import device_functions, uncontracted
from .graph import Apply, Variable
from .op import COp
from .scalars import scalars
from .sources import c_source
from .tensor.kernel import list_of, scalar_node
from .tensor.reduce import IDENTITIES, Reduce


class GpuReduce(COp):
    """Reduces axes of an array on a device with a scalar Op of two operands, whose
    order may not matter but for rounding.

    dtype: of the result and of what is added up. mean: whether to divide by the count.
    """

    __props__ = ("scalar_op", "axes", "dtype", "keepdims", "mean")

    def __init__(self, scalar_op: Any, axes: Sequence[int], dtype: str,
                 keepdims: bool = False, mean: bool = False) -> None:
        self._here = Reduce(scalar_op, axes, dtype, keepdims, mean)
        self.scalar_op, self.axes = scalar_op, self._here.axes
        self.dtype, self.keepdims, self.mean = self._here.dtype, bool(keepdims), bool(mean)

    def make_node(self, x: Any) -> Apply:
        if not (isinstance(x, Variable) and isinstance(x.type, GpuArrayType)):
            raise TypeError(f"{self} needs an array on a device, not {x!r}")
        if any(axis >= x.type.ndim for axis in self.axes):
            raise ValueError(f"{self} is given {x.type}, which has no such axis")
        for dtype in (x.type.dtype, self.dtype):
            if dtype.startswith("complex"):
                raise TypeError(f"{self}: there are no complex numbers on a device")
        self._here._check(x.type.dtype)
        ndim = x.type.ndim - (0 if self.keepdims else len(self.axes))
        return Apply(self, [x], [x.type.clone(dtype=self.dtype, ndim=ndim)()])

    def __str__(self) -> str:
        return f"Gpu{self._here}"

    def c_compiler(self) -> str:
        return "cuda"

    def c_headers(self, **kwargs: Any) -> list[str]:
        return list_of(self.scalar_op, "c_headers", self.c_compiler())

    def c_support_code(self, **kwargs: Any) -> str:
        return c_source("gpu_reduce.h")

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """The kernels: of the items, and of what the blocks made of them."""
        inner = scalar_node(self.scalar_op, [self.dtype] * 2)
        acc, item = (scalars[dtype].c_element_type()
                     for dtype in (self.dtype, node.inputs[0].type.dtype))
        step = self._here._step(inner, name, f"z_{name}")
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
        kernels = "\n".join(f"""
__global__ void {kernel}(clinch_gpu_sums it, const char *from, {acc} *to, {acc} empty) {{
  clinch_gpu_reduce<Of, {kind}>(it, from, to, empty);
}}""" for kernel, kind in (("items", item), ("parts", acc)))
        cast = self._here._cast(node, "x")
        return f"""
namespace clinch_{name} {{
{device_functions(self.scalar_op, inner, name)}
struct Of {{
  using Acc = {acc};{functions}
  static __device__ Acc cast({item} x) {{ return {cast}; }}
  {"" if acc == item else f"static __device__ Acc cast({acc} x) {{ return x; }}"}
  static __device__ Acc finish(Acc a, Py_ssize_t count) {{ return {divided}; }}
}};
{kernels}
}}
"""

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        (x,), (z,), fail = inputs, outputs, sub["fail"]
        acc = scalars[self.dtype].c_element_type()
        mask = sum(1 << axis for axis in self.axes)
        parts = node.outputs[0].type.clone(ndim=2).c_init("parts", sub)
        empty = scalars[self.dtype].c_literal(
            scalars[self.dtype].filter(self._identity or 0, allow_downcast=True))
        return f"""{{
  clinch_gpu_sums it;
  Py_ssize_t shape[8];
  it.find({x}, {mask}u, {str(self.keepdims).lower()}, shape);
  if ({self._refused()}clinch_gpu_prepare(&{z}, shape)) {{
    {fail}
  }}
  if (it.size && it.chunks == 1)
    clinch_{name}::items<<<it.blocks(), 256>>>(it, (const char *){x}.data,
                                               ({acc} *){z}.data, {empty});
  else if (it.size) {{
    clinch_gpu_array parts;
    {parts}
    const Py_ssize_t lengths[] = {{it.size, it.chunks}};
    if (clinch_gpu_prepare(&parts, lengths)) {{
      {fail}
    }}
    const clinch_gpu_sums rest = it.rest(sizeof({acc}));
    clinch_{name}::items<<<it.blocks(), 256>>>(it, (const char *){x}.data,
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
        return (1,)


GpuArrayType.reducer = GpuReduce
