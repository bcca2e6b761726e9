"""What a caller gives and gets is the caller's; what a graph and a function keep is
theirs."""

import copy
import pickle

import numpy
import pytest

import clinch
from clinch import (Constant, GraphError, In, Mode, Out, TensorType, Type, constant,
                    function, generic, set_subtensor, vector)
from clinch.testing import PythonOp, TextOp


def negate(x):
    x *= -1
    return x


#: In place: z is x, negated.
neg = TextOp("""
    for (npy_intp i = 0; i < PyArray_DIM({x}, 0); i++)
        *(double *)PyArray_GETPTR1({x}, i) *= -1;
    Py_INCREF({x});
    Py_XDECREF({z});
    {z} = {x};""", perform=negate, destroy_map={0: [0]}, version=(1,))


#: The same, without C.
python_neg = PythonOp(negate, destroy_map={0: [0]})
ABC = [1.0, 2.0, 3.0]
C = numpy.array([1.0, 2.0, 3.0])

WAYS = {
    "struct": dict(mode=Mode(form="struct")),
    "function": dict(mode=Mode(form="function")),
    "op": dict(mode=Mode(linker="op")),
    "function, op": dict(mode=Mode(form="function", linker="op")),
    "graph": dict(mode=Mode(linker="graph", tier="max")),
    "DebugMode": dict(mode="DebugMode"),
    "not fused": dict(mode=Mode(fuse=False, tier="fast")),
    "C++": dict(mode=Mode(language="c++")),
}
MADE = {
    "as it is": lambda f: f,
    "copied": lambda f: f.copy(),
    "pickled": lambda f: pickle.loads(pickle.dumps(f)),
}


@pytest.fixture(params=[(w, m) for w in WAYS for m in MADE],
                ids=lambda p: ", ".join(p))
def make(request):
    """Makes functions in one of the ways."""
    way, made = request.param

    def making(ins, outs):
        return MADE[made](function(ins, outs, **WAYS[way]))
    making.way = way
    return making


def lists(values):
    return [v.tolist() for v in values]


def apart(*values):
    return not any(numpy.shares_memory(a, b)
                   for k, a in enumerate(values) for b in values[:k])


def in_place(v):
    """Graphs with an Op in place on an input, and what they give for ABC."""
    return {
        "itself": (v, [neg(v), v], [[-1, -2, -3], ABC]),
        "after it": (v, [v, neg(v)], [ABC, [-1, -2, -3]]),
        "an item": (v, [set_subtensor(v[0], 7.0, inplace=True), v],
                    [[7, 2, 3], ABC]),
        "a view": (v, [neg(v[1:]), v], [[-2, -3], ABC]),
        "a view of a view": (v, [neg(v[1:][::-1]), v[1:]], [[-3, -2], [2, 3]]),
        "twice": (v, [neg(neg(v)), v], [ABC, ABC]),
        "two Ops": (v, [neg(v), set_subtensor(v[1], 0.0, inplace=True)],
                    [[-1, -2, -3], [1, 0, 3]]),
        "read, too": (v, [neg(v), v * 2, neg(v) + v],
                      [[-1, -2, -3], [2, 4, 6], [0, 0, 0]]),
        "without C": (v, [python_neg(v), v], [[-1, -2, -3], ABC]),
        "both": (v, [python_neg(v[1:]), neg(v), v[1:]],
                 [[-2, -3], [-1, -2, -3], [2, 3]]),
    }


@pytest.mark.parametrize("name", in_place(vector("v")))
def test_an_op_in_place_on_an_input_works_on_a_copy(make, name):
    v, outs, wanted = in_place(vector("v"))[name]
    if make.way == "graph" and name in ("without C", "both"):
        pytest.skip("one piece of C")
    f = make([v], outs)
    for _ in range(3):
        given = C.copy()
        given.flags.writeable = False
        results = f(given)
        assert lists(results) == wanted and given.tolist() == ABC
        assert apart(given, *results)
        for result in results:
            result[:] = 99


