"""TensorType in C: which arrays it takes, what it says of others, what it
reuses."""

import pickle
import sys

import numpy
import pytest

import clinch
from clinch import TensorType
from clinch.testing import TextOp
from thunks import Raw, passing, references

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
          "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


class Subclass(numpy.ndarray):
    pass


def misaligned(dtype="float64", length=3):
    itemsize = numpy.dtype(dtype).itemsize
    raw = numpy.zeros(length * itemsize + 1, "uint8")
    array = raw[1:].view(dtype)
    assert not array.flags.aligned
    return array


def through(*arguments, language="c", **options):
    x = TensorType(*arguments, **options)("x")
    return Raw([x], [passing(x)], language=language)


@pytest.fixture(scope="module", params=["c", "c++"])
def vector(request):
    return through("float64", (None,), language=request.param)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ndim", [0, 1, 3])
def test_takes_its_dtype_and_no_other(dtype, ndim):
    run = through(dtype, (None,) * ndim)
    array = numpy.ones((2,) * ndim, dtype)
    assert run(array)[0] is array
    other = "int32" if dtype == "int64" else "int64"
    with pytest.raises(TypeError) as error:
        run(numpy.ones((2,) * ndim, other))
    assert str(error.value) == f"expected an array of {dtype}, not of {other}"


@pytest.mark.parametrize("array", [
    numpy.zeros(0), numpy.zeros((4, 3))[:, 1], numpy.arange(5.0)[::-1],
    numpy.arange(9.0)[::3], numpy.zeros(3).view(Subclass),
    numpy.broadcast_to(1.0, (1000,)),
], ids=["empty", "column", "reversed", "stepped", "subclass", "broadcast"])
def test_takes_any_layout(vector, array):
    before = references(array)
    assert vector(array)[0] is array
    vector(None if array is None else numpy.zeros(1))
    assert references(array) == before


def test_takes_32_dimensions():
    array = numpy.ones((1,) * 31 + (2,))
    assert through("float64", (None,) * 32)(array)[0] is array


def test_takes_the_same_dtype_under_another_number():
    array = numpy.zeros(2, "longlong")
    assert array.dtype.num != numpy.dtype("int64").num
    assert through("int64", (None,))(array)[0] is array


@pytest.mark.parametrize("value, exception, message", [
    (None, TypeError, "expected a numpy.ndarray, not NoneType"),
    ([1.0], TypeError, "expected a numpy.ndarray, not list"),
    (numpy.float64(1), TypeError, "expected a numpy.ndarray, not numpy.float64"),
    (numpy.zeros(2, "float32"), TypeError,
     "expected an array of float64, not of float32"),
    (numpy.zeros(2, "float16"), TypeError,
     "expected an array of float64, not of float16"),
    (numpy.zeros(2, object), TypeError,
     "expected an array of float64, not of object"),
    (numpy.zeros(2, ">f8"), TypeError,
     "expected an array in the machine's byte order, not of >f8"),
    (numpy.zeros(()), TypeError, "expected an array of 1 dimension, not 0"),
    (numpy.zeros((2, 2)), TypeError, "expected an array of 1 dimension, not 2"),
    (misaligned(), ValueError,
     "expected an array whose items are aligned in memory"),
], ids=["None", "list", "scalar", "dtype", "half", "object", "byte order",
        "0-d", "2-d", "misaligned"])
def test_says_what_is_wrong(vector, value, exception, message):
    good = numpy.arange(2.0)
    before = references(good, value)
    vector(good)
    for _ in range(3):
        with pytest.raises(exception) as error:
            vector(value)
        assert str(error.value) == message
        # The output of the last call that worked is where it was.
        assert vector.cells[1][0] is good
        del error
    vector(numpy.zeros(1))
    assert references(good, value) == before


