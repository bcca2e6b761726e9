"""Shipped Types and Ops answer in Python to the hooks that they have in C++, so
that an author's Op can put their text into a loop of its own."""

import numpy
import pytest

import clinch
from clinch import (Apply, CDataType, COp, ExternalCOp, Op, Scalar, TensorType, double,
                    function, generic)
from clinch.testing import TextOp
from clinch.ops.scalar_ops import scalar_ops


class Loop(COp):
    """Any scalar Op over vectors of one length, with a `fail` of its own."""

    __props__ = ("op",)

    def __init__(self, op):
        self.op = op

    def make_node(self, *inputs):
        made = self.inner(inputs).outputs[0].type.dtype
        return Apply(self, inputs, [TensorType(made, (None,))()])

    def inner(self, inputs):
        return self.op.make_node(*[Scalar(v.type.dtype)() for v in inputs])

    def c_headers(self, c_compiler=None):
        return self.op.c_headers(c_compiler)

    def c_support_code(self, **kwargs):
        return self.op.c_support_code()

    def c_support_code_apply(self, node, name):
        return self.op.c_support_code_apply(self.inner(node.inputs), name)

    def c_code(self, node, name, inputs, outputs, sub):
        inner = self.inner(node.inputs)
        numbers = [f"item_{k}" for k in range(len(inputs))]
        fail = ('{ PyErr_Format(PyExc_ArithmeticError, "item %zd", i); '
                f"{sub['fail']} }}")
        own = dict(sub, fail=fail)
        reads, sets = [], []
        for v, number, array in zip(inner.inputs, numbers, inputs):
            reads.append(v.type.c_declare(number, own))
            sets.append(f"{number} = *({v.type.c_element_type()} *)"
                        f"PyArray_GETPTR1({array}, i);")
        (z,), (made,) = outputs, inner.outputs
        return "\n".join([
            f"npy_intp n = PyArray_DIMS({inputs[0]})[0];",
            f"Py_XDECREF({z});",
            f"{z} = (PyArrayObject *)PyArray_EMPTY(1, &n, "
            f"{numpy.dtype(made.type.dtype).num}, 0);",
            f"if (!{z}) {{ {sub['fail']} }}",
            "for (npy_intp i = 0; i < n; ++i) {", *reads,
            made.type.c_declare("made", own), *sets,
            "{", self.op.c_code(inner, name, numbers, ["made"], own), "}",
            f"*({made.type.c_element_type()} *)PyArray_GETPTR1({z}, i) = made;",
            "}"])

    def c_code_cache_version(self):
        return (1, self.op.c_code_cache_version())


#: An author's own scalar Op.
root = TextOp("""
    if ({x} < 0) {fail}
    {z} = sqrt({x});""", headers=['<math.h>'])


def loop(op, *arrays):
    arrays = [numpy.asarray(a) for a in arrays]
    variables = [TensorType(a.dtype, (None,))() for a in arrays]
    return function(variables, Loop(op)(*variables))(*arrays)


REALS = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float32",
         "float64", "complex64", "complex128"]


@pytest.mark.parametrize("name", sorted(scalar_ops))
def test_an_authors_loop_takes_every_scalar_op(name):
    op = scalar_ops[name]
    compiled = 0
    for dtype in ("int32", "float64", "complex128"):
        kind = Scalar(dtype)
        numbers = [kind() for _ in range(op.arity)]
        try:
            single = function(numbers, op(*numbers))
        except (TypeError, clinch.GraphError):
            continue  # Not defined for these.
        values = [[2, 1, 3][:3] for _ in range(op.arity)]
        got = loop(op, *[numpy.array(v, dtype) for v in values])
        want = [single(*[kind._class(v[i]) for v in values]) for i in range(3)]
        numpy.testing.assert_array_equal(got, numpy.array(want, got.dtype))
        compiled += 1
    assert compiled


def test_fail_is_the_loops_own():
    with pytest.raises(ArithmeticError, match="item 1"):
        loop(scalar_ops["int_div"], [4, 5], [2, 0])


