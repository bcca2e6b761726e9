"""Ops without C in a default function."""

import numpy
import pytest

import clinch
from arrays import array, check, variable
from clinch import Apply, COp, Mode, Op, double, function


class Python(Op):
    """x + 1, by Python alone."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] + 1


class FindsOut(COp):
    """Has C for some, and finds out late that this is not one of them."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        raise NotImplementedError("not for these")

    perform = Python.perform


class Nothing(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])


def pieces(f):
    return f.emit("c").count("// piece ")


@pytest.mark.parametrize("op", [Python(), FindsOut()], ids=str)
def test_the_graph_is_cut_around_an_op_without_c(op):
    x, y = double("x"), double("y")
    f = function([x, y], op(x * y) + x * 2 - op(y))
    assert f(2.0, 3.0) == 7.0 + 4.0 - 4.0
    assert pieces(f) == 4
    assert f.emit("c").count("runs its perform") == 2


def test_pieces_are_as_large_as_possible():
    x = double("x")
    late = x
    for _ in range(20):
        late = late * 1.5 + 1.0
    f = function([x], [Python()(x) * 2.0, late, Python()(late)])
    assert pieces(f) == 4
    want = 3.0
    for _ in range(20):
        want = want * 1.5 + 1.0
    assert f(3.0) == [8.0, want, want + 1]


def test_arrays_are_fused_in_each_piece():
    x = variable(array((3, 4)), "x")
    f = function([x], clinch.exp(Python()(x * 2 + 1)) * x)
    a = array((3, 4))
    check(f(a), numpy.exp(a * 2 + 2) * a)
    assert f.emit("graph").count("Composite{") == 2


def test_linker_graph_stays_strict():
    x = double("x")
    with pytest.raises((clinch.HookError, NotImplementedError)):
        function([x], Python()(x), mode=Mode(linker="graph"))


def test_an_op_with_neither():
    x = double("x")
    with pytest.raises((clinch.HookError, NotImplementedError)):
        function([x], Nothing()(x))


def test_a_failure_in_python_is_shown():
    class Fails(Python):
        def perform(self, node, inputs, output_storage):
            raise KeyError("no such thing")

    x = double("x")
    f = function([x], Fails()(x * 2) + 1)
    with pytest.raises(KeyError) as raised:
        f(1.0)
    assert "`Fails.perform` failed" in raised.value.__notes__[0]


def test_a_copy_of_a_cut_function():
    x = double("x")
    f = function([x], Python()(x * 2))
    assert f.copy()(3.0) == 7.0 == f(3.0)


def test_what_is_destroyed_stays_in_order():
    x = variable(array(3), "x")
    t = x * 2
    changed = clinch.tensor.Elemwise(clinch.add, inplace={0: 0})(t, x)
    f = function([x], [Python()(t).sum(), changed])
    a = array(3)
    total, result = f(a)
    check(total, (a * 2 + 1).sum())
    check(result, a * 3)
