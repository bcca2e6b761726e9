"""Element-wise neighbours become one loop, and mean what they meant."""

import sys

import numpy
import pytest

import clinch
from arrays import array, check, variable
from clinch import Mode, TensorType, function, vector
from clinch.tensor import Elemwise
from clinch.tensor.composite import Composite
from clinch.tensor.fusion import fuse
from clinch.testing import TextOp


def loops(f):
    """The loops of a function's graph."""
    return [line for line in f.emit("graph").splitlines()
            if "Elemwise{" in line]


X, Y = variable(array((3, 4)), "x"), variable(array(4), "y")
A, B = array((3, 4), seed=1), array(4, seed=2)


def test_a_chain_is_one_loop():
    f = function([X, Y], clinch.tanh(X * Y + clinch.exp(-X)) * 2)
    (loop,) = loops(f)
    assert "Composite{mul(tanh(add(mul(i0, i1), exp(neg(i0)))), 2.0)}" in loop
    check(f(A, B), numpy.tanh(A * B + numpy.exp(-A)) * 2)
    assert f.outputs[0].owner.op == Elemwise(clinch.mul)


def test_fuse_false_leaves_all_as_it_is():
    made = clinch.exp(X * Y) + 1
    f = function([X, Y], made, mode=Mode(fuse=False))
    assert len(loops(f)) == 3 and "Composite" not in f.emit("graph")
    check(f(A, B), function([X, Y], made)(A, B))


def test_what_is_used_twice_is_computed_once():
    t = clinch.exp(X)
    f = function([X], t * t + t)
    assert f.emit("c").count("= exp(") == 1
    check(f(A), numpy.exp(A) * numpy.exp(A) + numpy.exp(A))


def test_several_outputs_of_one_loop():
    t = X * Y
    f = function([X, Y], [t, t + 1, clinch.exp(t)])
    assert len(loops(f)) == 1
    for got, want in zip(f(A, B), (A * B, A * B + 1, numpy.exp(A * B))):
        check(got, want)


def test_loops_that_compute_the_same_share_an_op():
    made, want = X, A
    for number in (2.0, 2.0, 2.0, 3.0):
        made, want = made * number, want * number
        made, want = made - made.sum(), want - want.sum()
    ops = [node.op for node in clinch._clinch.order([X], fuse([X], [made]))
           if isinstance(node.op, Elemwise)]
    _, second, third, other, _ = ops
    assert str(second) == "Elemwise{Composite{mul(sub(i0, i1), 2.0)}}"
    assert second is third and str(other) == str(second).replace("2.0", "3.0")
    check(function([X], made)(A), want)


def test_loops_over_the_same_arrays_are_one():
    f = function([X, Y], [X + Y, X - Y])
    assert len(loops(f)) == 1
    for got, want in zip(f(A, B), (A + B, A - B)):
        check(got, want)


def test_an_output_keeps_its_own_shape():
    a, b = variable(array((2, 3)), "a"), variable(array((2, 3)), "b")
    t = a + 1
    f = function([a, b], [t, t * b])
    assert len(loops(f)) == 1
    for x, y in ((array((1, 4)), array((3, 4))), (array((3, 1)), array((1, 4))),
                 (array((300, 1)), array((1, 700))),
                 (array((1, 1)), array((0, 4)))):
        got = f(x, y)
        check(got[0], x + 1)
        check(got[1], (x + 1) * y)


def test_what_is_smaller_is_not_computed_again_and_again():
    f = function([X, Y], X + clinch.exp(Y))
    assert len(loops(f)) == 2
    check(f(A, B), A + numpy.exp(B))


def test_what_lies_between_keeps_loops_apart():
    t = clinch.exp(X)
    f = function([X], t + t.sum(axis=0))
    check(f(A), numpy.exp(A) + numpy.exp(A).sum(0))
    assert len(loops(f)) == 2


def test_a_reduction_takes_the_loop_before_it():
    f = function([X, Y], clinch.tensor.sum(clinch.exp(X - Y), axis=0))
    assert not loops(f)
    assert "of Composite{exp(sub(i0, i1))}" in f.emit("graph")
    check(f(A, B), numpy.exp(A - B).sum(0))
    x = variable(array(5))
    g = function([x], clinch.tensor.sum(clinch.exp(x - x.max())))
    value = array(3000, seed=5)
    check(g(value), numpy.exp(value - value.max()).sum())
    h = function([X], [(X * 2).argmax(axis=1), (X > 2).any(), (-X).mean(1)])
    for got, want in zip(h(A), ((A * 2).argmax(1), (A > 2).any(),
                                (-A).mean(1))):
        check(got, want)