def test_an_op_of_the_authors_own():
    numpy.testing.assert_array_equal(loop(root, [4.0, 9.0]), [2.0, 3.0])
    with pytest.raises(ArithmeticError, match="item 2"):
        loop(root, [4.0, 9.0, -1.0])


def test_casts_and_generic_ops_answer():
    node = clinch.tensor.cast_int8.make_node(double("x"))
    assert clinch.tensor.cast_int8.c_code(node, "n", ["a"], ["z"], {}) == \
        "z = (npy_int8)clinch_to_int(a);"
    assert "clinch_to_int" in clinch.tensor.cast_int8.c_support_code()[0]
    v = TensorType("float64", (None,))("v")
    text = clinch.deep_copy_op.c_code(clinch.deep_copy_op.make_node(v), "n",
                                      ["a"], ["z"], {"fail": "goto out;"})
    assert "z = " in text and "goto out;" in text
    assert clinch.shape.c_code(clinch.shape.make_node(v), "n", ["a"], ["z"],
                               {"fail": "goto out;"})


TYPES = [double, Scalar("int16"), TensorType("float32", (None, 2)), generic,
         CDataType("struct table *", "free", version=1)]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_types_answer_to_all_hooks(kind):
    sub = {"fail": "{goto out;}"}
    assert "V" in kind.c_declare("V", sub)
    for hook in ("c_init", "c_extract", "c_extract_out", "c_sync", "c_cleanup"):
        assert isinstance(getattr(kind, hook)("V", sub), str)
    if kind != generic:  # Which takes anything.
        assert "goto out" in kind.c_extract("V", sub)
    for hook in ("c_headers", "c_header_dirs", "c_libraries", "c_lib_dirs",
                 "c_compile_args", "c_no_compile_args"):
        assert isinstance(getattr(kind, hook)(), list)
        assert isinstance(getattr(kind, hook)(c_compiler="c"), list)
    assert isinstance(kind.c_support_code(), list)
    assert isinstance(kind.c_init_code(), list)
    assert kind.c_compiler() in ("", "c", "c++")
    assert isinstance(kind.c_is_simple(), bool)
    assert isinstance(kind.c_element_type(), str)


def test_literals():
    assert double.c_literal(2.5) == "(2.5)"
    assert "7" in Scalar("int8").c_literal(numpy.int8(7))
    assert generic.c_literal([1]) == ""


FILE = """
#section support_code_apply
static double APPLY_SPECIFIC(twice)(double x) { return 2 * x; }
#section code
OUTPUT_0 = APPLY_SPECIFIC(twice)(INPUT_0);
if (OUTPUT_0 < 0) FAIL;
"""


@pytest.fixture
def twice(tmp_path):
    (tmp_path / "twice.c").write_text(FILE)

    class Twice(ExternalCOp):
        __props__ = ()

        def __init__(self):
            super().__init__(str(tmp_path / "twice.c"))

        def make_node(self, x):
            return Apply(self, [x], [x.type()])

    return Twice


def test_an_external_op_is_a_cop_and_answers(twice):
    op = twice()
    assert isinstance(op, COp) and isinstance(op, Op)
    x = double("x")
    node = op.make_node(x)
    code = op.c_code(node, "n7", ["a"], ["z"], {"fail": "goto out;"})
    assert "goto out;" in code
    assert "n7" in op.c_support_code_apply(node, "n7")
    assert op.c_support_code_struct(node, "n7") == ""
    assert function([x], op(x))(4.0) == 8.0


def test_a_subclass_changes_what_the_files_say(twice):
    class Thrice(twice):
        def c_code(self, node, name, inputs, outputs, sub):
            return super().c_code(node, name, inputs, outputs, sub) + \
                f"\n{outputs[0]} *= 1.5;"

    x = double("x")
    assert function([x], Thrice()(x))(4.0) == 12.0


def test_an_op_knows_no_other_hook():
    node = clinch.add.make_node(double(), double())
    with pytest.raises(AttributeError, match="an Op has no hook `c_cod`"):
        clinch.add._native.text("c_cod", node, "n")
