"""Arrays on a GPU, as a Type; and the Ops that bring them there and back."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Callable, ClassVar, Mapping, Sequence, Version
from ..types.array_type import TensorType, refuse_mask
from ..device.memory import device_of, from_dlpack, from_host, layout_of, on_host
from ..ops.generic_ops import (register_deep_copy_op_c_code, register_shape_c_code,
                          register_shape_i_c_code, register_view_op_c_code)
from ..graph.variables import Apply, Variable, register_transfer
from ..ops.op import Op
from ..ops.scalar_ops import as_variable
from ..types.scalars import scalars
from ..base.c_source import c_source
from ..types.type import Type, what

_MOST_DIMENSIONS = 8  # Of clinch_gpu_array.


class GpuArrayType(Type):
    """Arrays of one dtype and number of dimensions on a device: anything with
    `__cuda_array_interface__` or `__dlpack__`. With simulate=True arrays of NumPy's
    stand for them, and no device is needed.

    In C a variable is a `clinch_gpu_array`, with `data`, `shape`, `strides` (in
    bytes), `stream` and `ndim`; `clinch_gpu_prepare(&it, shape)` gives it memory.
    """

    #: Makes the Op that computes a scalar Op of each item; `gpu_elemwise` sets it.
    loop: ClassVar[Callable[[Any], Any]]
    #: Makes the Op that reduces with a scalar Op; `gpu_reduce` sets it.
    reducer: ClassVar[Callable[..., Any]]
    #: What a Variable has of NumPy's methods.
    methods = ("sum", "prod", "mean", "max", "min", "any", "all")

    def __init__(self, dtype: str, ndim: int, name: str | None = None, *,
                 device: int = 0, simulate: bool = False) -> None:
        self.dtype = numpy.dtype(dtype).name
        if not 0 <= ndim <= _MOST_DIMENSIONS:
            raise ValueError(f"a GpuArrayType has 0 to {_MOST_DIMENSIONS} dimensions, "
                             f"not {ndim}")
        self.ndim, self.name = int(ndim), name
        self.device, self.simulate = int(device), bool(simulate)

    @property
    def numpy_dtype(self) -> Any:
        return numpy.dtype(self.dtype)

    def filter(self, value: Any, strict: bool = False,
               allow_downcast: bool | None = None) -> Any:
        refuse_mask(value, self)
        layout = layout_of(value, self.simulate)
        if layout is None and not self.simulate and hasattr(value, "__dlpack_device__"):
            value = from_dlpack(value) or value
            layout = layout_of(value)
        if layout is None:
            raise TypeError(f"expected {self}, not {what(value)}" + (
                "" if self.simulate else ", which is on the host"
                if hasattr(value, "__array_interface__") else ""))
        if layout.dtype != self.numpy_dtype or len(layout.shape) != self.ndim:
            raise TypeError(f"expected {self}, not an array of {layout.dtype} with shape "
                            f"{layout.shape}")
        if not self.simulate and layout.address:
            self._check_place(layout.address)
        return value

    def _check_place(self, address: int) -> None:
        found = device_of(address)
        if found != self.device:
            where = "the host" if found is None else f"device {found}"
            raise TypeError(f"expected {self}, and found an array on {where}")

    def filter_inplace(self, value: Any, storage: Any, strict: bool = False,
                       allow_downcast: bool | None = None) -> Any:
        """Brings an array of NumPy's to the device, into the memory of `storage` if
        that fits; else filters, as where `strict`."""
        if strict or self.simulate or not isinstance(value, numpy.ndarray):
            return self.filter(value, strict, allow_downcast)
        host = TensorType(self.dtype, (None,) * self.ndim)
        return from_host(host.filter(value, allow_downcast=allow_downcast),
                                       self.device, storage)

    def on_host(self, value: Any) -> Any:
        """Returns a value as an array of NumPy's."""
        return value if self.simulate else on_host(value)

    def to_host(self, variable: Variable) -> Variable:
        """What `variable.transfer("cpu")` is."""
        return host_from_gpu(variable)

    def values_eq(self, a: Any, b: Any) -> bool:
        return self._host_type().values_eq(self.on_host(a), self.on_host(b))

    def values_eq_approx(self, a: Any, b: Any) -> bool:
        return self._host_type().values_eq_approx(self.on_host(a), self.on_host(b))

    def _host_type(self) -> TensorType:
        return TensorType(self.dtype, (None,) * self.ndim)

    def may_share_memory(self, a: Any, b: Any) -> bool:
        first, second = (layout_of(one, self.simulate) for one in (a, b))
        if first is None or second is None:
            return False
        (low, high), (begin, end) = first.extent, second.extent
        return low < end and begin < high

    @classmethod
    def applying(cls, scalar_op: Any) -> Any:
        """A scalar Op computes each item."""
        return cls.loop(scalar_op)

    def get_shape_info(self, obj: Any) -> Any:
        return tuple(obj.shape)

    def get_size(self, shape_info: Any) -> int:
        return int(numpy.prod(shape_info, dtype="i8")) * self.numpy_dtype.itemsize

    def clone(self, dtype: str | None = None,  # type: ignore[override]
              ndim: int | None = None) -> GpuArrayType:
        return GpuArrayType(dtype or self.dtype, self.ndim if ndim is None else ndim,
                            device=self.device, simulate=self.simulate)

    def _identity(self) -> Any:
        return self.dtype, self.ndim, self.device, self.simulate

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other._identity() == self._identity()

    def __hash__(self) -> int:
        return hash((GpuArrayType, self._identity()))

    def __str__(self) -> str:
        where = "simulated" if self.simulate else f"on device {self.device}"
        return f"GpuArrayType({self.dtype}, {self.ndim}d, {where})"

    def c_support_code(self, **kwargs: Any) -> str:
        return c_source("gpu_array.h")

    def c_element_type(self) -> str:
        return scalars[self.dtype].c_element_type()

    def c_declare(self, name: str, sub: Mapping[str, str],
                  check_input: bool = True) -> str:
        return f"clinch_gpu_array {name};"

    def c_init(self, name: str, sub: Mapping[str, str]) -> str:
        return (f"memset(&{name}, 0, sizeof {name});\n{name}.ndim = {self.ndim};\n"
                f"{name}.simulated = {int(self.simulate)};\n"
                f"{name}.device = {self.device};\n"
                f'{name}.typestr = "{self.numpy_dtype.str}";')

    def c_extract(self, name: str, sub: Mapping[str, str],
                  check_input: bool = True) -> str:
        return (f"{self.c_init(name, sub)}\n"
                f"if (clinch_gpu_extract(&{name}, py_{name})) {{\n  {sub['fail']}\n}}")

    def c_sync(self, name: str, sub: Mapping[str, str]) -> str:
        return (f"if ({name}.object) {{\n  Py_INCREF({name}.object);\n"
                f"  Py_XDECREF(py_{name});\n  py_{name} = {name}.object;\n}}")

    def c_cleanup(self, name: str, sub: Mapping[str, str]) -> str:
        return f"clinch_gpu_release(&{name});"

    def c_code_cache_version(self) -> Version:
        return (1,)


