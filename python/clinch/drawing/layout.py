"""Places everything in a drawing: the graph on the left, the ladder of its
blocks on the right.

The graph is drawn in layers, inputs on top. A value that comes from far away
(an input, a constant, a result from more than a few layers above) is drawn
again, by name, where it is used, so that no line crosses the page. Long graphs
and ladders continue in another column.

Few machines have Graphviz, so the layout is done here and is the same
everywhere.
"""

from __future__ import annotations

from ..annotations import Any
from .model import Gap, op_name, shortened, starts_new_ladder
from .scene import ROW, Scene, text_width

LAYER = 44        # From one layer of the graph to the next.
LAYERS = 22       # Layers in a column.
RUNGS = 44        # Rungs in a column.
NEAR = 3          # A line spans no more layers than this.
TOP, LEFT, GAP = 44, 12, 10

_INPUT, _CONSTANT, _VALUE = "#dbe9ff", "#eeeeee", "#ffffff"
_APPLY, _OUTPUT = "#fff3d6", "#d9f2d9"
_BLOCK, _LABEL, _FAIL = "#f4f4f4", "#ffe3e3", "#b04040"


class Node:
    """An apply, or a value that is drawn again, in a layer."""

    def __init__(self, text: str, fill: Any, layer: Any, value: Any = None) -> None:
        self.text, self.fill, self.layer, self.value = text, fill, layer, value
        self.givers: list[Node] = []
        self.takers: list[Node] = []
        self.x = 0.0
        self.width = text_width(text)


def layout(drawn: Any) -> Any:
    """Returns the scene of a drawing."""
    scene, right = Scene(), LEFT - 3 * GAP
    if drawn.outputs:
        right = _draw_graph(scene, _layers(drawn))
    _draw_ladder(scene, drawn.rungs, right + 3 * GAP)
    return scene


def _draw_graph(scene: Any, layers: Any) -> Any:
    """Draws the graph; returns the x of its right edge."""
    scene.title(LEFT, 20, "graph")
    left = LEFT
    for first in range(0, len(layers), LAYERS):
        column = layers[first:first + LAYERS]
        _place(column)
        lowest = min(n.x - n.width / 2 for row in column for n in row)
        for y, row in enumerate(column):
            for node in row:
                node.x += left - lowest
                scene.box(node.x, TOP + y * LAYER, node.text, node.fill,
                          node.value is None, node.value == "again",
                          node.width)
        _lines(scene, column)
        left = 2 * GAP + max(n.x + n.width / 2 for row in column for n in row)
    return left


def _lines(scene: Any, column: Any) -> None:
    for y, row in enumerate(column):
        for node in row:
            ends = [(g, column.index(next(r for r in column if g in r)))
                    for g in node.givers]
            for k, (giver, above) in enumerate(ends):
                spread = (k - (len(ends) - 1) / 2) * min(
                    14, node.width / (len(ends) + 1))
                scene.edge((giver.x, TOP + above * LAYER + ROW / 2 - 2),
                           (node.x + spread, TOP + y * LAYER - ROW / 2 + 1))


def _layers(drawn: Any) -> Any:
    """Returns lists of nodes; the givers of a node are in layers above it."""
    made: dict[int, Node] = {}
    depth: dict[int, int] = {}
    names = drawn.names
    wanted = {id(v) for v in drawn.outputs}
    inputs = {id(v) for v in drawn.inputs}
    layers: list[list[Node]] = [[]]
    floor = 1
    for apply in drawn.applies:
        if isinstance(apply, Gap):
            floor = len(layers) + 1
            layers += [[], []]
            layers[-2].append(Node(f"… {apply.count} more …", _VALUE,
                                   floor - 1))
            continue
        layer = max([floor] + [depth[id(v)] + 1 for v in apply.inputs
                               if id(v) in depth and id(v) not in inputs])
        layers += [[] for _ in range(layer + 1 - len(layers))]
        fill = _OUTPUT if any(id(v) in wanted for v in apply.outputs) \
            else _APPLY
        results = ", ".join(names(v) for v in apply.outputs)
        node = Node(f"{results} = {shortened(op_name(apply), 26)}", fill,
                    layer)
        layers[layer].append(node)
        for v in apply.inputs:
            node.givers.append(_giver(v, node, names, made, inputs, layers))
        for v in apply.outputs:
            made[id(v)], depth[id(v)] = node, layer
    for v in drawn.outputs:  # Inputs and constants that are also outputs.
        if id(v) not in made:
            layers[0].append(Node(f"{names(v)} (given back)", _OUTPUT, 0))
    return layers if layers[0] else layers[1:]