def test_a_failure_in_a_fused_loop_names_its_op():
    i = variable(array((2, 3), "int64"))
    f = function([i], (i + 1) // (i - 2) * 3)
    assert len(loops(f)) == 1
    with pytest.raises(ZeroDivisionError) as raised:
        f(numpy.array([[1, 3, 4], [5, 2, 1]]))
    assert raised.value.__notes__[0] == \
        "Clinch: `int_div` failed at index (1, 1)."
    g = function([i], (i // (i - 2)).sum())
    with pytest.raises(ZeroDivisionError) as raised:
        g(numpy.array([[1, 3, 4], [5, 2, 1]]))
    assert "(1, 1)" in raised.value.__notes__[0]


def test_in_place_ops_stay_where_they_are():
    t = clinch.exp(X)
    changed = Elemwise(clinch.add, inplace={0: 0})(t, Y)
    f = function([X, Y], changed * 2 + X)
    check(f(A, B), (numpy.exp(A) + B) * 2 + A)


def test_a_loop_stays_before_an_op_that_changes_a_view_of_what_it_reads():
    v = Y + 1
    before = v * 2
    changed = clinch.set_subtensor(v[1:][0], 100, inplace=True)
    f = function([Y], before + changed.sum())
    check(f(B), (B + 1) * 2 + 100 + (B[2:] + 1).sum())


def test_a_copy_shares_the_fused_code():
    f = function([X, Y], X * Y + 1)
    g = f.copy()
    check(g(A, B), A * B + 1)
    assert f.key == g.key


def test_linker_op_and_debug_mode_see_what_was_written():
    made = clinch.exp(X * Y) + 1
    for mode in (Mode(linker="op"), "DebugMode"):
        f = function([X, Y], made, mode)
        check(f(A, B), numpy.exp(A * B) + 1)
        assert "Composite" not in f.emit("graph")


def test_a_function_that_fused_is_pickled():
    import pickle
    f = function([X, Y], clinch.exp(X * Y) + 1)
    check(pickle.loads(pickle.dumps(f))(A, B), f(A, B))


def test_a_long_chain():
    made = X
    for _ in range(300):
        made = made * 1.01 + 0.5
    want = A
    for _ in range(300):
        want = want * 1.01 + 0.5
    f = function([X], made)
    assert len(loops(f)) == 1
    check(f(A), want)


def test_more_inputs_than_a_loop_takes():
    vs = [variable(array(4)) for _ in range(100)]
    total = vs[0]
    for v in vs[1:]:
        total = total + v
    f = function(vs, total)
    assert 1 < len(loops(f)) < 10
    check(f(*[array(4, seed=k) for k in range(100)]),
          sum(array(4, seed=k) for k in range(100)))


def test_a_composite_is_a_scalar_op_of_anyones():
    a, b = clinch.Scalar("float64")("a"), clinch.Scalar("float64")("b")
    op = Elemwise(Composite([a, b], [a * b, clinch.exp(a)]))
    f = function([X, Y], op(X, Y), mode="DebugMode")
    got = f(A, B)
    check(got[0], A * B)
    check(got[1], numpy.exp(A))
    assert str(op) == "Elemwise{Composite{mul(i0, i1), exp(i0)}}"
    with pytest.raises(TypeError, match="takes Scalar"):
        op(variable(array(3, "int8")), Y)
    with pytest.raises(ValueError, match="is neither an input of the "
                                         "Composite nor computed in it"):
        Composite([a], [a * b])


def test_loops_that_would_wait_for_one_another_stay_apart():
    """Found by the random search, where fusing never ended."""
    a = numpy.linspace(0, 1, 6).reshape(6, 1) + 0.5j
    b = numpy.arange(1, 7, dtype="uint8").reshape(6, 1)

    def make(x, y):
        turned = numpy.arctan(x.real)[::-1]
        chosen = numpy.where(numpy.equal(y, y), y, x.real)
        ratio = numpy.exp(numpy.minimum(x.real, y)) / numpy.maximum(
            numpy.sin(y.astype("float64")), chosen)
        some = numpy.logical_or(
            numpy.expm1(numpy.square(y).astype("float64")), y)
        mean = numpy.minimum(y, y).mean(axis=None, keepdims=True)
        return [-y, numpy.logical_and(y, numpy.isnan(x / turned)),
                (some - ratio) * numpy.square(mean).astype("float32")]

    x, y = variable(a), variable(b)
    with numpy.errstate(all="ignore"):
        wanted = make(a, b)
    for got, want in zip(function([x, y], make(x, y))(a, b), wanted):
        check(got, want)


def _chain(count):
    made = X
    for k in range(count):
        made = made * 1.01 if k % 2 else made + 0.5
    return [X], [made]


def _tree(count):
    given = [variable(array(4)) for _ in range(32)]
    level = [given[k % 32] for k in range(count)]
    while len(level) > 1:
        level = [a + b for a, b in zip(level[::2], level[1::2])]
    return given, level


def _rows(count):
    """Each value is used twice."""
    given = row = [variable(array(4)) for _ in range(16)]
    for _ in range(count // 16):
        row = [a * b for a, b in zip(row, row[1:] + row[:1])]
    return given, row


def _fan(count):
    """Loops that share one array, and that nothing else unites."""
    others = [variable(array(4)) for _ in range(count)]
    return [X, *others], [X[0] * other for other in others]


def _behind_sums(count):
    made = X
    for _ in range(count // 2):
        made = clinch.exp(made) + made.sum()
    return [X], [made]


@pytest.mark.parametrize("make", [_chain, _tree, _rows, _fan, _behind_sums])
def test_twice_the_applies_are_twice_the_steps(make):
    """The calls of functions are counted, which also resume generators."""
    def steps(count):
        graph, calls = make(count), 0

        def called(frame, event, argument):
            nonlocal calls
            calls += event == "call"

        sys.setprofile(called)
        try:
            fuse(*graph)
        finally:
            sys.setprofile(None)
        return calls

    steps(16)  # Imports what it needs.
    assert steps(1024) < 2.2 * steps(512)


def test_rows_of_loops_compute_what_they_did():
    given, row = _rows(400)
    f = function(given, row)
    values = [1 + array(4, seed=k) * 1e-4 for k in range(16)]
    for got, want in zip(f(*values), function(given, row,
                                              mode=Mode(fuse=False))(*values)):
        check(got, want)


def test_a_loop_joins_a_deeper_one_over_the_same_array():
    doubled = X * 2
    f = function([X], [X + 1, doubled.sum(axis=0) + 3, doubled])
    assert len(loops(f)) == 2
    for got, want in zip(f(A), (A + 1, (A * 2).sum(0) + 3, A * 2)):
        check(got, want)


def heat(u, steps):
    for _ in range(steps):
        u = u + 0.1 * (numpy.roll(u, 1) - 2 * u + numpy.roll(u, -1))
    return u


def test_the_loops_of_time_steps_are_compiled_once():
    """Their text, and the time to compile it, grow as the graph does."""
    x = vector("x")
    made = {n: function([x], heat(x, n), "fast") for n in (1, 2, 20, 40)}
    texts = {n: f.emit("c") for n, f in made.items()}
    assert [text.count("_kernel(char") for text in texts.values()] == [1] * 4
    assert texts[40].count("clinch_run_loop((") == 40
    assert len(texts[40]) - len(texts[20]) < 25 * (len(texts[2]) - len(texts[1]))
    values = numpy.random.default_rng(0).normal(size=7)
    for n, f in made.items():
        numpy.testing.assert_array_equal(f(values), heat(values, n))


def test_numbers_in_keys_are_no_constants_of_the_graph():
    x = TensorType("float64", (4, 5))("x")
    place = x[1, 2:4]
    assert place.owner.inputs == [x] and str(place.owner.op) == "Index[1, 2:4:]"
    assert str(x[:, ::-1].owner.op) == "Index[::, ::-1]"
    i = TensorType("int64", ())("i")
    assert str(x[i, 1:i].owner.op) == "Index[i, 1:i:]"
    f = function([x], sum(x[0, k] for k in range(5)), "fast")
    assert f.emit("c").count("a constant") == 0


def test_a_loop_of_an_authors_op_keeps_its_name():
    x = vector("x")

    class Own(TextOp):
        def c_support_code_apply(self, node, name):
            return f"static double calls_{name} = 0;"

    op = Elemwise(Own("{z} = {x} + 1;"))
    text = function([x], [op(x), op(x[::-1])], "fast").emit("c")
    assert text.count("static double calls_node_") == 2