def outputs_that_alias(v):
    c = constant(numpy.array(ABC))
    return {
        "a constant": [c],
        "a view of a constant": [c[1:]],
        "both": [c[1:], c],
        "beside what is computed": [v + c, c[1:]],
        "an input": [v],
        "a view of an input": [v[::-1]],
        "the input and a view": [v, v[1:]],
        "flatten": [v.flatten()],
        "copy": [v.copy()],
        "astype": [v.astype("float64")],
        "ravel": [clinch.tensor.ravel(v), clinch.tensor.transpose(v), v.reshape(3, 1)],
        "one result twice": [(r := v * 2), r],
        "a result and its view": [(r := v * 2), r[1:], r[:2]],
        "two views": [(r := v * 2)[1:], r[:2]],
        "what is made in place": [(r := neg(v * 2)), r[1:]],
    }


@pytest.mark.parametrize("name", outputs_that_alias(vector("v")))
def test_writing_to_a_result_changes_nothing_else(make, name):
    v = vector("v")
    outs = outputs_that_alias(v)[name]
    constants = {w for o in outs for w in (o, *(o.owner.inputs if o.owner else ()))
                 if isinstance(w, Constant)}
    f, other = make([v], outs), function([v], outs)
    given = C.copy()
    wanted = lists(function([v], [o * 1 for o in outs])(given))
    for _ in range(3):
        results = f(given)
        assert lists(results) == wanted
        assert apart(given, *results, *(w.data for w in constants))
        for result in results:
            result[...] = 99.0
            assert result.flags.writeable
        assert given.tolist() == ABC
    assert lists(other(given)) == wanted


def test_a_constant_is_a_copy_of_what_is_given():
    x = vector("x")
    w = numpy.array(ABC)
    strided = numpy.zeros(6)[::2]
    made = [constant(w), constant(w[1:]), clinch.as_variable(w),
            x.type.make_constant(w), Constant(generic, w), constant(strided)]
    f = function([x], [x * w, x + made[0], *made], mode=Mode(fuse=False))
    wanted = lists(f(numpy.ones(3)))
    w[:] = 99.0
    strided[:] = 99.0
    assert lists(f(numpy.ones(3))) == wanted
    assert wanted[0] == ABC
    for c in (*made, made[0].clone(), copy.deepcopy(made[0]),
              pickle.loads(pickle.dumps(made[0]))):
        with pytest.raises(ValueError, match="read-only"):
            c.data[:] = 0.0
    assert made[0].clone("c").data is made[0].data


def test_a_default_is_a_copy_of_what_is_given(make):
    v = vector("v")
    w = numpy.array(ABC)
    f = make([In(v, value=w), In(u := vector("u"), value=[1.0, 2.0])],
             [v, v[1:], u, v * 2])
    wanted = lists(f())
    w[:] = 99.0
    for _ in range(3):
        results = f()
        assert lists(results) == wanted == [ABC, ABC[1:], [1, 2], [2, 4, 6]]
        for result in results:
            result[:] = 99.0
    assert f([5.0])[0].tolist() == [5.0] and f(u=[6.0])[2].tolist() == [6.0]
    assert lists(f()) == wanted


@pytest.mark.parametrize("mutable", [False, True])
@pytest.mark.parametrize("op", [neg, python_neg])
def test_an_op_in_place_never_eats_a_default(op, mutable):
    v = vector("v")
    f = function([In(v, value=ABC, mutable=mutable)], op(v))
    for _ in range(3):
        assert f().tolist() == [-1.0, -2.0, -3.0]
    given = C.copy()
    assert f(given).tolist() == [-1.0, -2.0, -3.0] and given.tolist() == ABC
    assert f.copy()().tolist() == [-1.0, -2.0, -3.0]


def test_a_default_can_be_read_and_set():
    v = vector("v")
    f = function([In(v, value=ABC)], v)
    assert f.cells[v][0].tolist() == ABC
    f.cells[v][0] = numpy.array([4.0])
    f()[:] = 99.0
    assert f().tolist() == f.cells[v][0].tolist() == [4.0]


def test_borrowed_memory_is_shared(make):
    v, u = vector("v"), vector("u")
    outs = [Out(v, borrow=True), Out(v[1:], borrow=True), v, Out(u, borrow=True)]
    f = make([In(v, borrow=True), u], outs)
    given, other = C.copy(), C.copy()
    whole, rest, copied, not_borrowed = f(given, other)
    assert whole is given
    assert rest.base is given
    assert apart(given, copied) and apart(other, not_borrowed)


