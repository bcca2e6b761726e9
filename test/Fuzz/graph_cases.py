"""Random graphs, as plain data.

{language, inputs: [kind], nodes: [{op, text, from: [places]}], outputs: [places]}
A place is a number: inputs first, then nodes. kind: "traced", "double", or one of
VECTORS, by whose memory it is. Those have borrow: whether the outputs are borrowed.
"""

import clinch
import graph_ops
import numpy
from graph_texts import TEXTS

#: What meets the support code of others, or has some.
LEANING = [name for name, text in TEXTS.items() if text.support or text.clash]
ARRAY_WAYS = ("new", "in place", "view", "rest")
#: How an array is an input.
VECTORS = {"vector": {}, "default": {"value": graph_ops.DEFAULT},
           "mutable": {"mutable": True}, "borrowed": {"borrow": True}}


def make(draw):
    if draw.random() < 0.2:
        return _arrays(draw)
    language = draw.choice(["c", "c++"])
    names = [name for name, text in TEXTS.items()
             if text.language in (None, language)
             and (not text.refused(language) or draw.random() < 0.1)]
    if draw.random() < 0.15:
        names = [n for n in names if n in LEANING]
    inputs = [draw.choice(["traced", "traced", "double"])
              for _ in range(draw.randint(1, 3))]
    nodes = []
    for _ in range(draw.randint(1, 6)):
        known = len(inputs) + len(nodes)
        if draw.random() < 0.75:
            name = draw.choice(names)
            nodes.append(dict(op="text", text=name, of=[
                draw.randrange(known) for _ in range(draw.choice([1, 1, 2]))]))
            if TEXTS[name].clash:
                names = [n for n in names if TEXTS[n].clash != TEXTS[name].clash]
        else:
            op = draw.choice(["add", "mul", *graph_ops.SHIPPED])
            nodes.append(dict(op=op, of=[
                draw.randrange(known)
                for _ in range(graph_ops.SHIPPED[op][0])]))
    return dict(language=language, inputs=inputs, nodes=nodes,
                outputs=_ends(draw, inputs, nodes))


def _ends(draw, inputs, nodes):
    """All that nobody takes, so that each node is needed; and perhaps one."""
    places = range(len(inputs), len(inputs) + len(nodes))
    taken = {place for node in nodes for place in node["of"]}
    ends = {place for place in places if place not in taken}
    if draw.random() < 0.3:
        ends.add(draw.choice(places))
    return sorted(ends)


def _arrays(draw):
    inputs = [draw.choice(["vector", *VECTORS]) for _ in range(draw.randint(1, 2))]
    nodes = []
    for _ in range(draw.randint(1, 5)):
        if draw.random() < 0.2:
            nodes.append(dict(op="constant", of=[]))
        nodes.append(dict(op="array", text=draw.choice(ARRAY_WAYS), of=[
            draw.randrange(len(inputs) + len(nodes))]))
    places = range(len(inputs) + len(nodes))
    outputs = _ends(draw, inputs, nodes)
    outputs += [draw.choice(places) for _ in range(draw.choice([0, 0, 1, 2]))]
    return dict(language=draw.choice(["c", "c++"]), inputs=inputs, nodes=nodes,
                outputs=outputs, borrow=draw.random() < 0.2)


