"""What PyTensor's Types and Ops say is compiled and run without PyTensor, so that
a rule that refuses their texts is seen where PyTensor is not tried."""

import json
import pathlib

import numpy
import pytest

from clinch import Apply, Constant, COp, Type, _clinch, headers
from clinch.tensor.blas_library import find

#: Of PyTensor 2, and more of PyTensor 3.
GRAPHS = {
    name: graph for file in ("pytensor-texts.json", "pytensor-3-texts.json")
    for name, graph in json.loads((pathlib.Path(__file__).parent / "Inputs" /
                                   file).read_text())["graphs"].items()}
#: Ops of these say `#include <vector>` and the like.
ONLY_CXX = {"fused", "add", "sum of rows", "max", "mixed", "dot", "transposed",
            "column", "complex", "size of complex", "gamma and beta"}

#: By SciPy: gammainc(a, b) + betainc(a, b, 0.25).
GAMMA_BETA = [1.7786628715645705, 1.3300639640362653, 0.77484348176688,
              0.25722390000682216, 0.019811628308279428]
ROW, OTHER = numpy.linspace(-2, 2, 5), numpy.linspace(0.5, 3, 5)
TABLE = numpy.linspace(-1, 1, 12).reshape(3, 4)
#: Arguments, and what comes of them.
VALUES = {
    "fused": ([ROW, OTHER], numpy.tanh(ROW * OTHER + numpy.exp(-OTHER))),
    "add": ([ROW, OTHER], ROW + OTHER),
    "sum of rows": ([TABLE], TABLE.sum(axis=1)),
    "max": ([TABLE], TABLE.max()),
    "slice": ([ROW], ROW[1:3]),
    "item": ([TABLE], TABLE[1]),
    "mixed": ([ROW.astype("float32"), OTHER], ROW.astype("float32") + OTHER),
    "inc": ([ROW, OTHER[:2]], ROW + [0, OTHER[0], OTHER[1], 0, 0]),
    "join": ([ROW, OTHER], numpy.concatenate([ROW, OTHER])),
    "dot": ([TABLE, TABLE.T], TABLE @ TABLE.T),
    "transposed": ([TABLE], numpy.exp(TABLE.T)),
    "column": ([TABLE, ROW[:3]], TABLE * ROW[:3, None]),
    "complex": ([ROW + 1j * OTHER],
                (ROW + 1j * OTHER)**2 + (ROW + 1j * OTHER)),
    "size of complex": ([ROW + 1j * OTHER], numpy.hypot(ROW, OTHER)),
    "gamma and beta": ([OTHER, OTHER[::-1].copy()], numpy.array(GAMMA_BETA)),
}


def filled(text, sub, **names):
    for key, value in {**names, "FAIL": sub.get("fail", ""),
                       "P": sub.get("params", "")}.items():
        text = text.replace(f"@{key}@", value)
    return text


#: What NumPy 2 has, and PyTensor uses, as NumPy's own header for both has it.
COMPLEX = "".join(
    f"#define NPY_CSET{part}{suffix}(z, x) (z)->{part.lower()} = (x)\n"
    for part in ("REAL", "IMAG") for suffix in ("", "F", "L"))


class Saying:
    """Hooks that ask nobody."""

    def __init__(self, said):
        self.said = said

    def c_headers(self, **kwargs):
        return self.said["c_headers"]

    def c_support_code(self, **kwargs):
        texts = self.said["c_support_code"]
        seen = numpy.__version__ if headers.folders() else _clinch.built_for_numpy
        if seen < "2" and any("NPY_CSET" in t for t in texts):
            return [COMPLEX, *texts]
        return texts

    def c_init_code(self, **kwargs):
        return self.said["c_init_code"]

    def c_code_cache_version(self):
        return (1,)


