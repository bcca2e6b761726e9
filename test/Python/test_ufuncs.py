"""NumPy ufuncs, and SciPy's callables, of what Clinch compiles."""

import ctypes
import gc
import operator
import weakref

import numpy
import pytest

import clinch
from arrays import check
from clinch import Apply, COp, double, function, vectorize
from clinch.ufuncs import ufunc_objects


def softplus(x):
    return clinch.tensor.log1p(clinch.exp(x))


def test_a_function_has_a_loop_for_each_dtype_it_takes():
    made = vectorize(softplus)
    assert type(made) is numpy.ufunc and made.__name__ == "softplus"
    assert made.types[:2] == ["?->e", "b->e"] and made.types[-1] == "d->d"
    x = numpy.linspace(-2, 2, 3001)
    for value in (x, x[::-3], x.astype("float32"), x.reshape(3001, 1)[::2]):
        check(made(value), numpy.log1p(numpy.exp(value)))
    assert made.__doc__.startswith("softplus(x, /")


def test_a_ufunc_of_an_op_does_what_ufuncs_do():
    largest, add = vectorize(clinch.maximum), vectorize(clinch.add)
    assert largest.reduce([3, 1, 4]) == 4
    check(largest.accumulate([3, 1, 4, 2]), numpy.array([3, 3, 4, 4]))
    x = numpy.random.default_rng(0).integers(0, 9, (40, 50)).astype(float)
    for axis in (0, 1, None):
        check(add.reduce(x, axis), x.sum(axis))
    check(add.accumulate(x, 1), x.cumsum(1))
    check(add.outer([1, 2], [3, 4]), numpy.add.outer([1, 2], [3, 4]))
    check(add.reduceat(x[0], [0, 5, 9]), numpy.add.reduceat(x[0], [0, 5, 9]))
    total = numpy.zeros(3)
    add.at(total, [0, 0, 2], 1.0)
    check(total, numpy.array([2.0, 0.0, 1.0]))
    assert add.reduce([]) == 0 and add.identity == 0
    assert largest.identity is None
    add(x, x, out=x)
    assert add(x, 1, where=x > 3, out=numpy.zeros_like(x)).shape == x.shape


INTEGERS = [-2**63, -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1]
NATURALS = [0, 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "neq"])
def test_int64_and_uint64_are_compared_exactly(name):
    compare = getattr(operator, {"neq": "ne"}.get(name, name))
    i, n = numpy.array(INTEGERS), numpy.array(NATURALS, "uint64")
    op = getattr(clinch.tensor, name)
    for made in (vectorize(op), vectorize(lambda a, b: op(a, b))):
        assert made.types.count("lL->?") == made.types.count("Ll->?") == 1
        assert made.outer(i, n).tolist() == [
            [compare(a, b) for b in NATURALS] for a in INTEGERS]
        assert made.outer(n, i).tolist() == [
            [compare(a, b) for b in INTEGERS] for a in NATURALS]


def test_other_loops_have_inputs_of_one_dtype():
    assert vectorize(clinch.add).types.count("lL->d") == 0
    check(vectorize(clinch.add)(numpy.int64(1), numpy.uint64(2)), numpy.float64(3))


def test_dtypes_limit_the_loops():
    made = vectorize(clinch.exp, dtypes=["float32", "float64"])
    assert made.types == ["f->f", "d->d"]
    assert made(1).dtype == "float64"
    for one in ("float32", numpy.float32, [numpy.dtype("float32")]):
        assert vectorize(clinch.exp, dtypes=one).types == ["f->f"]
    for wrong, said in ((["float128"], "'float128'"), ([("float32",)], r"\('float32',\)"),
                        ("real", "'real'")):
        with pytest.raises(TypeError, match=rf"dtypes=.* has {said}, for which there is "
                           "no loop; there are bool, int8, "):
            vectorize(lambda x: x, dtypes=wrong)


def test_a_decorator_with_arguments():
    @vectorize(dtypes="float64", name="halved")
    def half(x):
        return x / 2

    @vectorize(signature="(n),(n)->()")
    def product(u, v):
        return (u * v).sum()
    assert (half(3), half.__name__, half.types) == (1.5, "halved", ["d->d"])
    assert product([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]).tolist() == [21.0, 43.0]


def test_numbers_in_a_function():
    """Complex numbers are structures, and have no literals; a number beside a
    truth value is a number."""
    made = vectorize(lambda a, b: a * b + 1)
    for dtype in ("bool", "int8", "float32", "complex64", "complex128"):
        a, b = numpy.array([0, 1, 3], dtype), numpy.array([1, 1, 2], dtype)
        check(made(a, b), a * b + (1 if dtype != "int8" else numpy.int8(1)))
    turned = vectorize(lambda a: a * (1.5 - 2j), dtypes=["complex128"])
    check(turned(numpy.array([1j, 2])), numpy.array([1j, 2]) * (1.5 - 2j))


