"""GpuArrayType with arrays of a device's, by way of the driver for tests."""

import ctypes

import numpy
import pytest

import clinch
import double
import driver
from clinch import deep_copy_op, function, shape, shape_i, view_op
from clinch.device import memory as device_memory
from clinch.cuda import DeviceArray, DeviceError, GpuArrayType, GpuElemwise, GpuReduce
from clinch.base.c_source import c_source

VECTOR = GpuArrayType("float32", 1)
GIVEN = numpy.arange(4, dtype="f")


@pytest.fixture(scope="module", autouse=True)
def fake():
    return double.Double()


@pytest.fixture(scope="module")
def devices(fake):
    made = [driver.Driver(number) for number in (1, 0)]
    return made[::-1]


class Theirs:
    """An array of another package, with one protocol or the other."""

    def __init__(self, device, array, protocol, **said):
        device("cuCtxSetCurrent", device.context)
        self.address, self._array = device.to_device(array), array
        self._here = numpy.ctypeslib.as_array(ctypes.cast(
            self.address, ctypes.POINTER(ctypes.c_uint8)), (array.nbytes,)).view(
                array.dtype).reshape(array.shape)
        if protocol == "cuda":
            self.__cuda_array_interface__ = {
                "shape": array.shape, "typestr": array.dtype.str, "version": 3,
                "data": (self.address, False), "strides": None, "stream": None, **said}
        else:
            self.__dlpack_device__ = lambda: (2, device.device)
            # NumPy's capsule says that this is a processor's; nobody looks.
            self.__dlpack__ = lambda stream: self._here.__dlpack__()


@pytest.mark.parametrize("protocol", ["cuda", "dlpack"])
def test_arrays_of_others(devices, protocol):
    x = VECTOR("x")
    f = function([x], [deep_copy_op(x), view_op(x), shape(x), shape_i(x, 0),
                       x.transfer("cpu")])
    given = Theirs(devices[0], GIVEN, protocol)
    copied, viewed, lengths, length, here = f(given)
    assert isinstance(copied, DeviceArray) and copied.get().tolist() == GIVEN.tolist()
    assert copied.__cuda_array_interface__["data"][0] != given.address
    assert VECTOR.on_host(viewed).tolist() == here.tolist() == GIVEN.tolist()
    assert (lengths.tolist(), length) == ([4], 4)


def test_strides(devices):
    given = Theirs(devices[0], numpy.arange(8, dtype="f"), "cuda", shape=(4,),
                   strides=(-8,))
    given.__cuda_array_interface__["data"] = (given.address + 24, False)
    x = VECTOR("x")
    copied, here = function([x], [deep_copy_op(x), x.transfer("cpu")])(given)
    assert copied.get().tolist() == here.tolist() == [6, 4, 2, 0]
    assert copied.__cuda_array_interface__["strides"] == (4,)


def test_what_a_stream_still_has_to_do_is_waited_for(fake, devices):
    module = devices[0].load(fake.compile(
        "__global__ void k(float *x) { x[threadIdx.x] += 1; }").ptx)
    stream = ctypes.c_void_p()
    devices[0]("cuStreamCreate", ctypes.byref(stream), 1)
    given = Theirs(devices[0], GIVEN, "cuda", stream=stream.value)
    x = VECTOR("x")
    for f in (function([x], x.transfer("cpu")), function([x], deep_copy_op(x))):
        module.launch("_Z1kPf", 1, 4, [given.address], stream=stream)
        found = f(given)
    assert found.get().tolist() == (GIVEN + 2).tolist()


def test_arrays_elsewhere_are_errors(devices):
    x = clinch.In(VECTOR("x"), strict=True)
    f = function([x], view_op(x.variable))
    other = Theirs(devices[1], GIVEN, "cuda")
    devices[0]("cuCtxSetCurrent", devices[0].context)
    for value, said in (
            (other, "expected GpuArrayType(float32, 1d, on device 0), and found an array "
                    "on device 1"),
            (GIVEN, "not a ndarray, which is on the host"),
            (Theirs(devices[0], GIVEN, "cuda", data=(GIVEN.ctypes.data, False)),
             "and found an array on the host"),
            (Theirs(devices[0], GIVEN, "cuda", typestr="<f8"), "not an array of float64")):
        with pytest.raises(TypeError) as caught:
            f(value)
        assert said in str(caught.value)
    assert GpuArrayType("float32", 1, device=1).is_valid_value(other)


def test_arrays_of_numpys_are_brought_there(fake, devices):
    """By filter_inplace: into the memory of the last call, once nobody has that."""
    x = VECTOR("x")
    f = function([x], x.transfer("cpu"))
    f(GIVEN)
    fake.record()
    assert f(GIVEN + 1).tolist() == (GIVEN + 1).tolist()
    assert fake.record() == ["copy 16", "copy 16"]
    assert f(GIVEN[:2]).tolist() == [0, 1]
    assert fake.record()[0] == "allocate 8"


def test_shared_variables(fake, devices):
    given = Theirs(devices[0], GIVEN, "cuda")
    w = clinch.shared(given, type=VECTOR)
    devices[0]("cuMemsetD32_v2", ctypes.c_uint64(given.address), 0, ctypes.c_size_t(4))
    got = w.get_value()
    assert isinstance(got, DeviceArray) and got.get().tolist() == GIVEN.tolist()
    assert not VECTOR.may_share_memory(got, w.get_value(borrow=True))
    f = function([], w.transfer("cpu"), updates={w: deep_copy_op(w)})
    for _ in range(2):
        assert f().tolist() == GIVEN.tolist()


