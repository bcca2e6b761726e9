"""Arrays in the memory of a device, by way of NVIDIA's driver.

What others have there is known by `__cuda_array_interface__` (CuPy, PyTorch, Numba) or
by `__dlpack__`; what is made here has the first, which they all take.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools

import numpy

from ..base.annotations import Any, Iterator, Sequence

_DEVICE_ORDINAL = 9
_CUDA = 2  # DLPack's number for it.
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # DLPack's, and NumPy's.


class DeviceError(RuntimeError):
    """An error of the driver, or that there is none; `number` is the driver's."""

    def __init__(self, said: str, number: int = 0) -> None:
        super().__init__(said)
        self.number = number


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor, which a managed one begins with."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class Layout:
    """Where an array stands and how. Strides are in bytes."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: Any,
                 strides: tuple[int, ...] | None = None,
                 stream: int | None = None) -> None:
        self.address, self.shape, self.dtype, self.stream = address, shape, dtype, stream
        self.strides = strides or _contiguous(shape, dtype.itemsize)

    @property
    def is_contiguous(self) -> bool:
        return self.strides == _contiguous(self.shape, self.dtype.itemsize)

    @property
    def extent(self) -> tuple[int, int]:
        """The first byte, and the one after the last."""
        if 0 in self.shape:
            return self.address, self.address
        steps = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        return (self.address + sum(min(step, 0) for step in steps),
                self.address + sum(max(step, 0) for step in steps) + self.dtype.itemsize)


def _contiguous(shape: Sequence[int], item: int) -> tuple[int, ...]:
    strides = []
    for length in reversed(shape):
        strides.append(item)
        item *= length
    return tuple(reversed(strides))


@functools.cache
def _library() -> Any:
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise DeviceError(f"there is no driver of NVIDIA's: {error}") from None
    if number := library.cuInit(0):
        raise DeviceError(f"the driver cannot be used: {_name_of(library, number)}", number)
    return library


def _name_of(library: Any, number: int) -> str:
    name = ctypes.c_char_p()
    library.cuGetErrorName(number, ctypes.byref(name))
    return (name.value or b"an error").decode() + f" ({number})"


def _call(name: str, *arguments: Any) -> None:
    library = _library()
    if number := getattr(library, name)(*arguments):
        raise DeviceError(f"{name}: {_name_of(library, number)}", number)


@functools.cache
def _primary(device: int) -> Any:
    number, context = ctypes.c_int(), ctypes.c_void_p()
    _call("cuDeviceGet", ctypes.byref(number), device)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
    return context


@contextlib.contextmanager
def _entered(device: int) -> Iterator[None]:
    """Makes a context of the device current, unless the current one is of that device.
    Puts the caller's context back, if there was one."""
    current, number = ctypes.c_void_p(), ctypes.c_int(-1)
    _call("cuCtxGetCurrent", ctypes.byref(current))
    if current.value:
        _call("cuCtxGetDevice", ctypes.byref(number))
    if number.value == device:
        yield
        return
    _call("cuCtxSetCurrent", _primary(device))
    try:
        yield
    finally:
        if current.value:
            _call("cuCtxSetCurrent", current)


def device_of(address: int) -> int | None:
    """Returns the number of the device with that memory; None: it is on no device."""
    number = ctypes.c_int()
    _library()
    try:
        _call("cuPointerGetAttribute", ctypes.byref(number), _DEVICE_ORDINAL,
              ctypes.c_uint64(address))
    except DeviceError:
        return None
    return number.value


def layout_of(value: Any, simulated: bool = False) -> Layout | None:
    """Returns where an array stands; None if it is not one of the device's, or, if
    it is simulated, of NumPy's."""
    if simulated:
        said = value.__array_interface__ if isinstance(value, numpy.ndarray) else None
    else:
        said = getattr(value, "__cuda_array_interface__", None)
    if said is None:
        return None
    shape, dtype = tuple(said["shape"]), numpy.dtype(said["typestr"])
    strides = said.get("strides")
    return Layout(said["data"][0], shape, dtype, strides and tuple(strides),
                  said.get("stream"))