def test_what_is_mutable_is_written_to():
    v = vector("v")
    given = C.copy()
    assert function([In(v, mutable=True)], neg(v))(given) is given
    assert given.tolist() == [-1.0, -2.0, -3.0]
    f = function([In(v, mutable=True)], [neg(v), v.sum()])
    assert f(given)[1] == -6.0 and given.tolist() == ABC
    given.flags.writeable = False
    with pytest.raises(ValueError, match=r"^argument 1 \(`v`\) is read-only, and an "
                       "Op of this function works in place on it"):
        f(given)
    assert apart(given, function([In(v, mutable=True)], v)(given))


@pytest.mark.parametrize("outs, name", [
    (lambda v: [neg(v), v], "`v`"), (lambda v: [v, neg(v)], "`v`"),
    (lambda v: [neg(v[1:]), v], "`v`"),
    (lambda v: [neg(v), v[1:]], "output 0 of `Index` (apply 1)"),
    (lambda v: [neg(v * 2), neg(v) + 1, v], "`v`")])
@pytest.mark.parametrize("mode", [None, Mode(linker="op"), "DebugMode"])
def test_what_is_destroyed_is_no_output(outs, name, mode):
    v = vector("v")
    with pytest.raises(GraphError) as raised:
        function([In(v, mutable=True)], outs(v), mode)
    assert str(raised.value).startswith("`TextOp` (apply ")
    assert str(raised.value).endswith(
        f" destroys {name}, which is an output of the graph; give it a copy")


def test_two_cannot_destroy_what_is_mutable():
    v = vector("v")
    with pytest.raises(GraphError, match="the graph has a cycle"):
        function([In(v, mutable=True)], [neg(v), python_neg(v)])


def test_an_intermediate_result_that_is_destroyed_is_still_no_output():
    v = vector("v")
    t = v * 2
    for outs in ([t, neg(t)], [neg(t), t]):
        with pytest.raises(GraphError, match="which is an output of the graph"):
            function([v], outs)


def test_without_aliases_nothing_is_copied():
    v, c = vector("v"), constant(C)
    f = function([v, clinch.double("d")], [v + c, v * 2, v.sum()])
    assert "DeepCopyOp" not in f.emit("graph")
    f = function([v], [v + c, v])
    assert f.emit("graph").count("DeepCopyOp") == 1


def test_numbers_are_not_copied():
    x, i = clinch.double("x"), clinch.TensorType("int64", ())("i")
    f = function([x], [x, x, clinch.constant(2.5)])
    assert "DeepCopyOp" not in f.emit("graph")
    given = float("1234.5")
    assert f(given)[0] is given and f(given)[1] is given
    result = function([i], i)(7)
    result[...] = 8
    assert function([i], i)(7) == 7


class Box:
    def __init__(self, *items):
        self.items = list(items)


class BoxType(Type):
    """Boxes; it has no C code that copies one."""

    def filter(self, value, strict=False, allow_downcast=None):
        if not isinstance(value, Box):
            raise TypeError("no Box")
        return value

    def c_declare(self, name, sub, check_input=True):
        return f"PyObject *{name};"

    def c_init(self, name, sub):
        return f"{name} = NULL;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = Py_NewRef(py_{name});"

    def c_sync(self, name, sub):
        return (f"Py_XDECREF(py_{name});\n"
                f"py_{name} = Py_NewRef({name} ? {name} : Py_None);")

    def c_cleanup(self, name, sub):
        return f"Py_XDECREF({name});"

    def c_code_cache_version(self):
        return (1,)


#: A view that is its input.
view = TextOp("""
    Py_XDECREF({z});
    {z} = Py_NewRef({x});""", version=(1,), view_map={0: [0]}, perform=lambda x: x)


@pytest.mark.parametrize("mode", [None, Mode(form="function"), Mode(linker="op"),
                                  Mode(linker="graph")])
@pytest.mark.parametrize("a_type, value", [
    (BoxType(), Box([1])), (generic, Box([1])), (generic, [[1]])])