def test_static_lengths():
    run = through("int8", (None, 3, 1))
    run(numpy.zeros((7, 3, 1), "int8"))
    with pytest.raises(ValueError) as error:
        run(numpy.zeros((7, 2, 1), "int8"))
    assert str(error.value) == "expected a length of 3 in dimension 1, not 2"
    with pytest.raises(ValueError) as error:
        run(numpy.zeros((7, 3, 4), "int8"))
    assert str(error.value) == "expected a length of 1 in dimension 2, not 4"


def test_a_static_length_of_zero():
    run = through("int8", (0,))
    run(numpy.zeros(0, "int8"))
    with pytest.raises(ValueError) as error:
        run(numpy.zeros(1, "int8"))
    assert str(error.value) == "expected a length of 0 in dimension 0, not 1"


def test_contiguous_ones_only():
    run = through("float64", (None, None), contiguous=True)
    for good in (numpy.zeros((2, 3)), numpy.zeros((0, 3)), numpy.zeros((1, 1))):
        assert run(good)[0] is good
    for bad in (numpy.zeros((2, 3)).T, numpy.zeros((4, 3))[::2],
                numpy.zeros((2, 3))[::-1]):
        with pytest.raises(ValueError) as error:
            run(bad)
        assert str(error.value) == "expected a C-contiguous array"


def test_aligned_or_not():
    run = through("float64", (None,), aligned=False)
    bad = misaligned()
    assert run(bad)[0] is bad


def test_layouts_tell_types_apart():
    plain = TensorType("int8", (None,))
    others = [TensorType("int8", (None,), contiguous=True),
              TensorType("int8", (None,), aligned=False)]
    for other in others:
        assert other != plain and other == other.clone()
        assert pickle.loads(pickle.dumps(other)) == other
        assert hash(other) == hash(other.clone())
    assert [str(t) for t in (plain, *others)] == [
        "TensorType(int8, (None,))", "TensorType(int8, (None,), contiguous)",
        "TensorType(int8, (None,), unaligned)"]


def test_constants_are_arrays_too():
    c = clinch.constant(numpy.arange(3.0))
    assert Raw([], [passing(c)])()[0].tolist() == [0.0, 1.0, 2.0]


ONES = """
{u} = (npy_int64)(size_t){z};
if (!{z} || PyArray_DIMS({z})[0] != PyArray_DIMS({x})[0]) {
  Py_XDECREF({z});
  {z} = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS({x}), PyArray_TYPE({x}), 0);
  if (!{z}) {
    {fail}
  }
}
for (npy_intp i = 0; i < PyArray_DIMS({z})[0]; ++i)
  *(npy_float64 *)PyArray_GETPTR1({z}, i) = 1;"""


def ones(x):
    """An output of ones as long as x, made as the seeds make one; the address of what
    was there already goes to the second output."""
    return TextOp(ONES, [x.type, clinch.Scalar("int64")])(x)


@pytest.fixture(scope="module")
def fill():
    x = TensorType("float64", (None,))("x")
    return Raw([x], ones(x))


def test_an_output_is_used_again(fill):
    first, was = fill(numpy.zeros(3))
    second, was = fill(numpy.zeros(3))
    assert second is first and was == id(first)
    third, was = fill(numpy.zeros(4))
    assert third is not first and was == id(first)


def read_only():
    array = numpy.zeros(3)
    array.flags.writeable = False
    return array


def repeated():
    return numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (3,), (0,))


@pytest.mark.parametrize("garbage", [
    None, "text", numpy.zeros(3, "float32"), numpy.zeros(3, ">f8"),
    numpy.zeros((3, 3)), read_only(), misaligned(),
    numpy.zeros(3).view(Subclass), repeated(),
], ids=["None", "text", "dtype", "byte order", "2-d", "read-only",
        "misaligned", "subclass", "one item for all"])
def test_what_cannot_be_reused_is_left_alone(fill, garbage):
    before = references(garbage)
    fill.cells[1][0] = garbage
    made, was = fill(numpy.zeros(3))
    assert was == 0 and made is not garbage
    assert made.tolist() == [1.0] * 3
    assert references(garbage) == before
    if isinstance(garbage, numpy.ndarray):
        assert not garbage.any()


