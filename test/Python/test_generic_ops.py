"""Casts, and the Ops whose code Types bring: copies, views, shapes."""

import collections
import math
import subprocess
import sys

import numpy
import pytest

import clinch
from clinch import (Scalar, TensorType, double, function, generic,
                    register_deep_copy_op_c_code, register_shape_c_code,
                    register_shape_i_c_code, register_view_op_c_code)
from clinch.ops import generic_ops
from clinch.ops.generic_ops import (Shape_i, cast,
                                deep_copy_op, shape, shape_i, view_op)
from test_scalar_ops import DTYPES, samples
from thunks import Raw, references

INT64_MIN = -2**63


def cast_reference(value, to):
    """What the C text promises where NumPy leaves it to the machine."""
    kind = numpy.dtype(to)
    if kind.kind in "iu" and value.dtype.kind == "f":
        whole = float(value)
        if not math.isfinite(whole) or not -2.0**63 <= whole < 2.0**63:
            if kind.kind == "u" and 2.0**63 <= whole < 2.0**64:
                whole = int(whole)
            else:
                whole = INT64_MIN
        bits = int(whole) % 2**(8 * kind.itemsize)
        if kind.kind == "i" and bits >= 2**(8 * kind.itemsize - 1):
            bits -= 2**(8 * kind.itemsize)
        return kind.type(bits)
    with numpy.errstate(all="ignore"):
        return numpy.asarray(value).astype(to)[()]


@pytest.mark.parametrize("dtype", DTYPES)
def test_casts(dtype):
    x = Scalar(dtype)("x")
    targets = [to for to in DTYPES
               if not (dtype.startswith("complex")
                       and to not in ("bool", "complex64", "complex128"))]
    run = Raw([x], [cast(x, to) for to in targets])
    values = samples(dtype)
    if dtype == "float64":
        values += [numpy.float64(v) for v in (3e9, -3e9, 1e19, -1e19, 1e300)]
    for value in values:
        for to, result in zip(targets, run(value)):
            wanted = cast_reference(value, to)
            assert type(result) is type(wanted)
            assert numpy.asarray(result).tobytes() == (
                numpy.asarray(wanted).tobytes()) or (
                    result != result and wanted != wanted), (value, to, result)


def test_complex_is_not_cast_to_real():
    with pytest.raises(Exception) as error:
        cast(Scalar("complex64")("x"), "float32")
    assert str(error.value) == (
        "`cast_float32` is not defined for complex64: take `real`, `imag` or "
        "`abs` first.")


def test_copies_of_arrays_share_nothing():
    x = TensorType("float64", (None, None))("x")
    run = Raw([x], [deep_copy_op(x)])
    array = numpy.arange(6.0).reshape(2, 3)
    first, = run(array)
    assert first is not array and not numpy.shares_memory(first, array)
    assert first.tolist() == array.tolist()
    # The storage of the last run is written again when its shape is right.
    second, = run(array + 1)
    assert second is first and first.tolist() == (array + 1).tolist()
    third, = run(array.T)
    assert third is not first and third.tolist() == array.T.tolist()
    assert first.tolist() == (array + 1).tolist()


@pytest.mark.parametrize("array", [
    numpy.zeros((0, 3)), numpy.arange(12.0).reshape(3, 4)[::-1, ::2],
    numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)),
], ids=["empty", "strided", "fortran"])
def test_copies_of_any_layout(array):
    x = TensorType("float64", (None, None))("x")
    before = references(array)
    result, = Raw([x], [deep_copy_op(x)])(array)
    assert result.tolist() == array.tolist() and result.shape == array.shape
    assert references(array) == before


def test_copies_of_objects_and_numbers():
    x, y, z = generic("x"), double("y"), Scalar("int8")("z")
    run = Raw([x, y, z], [deep_copy_op(x), deep_copy_op(y), deep_copy_op(z)])
    value = [[1], {"a": [2]}]
    copied, number, small = run(value, 2.5, numpy.int8(3))
    assert copied == value and copied is not value
    assert copied[0] is not value[0]
    assert (number, small) == (2.5, 3)