def test_transfers(fake, devices):
    v = clinch.TensorType("float32", (None,))("v")
    there = v.transfer("cuda:1")
    f = function([v], [there, there.transfer("cpu")])
    kept, here = f(GIVEN)
    assert kept.device == 1 and kept.get().tolist() == here.tolist() == GIVEN.tolist()
    f(GIVEN + 1)
    assert kept.get().tolist() == GIVEN.tolist(), "what the caller has is not written"
    fake.record()
    del kept
    assert fake.record() == ["free 16"]


def test_a_failing_driver_is_told_of(devices):
    v = clinch.vector("v")
    f = function([v], v.transfer("cuda"))
    with pytest.raises(DeviceError, match=r"cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY \(2\)"):
        f(numpy.zeros(1 << 27 | 1))
    with pytest.raises(DeviceError, match="cuDeviceGet: CUDA_ERROR_INVALID_DEVICE"):
        function([v], v.transfer("cuda:7"))(numpy.zeros(3))


def test_an_empty_array(devices):
    x = VECTOR("x")
    copied, here = function([x], [deep_copy_op(x), x.transfer("cpu")])(GIVEN[:0])
    assert copied.get().tolist() == here.tolist() == []


#: What a graph's text has before the kernels of GpuElemwise, as far as they need it.
BEFORE = """
typedef long Py_ssize_t;
typedef float npy_float32;
struct PyObject *PyExc_ValueError;
struct clinch_gpu_array {
  void *stream;
  int ndim;
  const char *typestr;
  Py_ssize_t shape[8], strides[8];
};
int PyErr_Format(PyObject *, const char *, ...);
int atoi(const char *);
Py_ssize_t clinch_gpu_size(const clinch_gpu_array *);
int clinch_gpu_is_contiguous(const clinch_gpu_array *);
"""


def recorded(monkeypatch, op):
    """Returns the kernels that an Op will have."""
    kernels, made = [], op.c_support_code_apply

    def record(self, node, name):
        kernels.append(made(self, node, name))
        return kernels[-1]
    monkeypatch.setattr(op, "c_support_code_apply", record)
    return kernels


def test_scalar_ops_of_items(fake, devices, monkeypatch):
    """The kernels that stand for the PTX are the same, simulated."""
    devices[0]("cuCtxSetCurrent", devices[0].context)
    kernels = recorded(monkeypatch, GpuElemwise)
    x, y = VECTOR("x"), GpuArrayType("float32", 2)("y")
    f = function([x, y], clinch.exp(x) - 2 * y,
                 mode=clinch.Mode(device="sm_90"))
    fake.stand_in("\n".join([BEFORE, c_source("gpu_elemwise.h"), *dict.fromkeys(kernels)]))
    rows = GIVEN.reshape(2, 2).repeat(2, 1)
    stream = ctypes.c_void_p()
    devices[0]("cuStreamCreate", ctypes.byref(stream), 1)
    given = Theirs(devices[0], GIVEN, "cuda", stream=stream.value), Theirs(
        devices[0], rows, "dlpack")
    fake.record()
    here = GpuArrayType("float32", 1, simulate=True), GpuArrayType("float32", 2, simulate=True)
    v, w = (kind() for kind in here)
    wanted = function([v, w], clinch.exp(v) - 2 * w, mode=clinch.Mode(simulate=True))(
        GIVEN, rows)
    for _ in range(2):
        assert f(*given).get().tobytes() == wanted.tobytes()
    done = [line.split(" grid")[1] for line in fake.record() if line.startswith("launch")]
    assert done == [" 1 1 1 block 256 1 1 shared 0"] * 4


def test_reductions(fake, devices, monkeypatch):
    """One kernel, or two with memory between them, which is freed."""
    devices[0]("cuCtxSetCurrent", devices[0].context)
    kernels, x = recorded(monkeypatch, GpuReduce), VECTOR("x")
    f = function([x], x.sum(), mode=clinch.Mode(device="sm_90"))
    fake.stand_in("\n".join([BEFORE, c_source("gpu_elemwise.h"), c_source("gpu_reduce.h"),
                             *dict.fromkeys(kernels)]))
    for count, parts, grids in ((5, 0, [1]), (40000, 1, [3, 1])):
        given = Theirs(devices[0], numpy.ones(count, "f"), "cuda")
        f(given)
        fake.record()
        assert f(given).get().tolist() == count
        done = fake.record()
        assert [line.split(" grid ")[1] for line in done if line.startswith("launch")] == [
            f"{grid} 1 1 block 256 1 1 shared 0" for grid in grids]
        assert done.count("allocate 12") == done.count("free 12") == parts


def test_the_callers_context_stays_current(devices):
    """As a program with several devices needs it."""
    devices[0]("cuCtxSetCurrent", devices[0].context)

    def current():
        found = ctypes.c_void_p()
        devices[0]("cuCtxGetCurrent", ctypes.byref(found))
        return found.value

    there = GpuArrayType("float32", 1, device=1)
    for use in (lambda: there.filter_inplace(GIVEN, None), lambda: there.filter_inplace(GIVEN, None).get(),
                lambda: there.filter_inplace(GIVEN, None).copy()):
        made = use()
        assert current() == devices[0].context.value
        del made
        assert current() == devices[0].context.value
    with pytest.raises(DeviceError):
        device_memory.empty((1 << 60,), "f", False, 1)
    assert current() == devices[0].context.value