def test_several_outputs():
    a, b = double("a"), double("b")
    total, product = vectorize([a, b], [a + b, a * b], name="both")(
        [1.0, 2.0], 3.0)
    check(total, numpy.array([4.0, 5.0]))
    check(product, numpy.array([3.0, 6.0]))


def test_c_functions():
    check(vectorize("double cbrt(double)")([8.0, 27.0]),
          numpy.array([2.0, 3.0]))
    check(vectorize("double hypot(double x, double y)")(3, [4.0]),
          numpy.array([5.0]))
    text = clinch.compile("int twice(int i) { return 2 * i; }")
    twice = vectorize(text["int twice(int)"])
    del text
    gc.collect()
    check(twice(numpy.arange(3, dtype="int32")),
          numpy.array([0, 2, 4], "int32"))
    with pytest.raises(ValueError, match="is no declaration of a function"):
        vectorize("cbrt")
    with pytest.raises(TypeError, match="is no number that a ufunc has"):
        vectorize("char *f(double)")


class Half(COp):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return (f"if ({inputs[0]} < 0) {{ PyErr_SetString(PyExc_ValueError, "
                f"\"below zero\"); {sub['fail']} }}\n"
                f"{outputs[0]} = {inputs[0]} / 2;")


def test_an_op_of_any_real_numbers_needs_no_dtypes():
    half = vectorize(Half())
    assert half.types[-1] == "d->d" and "D->D" not in half.types
    check(half(numpy.array([4, 2], "int16")), numpy.array([2, 1], "int16"))


@pytest.mark.parametrize("count", [3, 100000])
def test_a_failure_comes_out(count):
    half = vectorize(Half(), dtypes=["float64"])
    check(half(numpy.ones(count)), numpy.full(count, 0.5))
    for x in (-numpy.ones(count), -numpy.ones(2 * count)[::2]):
        with pytest.raises(ValueError, match="below zero") as raised:
            half(x)
        assert raised.value.__notes__ == ["Clinch: `Half` failed."]


def test_what_is_no_function():
    with pytest.raises(TypeError, match="takes a scalar Op, a function or a "
                                        "graph, not an int"):
        vectorize(3)
    with pytest.raises(TypeError, match="must return Variables; it returned a "
                                        "float"):
        vectorize(lambda x: 1.0)
    with pytest.raises(TypeError, match="takes any number of inputs"):
        vectorize(lambda *x: x[0])
    with pytest.raises(TypeError, match="takes no inputs; a ufunc has one or more"):
        vectorize(lambda: 1.0)
    with pytest.raises((TypeError, clinch.GraphError)):
        vectorize(clinch.tensor.and_, dtypes=["float64"])


def test_the_code_goes_with_the_ufunc():
    text = clinch.compile("double same(double x) { return x; }")
    function = text["double same(double)"]
    kept = weakref.ref(function)  # It has the code.
    made = vectorize(function)
    del text, function
    gc.collect()
    assert kept() is not None
    del made
    gc.collect()
    assert kept() is None


def test_ufuncs_of_another_layout_are_refused(monkeypatch):
    class Other(ctypes.Structure):
        _fields_ = [("more", ctypes.c_int), *ufunc_objects._UfuncHead._fields_]

    monkeypatch.setattr(ufunc_objects, "_UfuncHead", Other)
    for signature in (None, "(n)->(n)"):
        with pytest.raises(NotImplementedError) as error:
            vectorize(lambda x: x + 1, signature=signature, dtypes="float64")
        assert str(error.value) == (f"NumPy {numpy.__version__} has ufuncs of another "
                                    f"layout, which cannot keep their code alive")