def test_a_copy_that_fails():
    class Stubborn:
        def __deepcopy__(self, memo):
            raise LookupError("never")

    x = generic("x")
    run = Raw([x], [deep_copy_op(x)])
    kept, = run([1])
    value = Stubborn()
    before = references(value)
    with pytest.raises(LookupError, match="never"):
        run(value)
    run.cells[0][0] = None
    assert run.cells[1][0] is kept
    assert references(value) == before


def test_views_are_the_same_object():
    x, y = TensorType("float64", (None,))("x"), generic("y")
    run = Raw([x, y], [view_op(view_op(x)), view_op(y)])
    array, thing = numpy.zeros(3), []
    a, t = run(array, thing)
    assert a is array and t is thing


def test_shapes():
    x = TensorType("int8", (None, None, None))("x")
    run = Raw([x], [shape(x), shape_i(x, 0), shape_i(x, 2)])
    lengths, first, last = run(numpy.zeros((2, 0, 5), "int8"))
    assert lengths.dtype == "int64" and lengths.tolist() == [2, 0, 5]
    assert (first.ndim, first.dtype, int(first), int(last)) == (
        0, "int64", 2, 5)
    again, _, _ = run(numpy.zeros((7, 8, 9), "int8"))
    assert again is lengths and lengths.tolist() == [7, 8, 9]


def test_shape_of_no_dimensions_and_of_many():
    x = TensorType("int8", ())("x")
    assert Raw([x], [shape(x)])(numpy.int8([1])[0:1].reshape(()))[0].size == 0
    y = TensorType("int8", (None,) * 32)("y")
    lengths, = Raw([y], [shape(y)])(numpy.zeros((1,) * 31 + (2,), "int8"))
    assert lengths.tolist() == [1] * 31 + [2]


class Pair(clinch.Type):
    """Two doubles of a tuple: a Type of one's own."""

    def filter(self, value, strict=False, allow_downcast=None):
        if type(value) is tuple and len(value) == 2:
            return value
        raise TypeError("expected a pair")

    def __eq__(self, other):
        return type(other) is type(self)

    def __hash__(self):
        return hash(Pair)

    def c_declare(self, name, sub, check_input=True):
        return f"double {name}_a, {name}_b;"

    def c_init(self, name, sub):
        return f"{name}_a = {name}_b = 0;"

    def c_extract(self, name, sub, check_input=True):
        return (f'if (!PyArg_ParseTuple(py_{name}, "dd", &{name}_a, '
                f"&{name}_b)) {{\n  {sub['fail']}\n}}")

    def c_sync(self, name, sub):
        return (f"Py_XDECREF(py_{name});\n"
                f'py_{name} = Py_BuildValue("(dd)", {name}_a, {name}_b);')


class OtherPair(Pair):
    """Another class; what is registered for the first is not for this."""


COPY = """
%(oname)s_a = %(iname)s_a; %(oname)s_b = %(iname)s_b; // 100%%
"""


def test_code_for_a_type_of_ones_own():
    register_deep_copy_op_c_code(Pair, "no C", version=(1,))  # What comes last counts.
    register_deep_copy_op_c_code(Pair, COPY, version=(1,))
    register_view_op_c_code(Pair, COPY, version=(1,))
    register_shape_c_code(Pair, """
      npy_intp one_%(oname)s = 1;
      Py_XDECREF(%(oname)s);
      %(oname)s = (PyArrayObject *)PyArray_ZEROS(1, &one_%(oname)s, NPY_INT64,
                                                 0);
      if (!%(oname)s) { %(fail)s }
      *(npy_int64 *)PyArray_DATA(%(oname)s) = 2;
    """, version=(1,))
    register_shape_i_c_code(Pair, """
      if (!%(oname)s)
        %(oname)s = (PyArrayObject *)PyArray_ZEROS(0, NULL, NPY_INT64, 0);
      if (!%(oname)s) { %(fail)s }
      *(npy_int64 *)PyArray_DATA(%(oname)s) = 2;
    """, """
      if (%(i)s > 0) {
        PyErr_SetString(PyExc_IndexError, "a pair has one dimension");
        %(fail)s
      }
    """, version=(1,))
    x = Pair()("x")
    run = Raw([x], [deep_copy_op(x), view_op(x), shape(x), Shape_i(0)(x)])
    copied, viewed, lengths, length = run((1.5, 2.5))
    assert copied == viewed == (1.5, 2.5)
    assert (lengths.tolist(), int(length)) == ([2], 2)
    with pytest.raises(IndexError, match="a pair has one dimension"):
        Raw([x], [Shape_i(1)(x)])((1.0, 2.0))