register_deep_copy_op_c_code(GpuArrayType, """
if (clinch_gpu_copy(&%(oname)s, &%(iname)s)) { %(fail)s }
""", (1,))
register_view_op_c_code(GpuArrayType, """
if (clinch_gpu_extract(&%(oname)s, %(iname)s.object)) { %(fail)s }
""", (1,))
register_shape_c_code(GpuArrayType, """
npy_intp dims_%(oname)s = %(iname)s.ndim;
Py_XDECREF(%(oname)s);
%(oname)s = (PyArrayObject *)PyArray_SimpleNew(1, &dims_%(oname)s, NPY_INT64);
if (!%(oname)s) { %(fail)s }
for (int i = 0; i < %(iname)s.ndim; ++i)
  ((npy_int64 *)PyArray_DATA(%(oname)s))[i] = %(iname)s.shape[i];
""", (1,))
register_shape_i_c_code(GpuArrayType, """
if (!%(oname)s)
  %(oname)s = (PyArrayObject *)PyArray_ZEROS(0, NULL, NPY_INT64, 0);
if (!%(oname)s) { %(fail)s }
*(npy_int64 *)PyArray_DATA(%(oname)s) = %(iname)s.shape[%(i)s];
""", """
if (%(i)s >= %(iname)s.ndim) {
  PyErr_SetString(PyExc_IndexError, "the array has too few dimensions");
  %(fail)s
}
""", (1,))


class GpuFromHost(Op):
    """An array of NumPy's on the device."""

    __props__ = ("device", "simulate")

    def __init__(self, device: int = 0, simulate: bool = False) -> None:
        self.device, self.simulate = device, simulate

    def make_node(self, x: Any) -> Apply:
        x = as_variable(x)
        if not isinstance(x.type, TensorType):
            raise TypeError(f"{x!r} is of type {x.type}: expected a TensorType")
        return Apply(self, [x], [GpuArrayType(
            x.type.dtype, x.type.ndim, device=self.device, simulate=self.simulate)()])

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = (
            numpy.array(inputs[0], order="C") if self.simulate else
            from_host(inputs[0], self.device, output_storage[0][0]))


class HostFromGpu(Op):
    """An array of a device's as NumPy's."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type._host_type()()])

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        found = node.inputs[0].type.on_host(inputs[0])
        output_storage[0][0] = found.copy() if found is inputs[0] else found


host_from_gpu = HostFromGpu()


@register_transfer
def _to_device(variable: Variable, target: str) -> Variable | None:
    """"cuda", "cuda:1", or "simulated cuda"."""
    place, _, number = target.partition(":")
    if place not in ("cuda", "simulated cuda") or not (number or "0").isdigit():
        return None
    if isinstance(variable.type, GpuArrayType):
        return variable
    moved: Variable = GpuFromHost(int(number or 0), place != "cuda")(variable)
    return moved