def _giver(variable: Any, taker: Any, names: Any, made: Any, inputs: Any,
           layers: Any) -> Any:
    """Returns the node that a line starts from: the apply if it is near, else
    the value, drawn again just above the taker."""
    maker: Any = None if id(variable) in inputs else made.get(id(variable))
    near = maker is not None and taker.layer - maker.layer <= NEAR \
        and taker.layer // LAYERS == maker.layer // LAYERS
    if near and taker.layer % LAYERS:
        maker.takers.append(taker)
        return maker
    fill, kind = _VALUE, "again"
    if id(variable) in inputs:
        fill, kind = _INPUT, "leaf"
    elif variable.owner is None:
        fill, kind = _CONSTANT, "leaf"
    # The first layer of a column has no layer above it to draw in.
    layer = taker.layer - 1 if taker.layer % LAYERS else taker.layer
    node = Node(shortened(names(variable), 20), fill, layer, kind)
    node.takers.append(taker)
    layers[layer].append(node)
    return node


def _place(column: Any) -> None:
    """Sets the x of a column's nodes, from the lowest layer up: each is above
    its takers, and a chain is vertical."""
    for row in reversed(column):
        for node in row:
            wishes = [t.x + _offset(node, t) for t in node.takers]
            node.x = sum(wishes) / len(wishes) if wishes else 0.0
        row.sort(key=lambda n: n.x)
        moves: list[tuple[bool, float]] = []
        end: Any = None
        for node in row:
            x = node.x if end is None else max(
                node.x, end + GAP + node.width / 2)
            moves.append((node.value is None, x - node.x))
            node.x, end = x, x + node.width / 2
        # The row moves to where its applies want to be, if it has any.
        heavy = [move for is_apply, move in moves if is_apply] \
            or [move for _, move in moves]
        for node in row:
            node.x -= sum(heavy) / max(1, len(heavy))


def _offset(node: Any, taker: Any) -> Any:
    """Returns the horizontal offset of a giver from its taker."""
    rivals = [g for g in taker.givers if g.value is None]
    if node.value is None and len(rivals) == 1:
        return 0.0
    return (taker.givers.index(node) - (len(taker.givers) - 1) / 2) * 40


def _draw_ladder(scene: Any, rungs: Any, left: Any) -> None:
    """Draws the ladder in columns: running down on the left, unwinding up on
    the right."""
    if not rungs:
        return
    scene.title(left, 20, "blocks: run down, fail to the right, unwind up")
    texts = [f"{r.number}  {shortened(r.who, 26)}  {r.hook}"
             if not isinstance(r, Gap) else f"… {r.count} more …"
             for r in rungs]
    labels = [(r.label or f"init {r.number}") if not isinstance(r, Gap)
              else "…" for r in rungs]
    wide, narrow = max(map(text_width, texts)), max(map(text_width, labels))
    step = wide + 46 + narrow + 4 * GAP
    last: Any = None
    for k, (rung, text, label) in enumerate(zip(rungs, texts, labels)):
        column, row = divmod(k, RUNGS)
        x, y = left + column * step + wide / 2, TOP + row * (ROW + 6)
        block = scene.box(x, y, text, _BLOCK, width=wide)
        at = scene.box(x + wide / 2 + 46 + narrow / 2, y, label, _LABEL, True,
                       width=narrow)
        if not isinstance(rung, Gap) and rung.fails:
            scene.edge((x + wide / 2, y), (at.x - narrow / 2, y), _FAIL,
                       "fail", bend=1.0)
        if k and not isinstance(rung, Gap) and not isinstance(
                rungs[k - 1], Gap) and starts_new_ladder(rung, rungs[k - 1]):
            last = None
        if last is not None and row:
            scene.edge((x, last[0].y + ROW / 2 - 2), (x, y - ROW / 2 + 2))
            scene.edge((at.x, y - ROW / 2 + 2),
                       (at.x, last[1].y + ROW / 2 - 2), _FAIL)
        last = (block, at)