class Graph:
    """The Variables of a case. Each node's `fail` has a tag of its own."""

    def __init__(self, case):
        kinds = {"traced": lambda n: graph_ops.Traced(n + 1),
                 "double": lambda n: clinch.double,
                 **dict.fromkeys(VECTORS, lambda n: graph_ops.VECTOR)}
        self.inputs = [kinds[kind](n)(f"x{n}")
                       for n, kind in enumerate(case["inputs"])]
        # What no Op takes is looked at where there is one piece of code.
        taken = {place for node in case["nodes"] for place in node["of"]}
        self.sites = [n + 1 for n, kind in enumerate(case["inputs"])
                      if kind == "traced" and n in taken]
        made = list(self.inputs)
        for number, node in enumerate(case["nodes"], 1):
            tag = 100 * number
            given = [made[place] for place in node["of"]]
            made.append(self._apply(node, tag, given))
        self.outputs = [made[place] for place in case["outputs"]]
        self.ins = [clinch.In(v, **VECTORS.get(kind, {})) for v, kind in
                    zip(self.inputs, case["inputs"])]
        self.outs = [clinch.Out(v, borrow=case.get("borrow", False))
                     for v in self.outputs]

    def _apply(self, node, tag, given):
        if node["op"] == "constant":
            return graph_ops.VECTOR.make_constant(constant(tag))
        if node["op"] == "array":
            self.sites += [tag, tag + graph_ops.SPOILT]
            return graph_ops.OfArrays(node["text"], tag)(*given)
        if node["op"] != "text":
            given = [graph_ops.Plain()(v)
                     if isinstance(v.type, graph_ops.Traced) else v
                     for v in given]
            return getattr(clinch.tensor, node["op"])(*given)
        self.sites.append(tag)
        return graph_ops.Written(node["text"], tag)(*given)


def constant(tag):
    return numpy.arange(3.0) + tag


def expected(case, values):
    """What the outputs are, or None where only ways are compared."""
    made = list(values)
    for number, node in enumerate(case["nodes"], 1):
        given = [made[place] for place in node["of"]]
        if any(g is None for g in given):
            made.append(None)
        elif node["op"] == "constant":
            made.append(constant(100 * number))
        elif node["op"] == "array":
            op = graph_ops.OfArrays(node["text"], 0)
            made.append(op.value(given[0]))
        elif node["op"] == "text":
            value = TEXTS[node["text"]].value
            result = value(given[0]) if callable(value) else None
            for x in given[1:]:
                result = None if result is None else result + x
            made.append(result)
        else:
            value = graph_ops.SHIPPED[node["op"]][1]
            made.append(value(*given) if value else None)
    return [made[place] for place in case["outputs"]]


def smaller(case):
    """Simpler cases, in which each node is still for something."""
    return (simpler for simpler in _simpler(case) if _all_reached(simpler))


def _all_reached(case):
    count = len(case["inputs"])
    waiting, reached = list(case["outputs"]), set()
    while waiting:
        place = waiting.pop()
        if place >= count and place not in reached:
            reached.add(place)
            waiting += case["nodes"][place - count]["of"]
    return len(reached) == len(case["nodes"])


def _simpler(case):
    """Graphs with less in them."""
    for way in case.get("ways", []):
        if len(case["ways"]) > 2:
            yield {**case, "ways": [w for w in case["ways"] if w is not way]}
    for place in case["outputs"]:
        if len(case["outputs"]) > 1:
            yield {**case, "outputs": [p for p in case["outputs"]
                                       if p != place]}
    count = len(case["inputs"])
    for number, node in enumerate(case["nodes"]):
        if len(case["nodes"]) > 1 and node["of"]:
            yield _without(case, count + number, node["of"][0])
        if len(node["of"]) > 1 and node["op"] == "text":
            nodes = list(case["nodes"])
            nodes[number] = {**node, "of": node["of"][:1]}
            yield {**case, "nodes": nodes}
        if node["op"] == "text" and node["text"] != "comma":
            nodes = list(case["nodes"])
            nodes[number] = {**node, "text": "comma"}
            yield {**case, "nodes": nodes}
    for place, kind in enumerate(case["inputs"]):
        if kind == "traced":
            inputs = list(case["inputs"])
            inputs[place] = "double"
            yield {**case, "inputs": inputs}


def _without(case, gone, instead):
    def moved(place):
        if place == gone:
            place = instead
        return place - (place > gone)
    count = len(case["inputs"])
    nodes = [{**node, "of": [moved(p) for p in node["of"]]}
             for n, node in enumerate(case["nodes"], count) if n != gone]
    outputs = [moved(p) for p in case["outputs"]]
    if "borrow" not in case:
        outputs = [p for p in sorted(set(outputs)) if p >= count] or [
            count + len(nodes) - 1]
    return {**case, "nodes": nodes, "outputs": outputs}