@pytest.mark.parametrize("layout", [
    numpy.zeros(6)[::2], numpy.zeros(3)[::-1], numpy.zeros((3, 2))[:, 0],
], ids=["stepped", "reversed", "column"])
def test_any_writable_layout_is_reused(fill, layout):
    fill.cells[1][0] = layout
    made, _ = fill(numpy.zeros(3))
    assert made is layout and layout.tolist() == [1.0] * 3


def test_a_static_length_decides_what_is_reused():
    x = TensorType("float64", (3,))("x")
    run = Raw([x], ones(x))
    run.cells[1][0] = numpy.zeros(4)
    made, was = run(numpy.zeros(3))
    assert was == 0 and made.tolist() == [1.0] * 3


@pytest.mark.parametrize("form", ["function", "struct"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_references_balance(form, language):
    x = TensorType("float64", (None,))("x")
    run = Raw([x], [passing(passing(x)), ones(x)[0], x], form=form,
              language=language)
    array = numpy.zeros(3)
    before, none = references(array), sys.getrefcount(None)
    for _ in range(50):
        run(array)
    for cell in run.cells:
        cell[0] = None
    # The struct keeps its temporary, and the object beside it, from run to run.
    assert references(array)[0] == before[0] + 2 * (form == "struct")
    del run, cell
    after = references(array)
    assert after[0] == before[0]
    assert abs(sys.getrefcount(None) - none) < 20


#: Trusts whoever fills the cells.
unchecked = TextOp("{z} = {x};\nPy_XINCREF({z});", check_input=False)


def test_what_nobody_wants_checked_is_not():
    x = TensorType("float64", (None,))("x")
    loose = clinch.function([x], unchecked(x)).emit("c")
    assert "clinch_is_array(" not in loose
    assert "V1 = (PyArrayObject *)Py_NewRef(py_V1);" in loose
    strict = clinch.function([x], [unchecked(x), passing(x)]).emit("c")
    assert "clinch_is_array(py_V1" in strict


@pytest.mark.parametrize("make, shape", [
    (clinch.scalar, ()), (clinch.vector, (None,)), (clinch.matrix, (None, None)),
    (clinch.tensor3, (None, None, None))])
def test_an_input_is_made_by_its_number_of_dimensions(make, shape):
    x, y = make("x"), make("y", dtype="int32")
    assert (x.name, x.type) == ("x", TensorType("float64", shape))
    assert y.type == TensorType("int32", shape)
    value = numpy.full([2] * len(shape), 1.5)
    numpy.testing.assert_array_equal(clinch.function([x], x + 1)(value), value + 1)


def test_an_input_of_known_lengths():
    assert clinch.matrix("x", shape=(2, None)).type == TensorType(
        "float64", (2, None))
    with pytest.raises(ValueError, match=r"a shape of 1 dimensions is needed here, "
                       r"and \(2, 3\) has 2"):
        clinch.vector("x", shape=(2, 3))
    with pytest.raises(TypeError) as raised:
        TensorType("float64", 2)
    assert str(raised.value) == (
        "a shape is a tuple with a length or None for each dimension, such as "
        "(None, 3); 2 is none")


def test_a_dtype_has_a_name_where_a_text_may_use_it(tmp_path):
    """A header may, where no text says so."""
    (tmp_path / "named.h").write_text("#define ITEM(v) dtype_##v\n")
    x = clinch.vector("x")
    assert "dtype_" not in clinch.function([x], x.sum()).emit("c")
    for code, more in (("dtype_{x} item = 2.5; {z} = item;", {}),
                       ("ITEM({x}) item = 2.5; {z} = item;",
                        dict(headers=['"named.h"'],
                             c_header_dirs=lambda: [str(tmp_path)])),
                       ("ITEM({x}) item = 2.5; {z} = item;",
                        dict(c_compile_args=lambda: ["-DITEM(v)=dtype_##v"]))):
        assert clinch.function([x], TextOp(code, clinch.double, **more)(x))([1.0]) == 2.5
