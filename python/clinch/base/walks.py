"""Ways through a graph, and which of its values share memory."""

from __future__ import annotations

import operator

from .annotations import Any, Iterable, Mapping, Sequence


def applies(given: Iterable[Any], outputs: Sequence[Any]) -> list[Any]:
    """Returns the applies between the Variables `given` and `outputs`, each after
    those that it needs, without recursion: graphs are deeper than stacks."""
    order, seen = [], set()
    given = set(given)
    stack = [v.owner for v in reversed(outputs)
             if v not in given and getattr(v, "owner", None) is not None]
    while stack:
        node = stack.pop()
        if node is None:  # What comes next has all that it needs.
            order.append(stack.pop())
        elif node not in seen:
            seen.add(node)
            stack += (node, None)
            for v in reversed(node.inputs):
                owner = getattr(v, "owner", None)
                if owner is not None and owner not in seen and v not in given:
                    stack.append(owner)
    return order


def positions(node: Any, *names: str) -> list[tuple[int, int]]:
    """Returns the (output, input) positions of an apply that share memory by these
    maps of its Op, or by both; nothing of a map that cannot be read, which the
    compile refuses."""
    found = []
    for name in names or ("view_map", "destroy_map"):
        shared = getattr(node.op, name, None)
        if not shared:
            continue
        try:
            found += [(operator.index(output), operator.index(place))
                      for output, places in shared.items() for place in places]
        except (AttributeError, TypeError):
            continue
    return [(output, place) for output, place in found
            if 0 <= output < len(node.outputs) and 0 <= place < len(node.inputs)]


def pairs(node: Any, *names: str) -> list[tuple[Any, Any]]:
    """Returns the (output, input) Variables that share memory."""
    return [(node.outputs[output], node.inputs[place])
            for output, place in positions(node, *names)]


def connected(start: Iterable[Any], links: Mapping[Any, Iterable[Any]]) -> set[Any]:
    """Returns all that can be reached from `start` by links {from: list of to}."""
    found = set(start)
    stack = list(found)
    while stack:
        for one in links.get(stack.pop(), ()):
            if one not in found:
                found.add(one)
                stack.append(one)
    return found