class DeviceArray:
    """An array in a device's memory. CuPy, PyTorch and Numba take it as theirs, and
    `get()` returns it as NumPy's."""

    def __init__(self, layout: Layout, device: int, owner: Any = None) -> None:
        self._layout, self.device, self._owner = layout, device, owner

    shape = property(lambda self: self._layout.shape)
    dtype = property(lambda self: self._layout.dtype)
    ndim = property(lambda self: len(self._layout.shape))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        layout = self._layout
        return {"shape": layout.shape, "typestr": layout.dtype.str, "version": 3,
                "data": (layout.address, False), "strides": layout.strides,
                "stream": layout.stream}

    def get(self) -> Any:
        """Returns it as an array of NumPy's."""
        return on_host(self)

    def copy(self) -> DeviceArray:
        """Returns an array with the same items, and memory of its own."""
        copy: DeviceArray = copied(self)
        return copy

    def __del__(self) -> None:
        if self._owner is None and self._layout.address:
            try:
                with _entered(self.device):
                    _call("cuMemFree_v2", ctypes.c_uint64(self._layout.address))
            except (DeviceError, TypeError):
                pass  # The context has died, or the interpreter ends.

    def __repr__(self) -> str:
        return f"<array of {self.dtype} with shape {self.shape} on device {self.device}>"


def empty(shape: Sequence[int], dtype: Any, simulated: bool, device: int) -> Any:
    """Returns an array of that shape on the device, or of NumPy's if it is simulated."""
    shape, dtype = tuple(shape), numpy.dtype(dtype)
    if simulated:
        return numpy.empty(shape, dtype)
    size, address = int(numpy.prod(shape, dtype="i8")) * dtype.itemsize, ctypes.c_uint64()
    with _entered(device):
        if size:
            _call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
    # Kernels fill it in order with the default stream, which is number 1.
    return DeviceArray(Layout(address.value, shape, dtype, stream=1), device)


def _known(value: Any) -> Layout:
    found = layout_of(value)
    if found is None:
        raise TypeError(f"expected an array on a device, not {type(value).__name__}")
    return found


def on_host(value: Any) -> Any:
    """Returns an array of the device's as NumPy's, once its stream has made it."""
    layout = _known(value)
    if not numpy.prod(layout.shape):
        return numpy.empty(layout.shape, layout.dtype)
    low, high = layout.extent
    held = numpy.empty(high - low, "u1")
    with _entered(device_of(layout.address) or 0):
        if layout.stream:
            _call("cuStreamSynchronize", ctypes.c_void_p(layout.stream))
        _call("cuMemcpyDtoH_v2", ctypes.c_void_p(held.ctypes.data), ctypes.c_uint64(low),
              ctypes.c_size_t(held.nbytes))
    return numpy.ndarray(layout.shape, layout.dtype, held, layout.address - low,
                         layout.strides).copy("K")


def from_host(array: Any, device: int, storage: Any = None) -> Any:
    """Returns the items of an array of NumPy's on the device: in `storage`, if that
    has the shape, the dtype and the order."""
    layout = layout_of(storage) if isinstance(storage, DeviceArray) else None
    if (layout is None or storage.device != device or layout.shape != array.shape
            or layout.dtype != array.dtype or not layout.is_contiguous):
        storage = empty(array.shape, array.dtype, False, device)
    array = numpy.ascontiguousarray(array)
    with _entered(device):
        if array.nbytes:
            _call("cuMemcpyHtoD_v2", ctypes.c_uint64(storage._layout.address),
                  ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
    return storage


def copied(value: Any, simulated: bool = False) -> Any:
    """Returns a copy with memory of its own, on the same device, in C's order."""
    if simulated:
        return value.copy("C")
    layout = _known(value)
    device = device_of(layout.address) or 0
    if not layout.is_contiguous:
        return from_host(on_host(value), device)
    made, (low, high) = empty(layout.shape, layout.dtype, False, device), layout.extent
    with _entered(device):
        if layout.stream:
            _call("cuStreamSynchronize", ctypes.c_void_p(layout.stream))
        if high > low:
            _call("cuMemcpyDtoD_v2", ctypes.c_uint64(made._layout.address),
                  ctypes.c_uint64(low), ctypes.c_size_t(high - low))
    return made


def from_dlpack(value: Any) -> Any:
    """Returns an array that has only `__dlpack__` as one with the other protocol; None
    if it is not on a device."""
    if value.__dlpack_device__()[0] != _CUDA:
        return None
    capsule = value.__dlpack__(stream=1)  # In order with the default stream.
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object,
                                                          ctypes.c_char_p]
    tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    if tensor.kind not in _KINDS or tensor.lanes != 1:
        raise TypeError(f"NumPy has no dtype for DLPack's kind {tensor.kind} of "
                        f"{tensor.bits} bits")
    dtype = numpy.dtype(f"{_KINDS[tensor.kind]}{tensor.bits // 8}")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] * dtype.itemsize for i in range(tensor.ndim)) \
        if tensor.strides else None
    return DeviceArray(Layout((tensor.data or 0) + tensor.offset, shape, dtype, strides, 1),
                       tensor.device, capsule)
