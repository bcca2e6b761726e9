"""What is kept of what PyTensor computes is what it would compute again."""

import textwrap

import numpy as np
import pytensor.tensor as pt
import pytensor.tensor.elemwise_cgen as elemwise_cgen
import pytest
from pytensor.link.c.params_type import ParamsType
from pytensor.scalar.basic import int64
from pytensor.tensor.shape import Shape_i

import pytensor


def sources(operator):
    """The C of two Elemwise, as their hooks say it."""
    x, y = pt.dmatrices("x", "y")
    column = pt.dcol("column")
    sub = {"fail": "{\n  goto end;\n}", "id": "1"}
    texts = []
    for inputs in ((x, y), (x, column)):
        node = operator(*inputs).owner
        names = [f"V{i}" for i in range(len(inputs))]
        node.op.prepare_node(node, None, None, "c")
        texts.append(node.op.c_code(node, "node", names, ["V9"], sub))
    return texts


@pytest.mark.parametrize("name", ["dedent", "indent"])
def test_texts_of_elemwise_are_the_same_kept_or_new(name, monkeypatch):
    kept = getattr(elemwise_cgen, name)
    first = sources(pt.add)
    hits = kept.cache_info().hits
    assert sources(pt.add) == first
    assert kept.cache_info().hits > hits
    monkeypatch.setattr(elemwise_cgen, name, getattr(textwrap, name))
    assert sources(pt.add) == first


def test_what_is_kept_of_texts_is_limited():
    for i in range(1000):
        assert elemwise_cgen.dedent(f"  a{i}\n    b") == f"a{i}\n  b"
    assert elemwise_cgen.dedent.cache_info().currsize <= 256


def test_no_op_is_touched():
    """PyTensor makes this one anew whenever it is asked; it is PyTensor's."""
    assert Shape_i(0).params_type == ParamsType(i=int64)
    assert Shape_i(0).params_type is not Shape_i(0).params_type


def test_other_shapes_and_orders_of_dimensions_in_one_function():
    m = pt.dmatrix("m")
    outputs = [m.T.dimshuffle(0, "x", 1), m.dimshuffle("x", 1, 0, "x"), m.T.dimshuffle(0, "x", 1)]
    f = pytensor.function([m], [*outputs, m.shape[1], m.shape[0]], mode="CLINCH")
    value = np.arange(6.0).reshape(2, 3)
    first, second, third, columns, rows = f(value)
    assert np.array_equal(first, value.T[:, None, :]) and np.array_equal(third, first)
    assert np.array_equal(second, value.T[None, :, :, None])
    assert (columns, rows) == (3, 2)
