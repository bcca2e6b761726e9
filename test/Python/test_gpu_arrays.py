"""GpuArrayType with arrays of NumPy's in place of a device's; test/Gpu has a driver."""

import pickle
import subprocess
import sys

import numpy
import pytest

import clinch
import clinch.cuda
from clinch import (Apply, COp, TensorType, deep_copy_op, function, shape, shape_i,
                    view_op)
from clinch.cuda import GpuArrayType
from thunks import Raw

MATRIX = GpuArrayType("float32", 2, simulate=True)
GIVEN = numpy.arange(6, dtype="f").reshape(2, 3)


class Doubled(COp):
    """Twice each item, by way of the strides."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        if (clinch_gpu_prepare(&{outputs[0]}, {inputs[0]}.shape)) {{ {sub['fail']} }}
        for (Py_ssize_t i = 0; i < {inputs[0]}.shape[0]; ++i)
          for (Py_ssize_t j = 0; j < {inputs[0]}.shape[1]; ++j)
            ((float *){outputs[0]}.data)[i * {inputs[0]}.shape[1] + j] = 2 * *(float *)(
                (char *){inputs[0]}.data + i * {inputs[0]}.strides[0]
                + j * {inputs[0]}.strides[1]);
        """

    def c_code_cache_version(self):
        return (1,)


@pytest.mark.parametrize("mode", [None, "DebugMode"])
@pytest.mark.parametrize("given", [GIVEN, GIVEN.T, GIVEN[::-1, ::2], GIVEN[:0]],
                         ids=["plain", "transposed", "strided", "empty"])
def test_copy_view_and_shape(given, mode):
    x = MATRIX("x")
    f = function([x], [deep_copy_op(x), view_op(x), shape(x), shape_i(x, 1)], mode=mode)
    copied, viewed, lengths, length = f(given)
    assert copied.tolist() == viewed.tolist() == given.tolist()
    assert not numpy.shares_memory(copied, given)
    assert lengths.tolist() == list(given.shape) and length == given.shape[1]


@pytest.mark.parametrize("mode", [None, "DebugMode"])
def test_an_op_of_an_author(mode):
    x = MATRIX("x")
    f = function([x], Doubled()(Doubled()(x)), mode=mode)
    for given in (GIVEN, GIVEN.T, GIVEN, GIVEN[:0]):
        assert f(given).tolist() == (4 * given).tolist()


def test_memory_is_used_again_while_the_shape_stays():
    x = MATRIX("x")
    f = function([x], Doubled()(x))
    first = f(GIVEN)
    kept = first.tolist()
    second = f(GIVEN + 1)
    assert first.tolist() == kept and second.tolist() == (2 * GIVEN + 2).tolist()


def test_transfers():
    v = TensorType("float32", (None, None))("v")
    there = v.transfer("simulated cuda")
    assert there.type == MATRIX and there.transfer("simulated cuda") is there
    back = Doubled()(there).transfer("cpu")
    assert back.type == v.type and v.transfer("cpu") is v
    assert function([v], back)(GIVEN.T).tolist() == (2 * GIVEN.T).tolist()
    assert v.transfer("cuda:1").type == GpuArrayType("float32", 2, device=1)
    with pytest.raises(ValueError, match="cannot transfer v to 'cuda:x'"):
        v.transfer("cuda:x")
    with pytest.raises(TypeError, match="expected a TensorType"):
        clinch.double("d").transfer("cuda")


def test_what_a_transfer_gives_is_nobody_elses():
    v, x = TensorType("float32", (None,))("v"), GpuArrayType("float32", 1, simulate=True)("x")
    given = numpy.ones(3, "f")
    for f in (function([v], v.transfer("simulated cuda")),
              function([x], x.transfer("cpu"))):
        assert not numpy.shares_memory(f(given), given)


@pytest.mark.parametrize("value, said", [
    (GIVEN.astype("d"), "expected GpuArrayType(float32, 2d, simulated), not an array of "
                        "float64 with shape (2, 3)"),
    (GIVEN[0], "not an array of float32 with shape (3,)"),
    ([1.0], "expected GpuArrayType(float32, 2d, simulated), not a list"),
    (None, "not a NoneType")])
def test_values_of_another_type(value, said):
    x = MATRIX("x")
    with pytest.raises(TypeError) as caught:
        function([x], view_op(x))(value)
    assert said in str(caught.value)
    assert not MATRIX.is_valid_value(value)


@pytest.mark.parametrize("value, said", [
    (GIVEN.astype("d"), "expected an array of <f4 with 2 dimensions, not of <f8 with 2"),
    (GIVEN[0], "expected an array of <f4 with 2 dimensions, not of <f4 with 1"),
    ([1.0], "'list' object has no attribute '__array_interface__'")])
def test_its_c_looks_at_arrays_too(value, said):
    x = MATRIX("x")
    with pytest.raises((TypeError, AttributeError), match=said):
        Raw([x], [Doubled()(x)])(value)


def test_types_are_equal_by_what_they_are():
    assert MATRIX == GpuArrayType(numpy.float32, 2, simulate=True)
    assert len({MATRIX, GpuArrayType("float32", 2, simulate=True)}) == 1
    assert MATRIX not in (GpuArrayType("float32", 2), MATRIX.clone(ndim=1),
                          MATRIX.clone(dtype="float64"))
    assert pickle.loads(pickle.dumps(MATRIX)) == MATRIX
    assert str(GpuArrayType("int8", 0, device=1)) == "GpuArrayType(int8, 0d, on device 1)"
    assert MATRIX.may_share_memory(GIVEN, GIVEN[1:])
    assert not MATRIX.may_share_memory(GIVEN[:1], GIVEN[1:])
    assert MATRIX.values_eq(GIVEN, GIVEN.copy()) and not MATRIX.values_eq(GIVEN, -GIVEN)
    assert MATRIX.values_eq_approx(GIVEN, GIVEN * numpy.float32(1 + 1e-6))
    with pytest.raises(ValueError, match="0 to 8 dimensions, not 9"):
        GpuArrayType("int8", 9)


def test_shared_variables():
    w = clinch.shared(GIVEN, type=MATRIX)
    f = function([], Doubled()(w).transfer("cpu"), updates={w: Doubled()(w)})
    assert f().tolist() == (2 * GIVEN).tolist()
    assert f().tolist() == (4 * GIVEN).tolist()
    w.set_value(GIVEN)
    assert f().tolist() == (2 * GIVEN).tolist() and GIVEN[1, 2] == 5


def test_without_a_driver():
    script = """
import numpy, clinch.cuda
from clinch.cuda import DeviceError, GpuArrayType
class There:
    __cuda_array_interface__ = {"shape": (1,), "typestr": "<f4", "data": (4096, False)}
for value in (numpy.zeros(1, "f"), There()):
    try:
        GpuArrayType("float32", 1).filter(value)
    except (TypeError, DeviceError) as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True,
                          check=True)
    host, there = done.stdout.splitlines()
    assert host == ("expected GpuArrayType(float32, 1d, on device 0), not a ndarray, "
                    "which is on the host")
    assert there.startswith("there is no driver of NVIDIA's: libcuda.so.1") or \
        there.endswith("found an array on the host")


def test_masked_arrays_are_no_simulated_ones():
    x = GpuArrayType("float32", 1, simulate=True)("x")
    f = function([x], x.transfer("cpu"))
    with pytest.raises(TypeError, match="not a masked array: its mask would be lost"):
        f(numpy.ma.array([1, 2], "f", mask=[0, 1]))