class Said(Saying, Type):
    @property
    def holds_arrays(self):
        return "PyArrayObject" in self.said["c_declare"]

    def __eq__(self, other):
        return type(self) is type(other) and self.said == other.said

    def __hash__(self):
        return hash(self.said["c_declare"])

    def filter(self, value, strict=False, allow_downcast=None):
        return value

    def c_declare(self, name, sub, check_input=True):
        return filled(self.said["c_declare"], sub, NAME=name)

    def c_init(self, name, sub):
        return filled(self.said["c_init"], sub, NAME=name)

    def c_extract(self, name, sub, check_input=True):
        return filled(self.said["c_extract"], sub, NAME=name)

    def c_sync(self, name, sub):
        return filled(self.said["c_sync"], sub, NAME=name)

    def c_cleanup(self, name, sub):
        return filled(self.said["c_cleanup"], sub, NAME=name)


class Done(Saying, COp):
    def __init__(self, said, outputs, params_type=None):
        super().__init__(said)
        self.types = outputs
        self.params_type = params_type
        for name in ("destroy_map", "view_map"):
            setattr(self, name, {int(k): v for k, v in said[name].items()})

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [t() for t in self.types])

    @property
    def blas(self):
        return find() if self.said["name"] == "Dot22" else None

    def c_libraries(self, **kwargs):
        return self.blas.libraries if self.blas else []

    def c_lib_dirs(self, **kwargs):
        return self.blas.folders if self.blas else []

    def c_compile_args(self, **kwargs):
        return [f"-D{name}={self.blas.prefix}{name}"
                for name in ("sgemm_", "dgemm_")] if self.blas else []

    def get_params(self, node):
        return {name: numpy.array(value, dtype)[()]
                for name, (dtype, value) in self.said["params"][1].items()}

    def text(self, hook, name, inputs=(), outputs=(), sub=()):
        names = {f"I{n}": v for n, v in enumerate(inputs)}
        names.update({f"O{n}": v for n, v in enumerate(outputs)})
        return filled(self.said[hook], dict(sub), NODE=name, **names)

    def c_code(self, node, name, inputs, outputs, sub):
        return self.text("c_code", name, inputs, outputs, sub)

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self.text("c_code_cleanup", name, inputs, outputs, sub)

    def c_support_code_apply(self, node, name):
        return self.text("c_support_code_apply", name)

    def c_support_code_struct(self, node, name):
        return self.text("c_support_code_struct", name)

    def c_init_code_struct(self, node, name, sub):
        return self.text("c_init_code_struct", name, sub=sub)


def built(graph):
    """Its inputs, and its output."""
    types = [Said(said) for said in graph["types"]]
    of = [types[kind] for kind in graph["variables"]]
    made = {place: of[place](f"x{place}") for place in graph["inputs"]}
    for place, dtype, value in graph["constants"]:
        value = numpy.array(value, dtype)
        made[place] = Constant(
            of[place], value if of[place].holds_arrays else value[()])
    for node in graph["nodes"]:
        params = node.get("params")
        op = Done(node, [of[place] for place in node["outputs"]],
                  params and types[params[0]])
        apply = op.make_node(*[made[place] for place in node["inputs"]])
        made.update(zip(node["outputs"], apply.outputs))
    return [made[place] for place in graph["inputs"]], made[graph["output"]]


@pytest.mark.parametrize(("tier", "form"), [
    ("fast", "struct"), ("fast", "function"), ("default", "struct"),
    ("max", "struct")])
@pytest.mark.parametrize(("name", "language"), [
    (name, language) for name in GRAPHS for language in ("c++", "c")
    if language == "c++" or name not in ONLY_CXX])
def test_what_pytensor_says_means_what_it_says(name, language, tier, form):
    inputs, output = built(GRAPHS[name])
    given, expected = VALUES[name]
    # As PyTensor's linkers are: a c_sync of theirs may fail.
    program = _clinch.Program(inputs, [output], language=language, tier=tier,
                              form=form, sync_may_fail=True)
    thunk, places = program.instantiate(), list(map(id, program.cells))
    for _ in range(2):
        for variable, value in zip(inputs, given):
            thunk.cells[places.index(id(variable))][0] = numpy.array(value)
        thunk()
        result = thunk.cells[places.index(id(output))][0]
        numpy.testing.assert_allclose(result, expected, rtol=1e-6)
        assert numpy.asarray(result).dtype == numpy.asarray(expected).dtype


def test_every_graph_has_values():
    assert set(VALUES) == set(GRAPHS)