def test_objects_are_copied(a_type, value, mode):
    x = a_type("x")
    given = copy.deepcopy(value)
    f = function([x], [x, view(x), constant(value, a_type)], mode)
    for f in (f, f.copy()):
        results = f(given)
        assert len({id(r) for r in (given, value, *results)}) == 5
        for result in results:
            assert type(result) is type(given)
            inner = result if isinstance(result, list) else result.items
            assert inner == [[1]]
            inner[0].append(2)
    f = function([In(x, borrow=True)], Out(view(x), borrow=True), mode)
    assert f(given) is given


def test_a_result_given_twice_is_two(monkeypatch):
    x = BoxType()("x")

    fresh = PythonOp(lambda x: Box(*x.items))
    y = fresh(x)
    one, other = function([x], [y, y])(Box(1))
    assert one is not other and one.items == other.items == [1]
    one, other = function([x], [Out(y, borrow=True), Out(y, borrow=True)])(Box(1))
    assert one is other


class Uncopied(Box):
    def __deepcopy__(self, memo):
        raise TypeError("there is only one")


@pytest.mark.parametrize("form", ["struct", "function"])
def test_what_cannot_be_copied(form):
    x = BoxType()("x")
    f = function([clinch.double("d"), x], x, mode=Mode(form=form), name="given")
    with pytest.raises(TypeError, match="^there is only one") as raised:
        f(1.0, Uncopied())
    assert raised.value.__notes__ == [
        "Clinch was copying output 1 of given, which shares memory with an input, a "
        "constant or another output; with `borrow=True` in an `In` and in the `Out` "
        "an output may share that of the input."]
    assert f(1.0, Box(2)).items == [2]
    only = Uncopied()
    f = function([In(x, borrow=True)], Out(x, borrow=True), mode=Mode(form=form))
    assert f(only) is only


def test_an_input_of_a_type_that_python_copies_is_destroyed():
    empty = PythonOp(lambda x: x.items.clear() or x, destroy_map={0: [0]})
    x = BoxType()("x")
    given = Box(1)
    emptied, whole = function([x], [empty(x), x])(given)
    assert (emptied.items, whole.items, given.items) == ([], [1], [1])


def test_the_old_value_that_filter_inplace_gets():
    """What it made for the last call, if nobody else has that."""
    seen = []

    class Reused(BoxType):
        def filter_inplace(self, value, storage, strict=False,
                           allow_downcast=None):
            seen.append(storage)
            if isinstance(value, Box):
                return value
            storage = storage or Box()
            storage.items[:] = value
            return storage
    x = Reused()("x")
    f = function([In(x, value=[0])], x)
    assert f().items == [0] and f([1]).items == [1] and f([2]).items == [2]
    assert [s and s.items for s in seen] == [None, None, [2]]
    assert seen[2] is not f.cells[x][0]
    assert f().items == [0]
    own = Box(5)
    assert f(own).items == [5] and f([6]).items == [6] and own.items == [5]
    seen.clear()
    g = function([In(x, borrow=True)], Out(x, borrow=True))
    held = g([1])
    assert g([2]) is not held and held.items == [1]
    del held
    assert [s is None for s in seen] == [True, True]
    seen.clear()
    g([3]), g([4])
    assert [s and s.items for s in seen] == [[3], None]


def test_the_memory_of_an_array_is_not_reused_by_filter_inplace():
    seen = []

    class Reused(TensorType):
        def filter_inplace(self, value, storage, strict=False,
                           allow_downcast=None):
            seen.append(storage)
            return numpy.asarray(value)[:]
    x = Reused("float64", (None,))("x")
    f = function([x], x * 2)
    given = C.copy()
    assert lists([f(given), f(given[1:])]) == [[2, 4, 6], [4, 6]]
    assert seen == [None, None]


def test_in_and_out_say_what_they_take():
    with pytest.raises(TypeError, match="^an In must be of a Variable, not of a str"):
        In("v")
    with pytest.raises(TypeError, match="^an Out must be of a Variable, not of an int"):
        Out(1)
    with pytest.raises(TypeError, match="^output 2 of a function must be a "
                       "Variable, not a int"):
        function([v := vector("v")], [v, 3])
