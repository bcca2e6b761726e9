#!/usr/bin/env python3
"""Writes down what PyTensor's Types and Ops say for some graphs, with `@NAME@`
and its like where a linker fills something in: record_texts.py OUT.json [NAME...]

test/Python/test_pytensor_texts.py compiles and runs it without PyTensor.
"""

import json
import sys

import numpy
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.graph.utils import MethodNotDefined

SUB = {"fail": "@FAIL@"}


def said(provider, name, *arguments):
    """What a hook says; nothing where there is none."""
    try:
        return getattr(provider, name)(*arguments) or ""
    except (AttributeError, MethodNotDefined, NotImplementedError):
        return ""


def lists(provider):
    """What stands before all blocks."""
    found = {}
    for name in ("c_headers", "c_support_code", "c_init_code"):
        texts = said(provider, name)
        found[name] = [texts] if isinstance(texts, str) else list(texts)
        found[name] = [text for text in found[name] if text]
    return found


def type_texts(kind):
    return {**lists(kind), **{
        name: said(kind, name, "@NAME@", SUB)
        for name in ("c_declare", "c_init", "c_extract", "c_sync", "c_cleanup")}}


def op_texts(node):
    # A variable that is given twice has one name.
    inputs = [f"@I{node.inputs.index(v)}@" for v in node.inputs]
    outputs = [f"@O{n}@" for n in range(len(node.outputs))]
    around = (inputs, outputs, {**SUB, "params": "@P@"})
    arguments = {"c_code": around, "c_code_cleanup": around,
                 "c_support_code_apply": (), "c_support_code_struct": (),
                 "c_init_code_struct": (SUB,)}
    return {
        **lists(node.op), "name": type(node.op).__name__,
        "destroy_map": {str(k): v for k, v in node.op.destroy_map.items()},
        "view_map": {str(k): v for k, v in node.op.view_map.items()},
        **{name: said(node.op, name, node, "@NODE@", *more)
           for name, more in arguments.items()}}


class Recorder:
    """The variables of a graph are numbered as they are met."""

    def __init__(self):
        self.places, self.kinds, self.types, self.constants = {}, [], [], []

    def kind(self, of):
        texts = type_texts(of)
        if texts not in self.types:
            self.types.append(texts)
        return self.types.index(texts)

    def place(self, variable):
        if variable not in self.places:
            self.places[variable] = len(self.kinds)
            self.kinds.append(self.kind(variable.type))
            if (data := getattr(variable, "data", None)) is not None:
                value = numpy.asarray(data)
                self.constants.append([self.places[variable],
                                       str(value.dtype), value.tolist()])
        return self.places[variable]

    def params(self, node):
        """[the number of their Type, {name: [dtype, value]}], or None."""
        kind = getattr(node.op, "params_type", None)
        if kind is None:
            return None
        values = {name: numpy.asarray(value)
                  for name, value in node.op.get_params(node).items()}
        return [self.kind(kind), {name: [str(v.dtype), v.tolist()]
                                  for name, v in values.items()}]

    def record(self, inputs, output, optimizer="fast_run"):
        made = pytensor.function(
            inputs, output, mode=Mode(linker="py", optimizer=optimizer))
        graph = made.maker.fgraph
        given = [self.place(v) for v in graph.inputs]
        nodes = [{**op_texts(node), "params": self.params(node),
                  "inputs": [self.place(v) for v in node.inputs],
                  "outputs": [self.place(v) for v in node.outputs]}
                 for node in graph.toposort()]
        without = [node["name"] for node in nodes if not node["c_code"]]
        if without:
            raise SystemExit(f"PyTensor has no C for {without}")
        return dict(inputs=given, nodes=nodes, variables=self.kinds,
                    types=self.types, constants=self.constants,
                    output=self.place(graph.outputs[0]))


def main():
    # Dot22 has C where there is a BLAS; which one, its reader knows.
    pytensor.config.blas__ldflags = "-lblas"
    x, y, m = pt.dvector("x"), pt.dvector("y"), pt.dmatrix("m")
    f, n, z = pt.fvector("f"), pt.dmatrix("n"), pt.zvector("z")
    graphs = {
        "fused": ([x, y], pt.tanh(x * y + pt.exp(-y))),
        "add": ([x, y], x + y),
        "sum of rows": ([m], m.sum(axis=1)),
        "max": ([m], m.max()),
        "slice": ([x], x[1:3]),
        "item": ([m], m[1]),
        "mixed": ([f, x], f + x),
        "inc": ([x, y], pt.inc_subtensor(x[1:3], y)),
        "join": ([x, y], pt.join(0, x, y)),
        "dot": ([m, n], pt.dot(m, n)),
        "transposed": ([m], pt.exp(m.T)),
        "column": ([m, x], m * x.dimshuffle(0, "x")),
        "complex": ([z], z * z + z, None),
        "size of complex": ([z], abs(z), None),
        # Each has an EPSILON of its own.
        "gamma and beta": ([x, y], pt.gammainc(x, y) + pt.betainc(x, y, 0.25),
                           None),
    }
    graphs = {name: graphs[name] for name in sys.argv[2:] or graphs}
    found = {"from": f"PyTensor {pytensor.__version__} (BSD 3-Clause, "
                     "https://github.com/pymc-devs/pytensor), by "
                     "test/PyTensor/record_texts.py",
             "graphs": {name: Recorder().record(*graph)
                        for name, graph in graphs.items()}}
    with open(sys.argv[1], "w") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
