"""Any Python object, and C data in capsules: who owns what, and when it goes."""

import ctypes
import gc

import numpy
import pytest

import clinch
from clinch import CDataType, generic
from clinch.testing import TextOp
from thunks import Raw, passing, references


class Thing:
    pass


@pytest.mark.parametrize("value", [None, 1, "text", Thing(), Thing, []])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_any_object_goes_through(value, language):
    x = generic("x")
    run = Raw([x], [passing(x)], language=language)
    before = references(value)
    for _ in range(5):
        assert run(value)[0] is value
    run.cells[0][0] = run.cells[1][0] = None
    assert references(value) == before


#: A list with the object twice.
twice = TextOp("""
    Py_XDECREF({z});
    {z} = Py_BuildValue("[OO]", {x}, {x});
    if (!{z}) {
      {fail}
    }""", generic)


@pytest.mark.parametrize("form", ["function", "struct"])
def test_new_objects_belong_to_the_cell_alone(form):
    x = generic("x")
    run = Raw([x], [twice(twice(x))], form=form)
    thing = Thing()
    before = references(thing)
    for _ in range(5):
        result, = run(thing)
        assert result == [[thing, thing]] * 2
    alone = []
    cell = [alone]
    assert references(result) == references(alone) and cell
    del result
    run.cells[0][0] = run.cells[1][0] = None
    del run
    assert references(thing) == before


COUNTED = """
static int clinch_test_live;
struct counted { int value; };
static struct counted *counted_new(int value) {
  struct counted *c = (struct counted *)malloc(sizeof *c);
  if (c) {
    c->value = value;
    ++clinch_test_live;
  } else {
    PyErr_NoMemory();
  }
  return c;
}
static void counted_free(struct counted *c) {
  --clinch_test_live;
  free(c);
}
"""


def counted():
    return CDataType("struct counted *", "counted_free",
                     extra_support_code=COUNTED, version=(1,))


#: Counted data of an int; the data of nothing for a negative one.
make = TextOp("""
    {z} = NULL;
    if ({x} >= 0) {
      {z} = counted_new((int){x});
      if (!{z}) {
        {fail}
      }
    }""", counted())


#: Value, and how many data live.
read = TextOp("""
    if (!{x}) {
      PyErr_SetString(PyExc_ValueError, "no data");
      {fail}
    }
    {z} = {x}->value;
    {u} = clinch_test_live;""", [clinch.Scalar('int64'), clinch.Scalar('int64')])


@pytest.fixture
def numbers():
    return clinch.Scalar("int64")("x"), numpy.int64


@pytest.mark.parametrize("form", ["function", "struct"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_what_no_capsule_owns_is_freed_in_the_same_run(numbers, form, language):
    x, int64 = numbers
    run = Raw([x], read(make(x)), form=form, language=language)
    for value in range(5):
        assert run(int64(value)) == [value, 1]


def test_a_failure_frees_it_too(numbers):
    x, int64 = numbers
    made = make(x)
    run = Raw([x], [*read(make(x)), read(made)[0]])
    other = Raw([x], read(make(x)))
    for _ in range(3):
        with pytest.raises(ValueError) as error:
            run(int64(-1))
        assert str(error.value) == "no data"
    assert other(int64(3)) == [3, 1]


def test_a_capsule_owns_what_comes_out(numbers):
    x, int64 = numbers
    c = counted()("c")
    # The count is of one module, which makes and reads.
    run = Raw([x, c], [make(x), *read(c)])
    five, = Raw([x], [make(x)])(int64(5))
    first, value, live = run(int64(7), five)
    assert (type(first).__name__, value, live) == ("PyCapsule", 5, 1)
    assert run(int64(7), first)[1:] == [7, 2]
    # The cell had the second one; this made the third.
    assert run(int64(8), first)[1:] == [7, 3]
    for cell in run.cells:
        cell[0] = None
    del first
    gc.collect()
    assert run(int64(8), five)[1:] == [5, 1]


def test_nothing_is_none(numbers):
    x, int64 = numbers
    run = Raw([x], [make(x)])
    assert run(int64(-1)) == [None]
    assert type(run(int64(1))[0]).__name__ == "PyCapsule"
    assert run(int64(-1)) == [None]


def test_a_capsule_outlives_its_function(numbers):
    x, int64 = numbers
    run = Raw([x], [make(x)])
    capsules = [run(int64(i))[0] for i in range(3)]
    del run
    gc.collect()
    # Code of another function may now be where this one's was.
    others = [clinch.function([x], x + i) for i in range(20)]
    del capsules
    gc.collect()
    assert others[3](int64(1)) == 4


@pytest.mark.parametrize("value, exception, message", [
    (1, TypeError, "expected a capsule, not int"),
    ("x", TypeError, "expected a capsule, not str"),
])
def test_refuses_what_is_no_capsule(value, exception, message):
    c = counted()("c")
    run = Raw([c], read(c))
    with pytest.raises(exception) as error:
        run(value)
    assert str(error.value) == message


def test_refuses_a_capsule_with_a_name():
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = b"somebody else's"
    capsule = new(1, name, None)
    c = counted()("c")
    with pytest.raises(ValueError) as error:
        Raw([c], read(c))(capsule)
    assert "PyCapsule_GetPointer called with incorrect name" in str(error.value)