def test_nothing_is_inherited():
    register_view_op_c_code(Pair, COPY, version=(1,))
    x = OtherPair()("x")
    with pytest.raises(Exception) as error:
        Raw([x], [view_op(x)])
    assert "`ViewOp` has no C code for the type `OtherPair`" in str(error.value)
    assert "register_view_op_c_code" in str(error.value)


def test_an_unknown_key_of_registered_code():
    class Keyed(Pair):
        pass

    register_view_op_c_code(Keyed, "%(onam)s = 1;", version=(1,))
    x = Keyed()("x")
    with pytest.raises(Exception) as error:
        Raw([x], [view_op(x)])
    assert "the key of `%(onam)s` is unknown" in str(error.value)
    assert "`iname`" in str(error.value) and "`oname`" in str(error.value)


def test_debug_mode_finds_nothing():
    x = TensorType("float64", (None, None))("x")
    y, z = generic("y"), Scalar("int8")("z")
    f = function([x, y, z], [deep_copy_op(x), view_op(x), shape(x),
                             shape_i(x, 1), deep_copy_op(y), view_op(y),
                             deep_copy_op(z), cast(z, "float32")],
                 mode="DebugMode")
    for array in (numpy.arange(6.0).reshape(2, 3), numpy.zeros((0, 4)),
                  numpy.arange(6.0).reshape(2, 3).T):
        copied, viewed, lengths, second, *_ = f(array, [1], numpy.int8(3))
        assert copied.tolist() == viewed.tolist() == array.tolist()
        assert (tuple(lengths), int(second)) == (array.shape, array.shape[1])


def test_an_objects_own_deep_copy_is_asked():
    class Held:
        def __deepcopy__(self, memo):
            return "a copy"

        def copy(self):
            return self

    class Holds(clinch.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

        __eq__ = lambda self, other: type(self) is type(other)  # noqa: E731
        __hash__ = lambda self: 1  # noqa: E731

    x = Holds()("x")
    f = clinch.function([x], clinch.deep_copy_op(x))
    assert f(Held()) == "a copy"
    nested = [[1]]
    copied = f(nested)  # A list's own copy() shares what is in it.
    assert copied == nested and copied[0] is not nested[0]


def test_the_version_is_a_tuple_and_empty_if_one_lacks_it():
    """In a process of its own, because what is registered stays."""
    assert isinstance(clinch.deep_copy_op.c_code_cache_version(), tuple)
    assert clinch.deep_copy_op.c_code_cache_version()
    program = ("import clinch\n"
               "class Own(clinch.Type): pass\n"
               "clinch.register_deep_copy_op_c_code(Own, 'x')\n"
               "print(clinch.deep_copy_op.c_code_cache_version(), "
               "clinch.view_op.c_code_cache_version() != ())")
    done = subprocess.run([sys.executable, "-c", program], text=True,
                          capture_output=True, check=True)
    assert done.stdout == "() True\n"


class Shelf:
    """Its `copy` copies the outermost alone, as UserDict's."""

    def __init__(self, items):
        self.items = items

    def copy(self):
        return Shelf(self.items)


@pytest.mark.parametrize("value", [collections.UserDict(a=[1]), {"a": [1]},
                                   collections.OrderedDict(a=[1]), Shelf({"a": [1]}).items])
def test_copies_share_nothing(value):
    copy = generic_ops.deep_copy(value)
    assert type(copy) is type(value) and copy == value
    value["a"].append(2)
    assert copy["a"] == [1]
    kept = clinch.shared(Shelf([value]))
    value["a"].append(3)
    assert kept.get_value().items[0]["a"] == [1, 2]