def test_generalised_ufuncs():
    distance = vectorize(lambda u, v: clinch.sqrt(((u - v) ** 2).sum()),
                         signature="(n),(n)->()")
    assert distance.signature == "(n),(n)->()"
    x = numpy.random.default_rng(0).uniform(size=(4, 5, 6))
    check(distance(x, x[0, 0]), numpy.sqrt(((x - x[0, 0]) ** 2).sum(-1)))
    check(distance(x.T, x.T[::-1]),
          numpy.sqrt(((x.T - x.T[::-1]) ** 2).sum(-1)))
    product = vectorize(clinch.tensor.matmul, signature="(n,k),(k,m)->(n,m)")
    check(product(x[:, None], x.transpose(0, 2, 1)),
          x[:, None] @ x.transpose(0, 2, 1))
    both = vectorize(lambda v: [v.min(), v * 2], signature="(n)->(),(n)",
                     dtypes="int64")
    low, twice = both(numpy.arange(6).reshape(2, 3))
    check(low, numpy.array([0, 3]))
    check(twice, numpy.arange(6).reshape(2, 3) * 2)
    for one in (numpy.float32, "f4", numpy.dtype("float32"), [numpy.float32]):
        total = vectorize(lambda v: v.sum(), signature="(n)->()", dtypes=one)
        assert total.types == ["f->f"]
    with pytest.raises(TypeError, match="^dtypes='nothing' has 'nothing', for which there "
                                        "is no loop; there are bool, int8, "):
        vectorize(lambda v: v.sum(), signature="(n)->()", dtypes="nothing")
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        distance(numpy.ones(3), numpy.ones(4))
    with pytest.raises(ValueError, match="zero-size array"):
        vectorize(lambda v: v.max(), signature="(n)->()")(numpy.ones((2, 0)))


@pytest.mark.parametrize("signature, message", [
    ("n->()", "is not a signature"), ("(n)", "is not a signature"),
    ("(n)->(m)", "no input of .* has the dimension 'm'$"),
    ("(2)->()", "is no name of a dimension"),
    ("(n),(n)->()", "missing 1 required positional|takes 1 positional"),
    ("(n)->(),()", "has 2 outputs, and the Op gives 1"),
    ("(n)->(n)", "says 1 dimensions for an output"),
])
def test_signatures_that_are_none(signature, message):
    with pytest.raises((ValueError, TypeError), match=message):
        vectorize(lambda v: v.sum(), signature=signature)


def test_scipys_quad_and_its_kin():
    integrate = pytest.importorskip("scipy.integrate")
    bell = clinch.low_level_callable(lambda x: clinch.exp(-x * x))
    assert abs(integrate.quad(bell, 0, 1)[0] - 0.746824132812427) < 1e-12
    plane = clinch.low_level_callable(lambda x, y: x * y)
    assert abs(integrate.nquad(plane, [(0, 1), (0, 2)])[0] - 1) < 1e-12
    root = clinch.low_level_callable(clinch.sqrt)
    assert abs(integrate.quad(root, 0, 1)[0] - 2 / 3) < 1e-9


def test_solvers_call_a_function_itself():
    integrate = pytest.importorskip("scipy.integrate")
    t, y = double("t"), clinch.vector("y")
    decay = function([t, y], -y * t)
    found = integrate.solve_ivp(decay, (0, 1), [1.0, 2.0], rtol=1e-9)
    numpy.testing.assert_allclose(found.y[:, -1],
                                  numpy.exp(-0.5) * numpy.array([1.0, 2.0]),
                                  rtol=1e-4)


def test_scipys_filters():
    ndimage = pytest.importorskip("scipy.ndimage")
    v = clinch.vector("v")
    spread = clinch.low_level_callable(function([v], v.max() - v.min()))
    x = numpy.random.default_rng(0).uniform(size=(20, 30))
    check(ndimage.generic_filter(x, spread, size=3),
          ndimage.maximum_filter(x, 3) - ndimage.minimum_filter(x, 3))
    failing = clinch.low_level_callable(
        function([v], clinch.tensor.sum(v / 0 - v[100])))
    with pytest.raises(IndexError):
        ndimage.generic_filter(x, failing, size=3)


def test_callables_of_two_functions_call_their_own():
    """They have the same text, which has one memory in a process."""
    ndimage = pytest.importorskip("scipy.ndimage")
    v = clinch.vector("v")
    least, most = (clinch.low_level_callable(function([v], made))
                   for made in (v.min(), v.max()))
    x = numpy.random.default_rng(0).uniform(size=(8, 9))
    check(ndimage.generic_filter(x, least, size=3), ndimage.minimum_filter(x, 3))
    check(ndimage.generic_filter(x, most, size=3), ndimage.maximum_filter(x, 3))


def test_what_scipy_cannot_call():
    pytest.importorskip("scipy")
    v = clinch.vector("v")
    with pytest.raises(TypeError, match="takes one vector of doubles and "
                                        "gives one number"):
        clinch.low_level_callable(function([v], v + 1))
    x = double("x")
    with pytest.raises(TypeError, match=r"given the graph: low_level_callable\(\[x, y\]"):
        clinch.low_level_callable(function([x], x + 1))
    with pytest.raises(TypeError, match="takes and returns doubles"):
        clinch.low_level_callable(clinch.tensor.isnan)
    with pytest.raises(TypeError, match="takes a scalar Op, a function, a "
                                        "graph or a Function, not an int"):
        clinch.low_level_callable(3)
