"""What a drawing shows of a function."""

from collections import namedtuple

Rung = namedtuple("Rung", "number label who hook fails once")
Gap = namedtuple("Gap", "count")

_CANNOT_FAIL = ("c_init",)


def applies_of(function):
    """The applies that the outputs need, inputs first."""
    done, order, stack = set(), [], []
    stop = {id(v) for v in function.inputs}
    for output in reversed(list(function.details.outputs)):
        stack.append((output, False))
    while stack:
        variable, ready = stack.pop()
        node = variable.owner
        if node is None or id(variable) in stop or id(node) in done:
            continue
        if ready:
            done.add(id(node))
            order.append(node)
            continue
        stack.append((variable, True))
        stack += [(i, False) for i in reversed(list(node.inputs))]
    return order


class Names:
    """A short unique name for each variable: the user's, or t and a number.
    The graph's own order gives the numbers."""

    def __init__(self, function, applies):
        self.by_id, self.taken = {}, set()
        self.last = {}  # The last number of each stem.
        for variable in function.inputs:
            self(variable)
        for node in applies:
            for variable in node.outputs:
                self(variable)

    def __call__(self, variable):
        found = self.by_id.get(id(variable))
        if found is None:
            found = self.by_id[id(variable)] = self._make(variable)
        return found

    def _make(self, variable):
        if hasattr(variable, "data") and variable.owner is None \
                and not variable.name:
            return shortened(repr(variable.data), 16)
        stem = f"{variable.name}." if variable.name else "t"
        name, number = str(variable.name or "t1"), self.last.get(stem, 1)
        while name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.taken.add(name)
        self.last[stem] = number
        return name


def shortened(text, most):
    """The text, cut with an ellipsis in the middle."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return text[:most - 1 - half] + "…" + text[-half:]


def op_name(node):
    """How an apply's Op is called in a drawing."""
    name = getattr(node.op, "name", None)
    if isinstance(name, str) and name:
        return name
    text = str(node.op)
    return type(node.op).__name__ if text.startswith("<") else text


def middle_out(items, most):
    """The items, those in the middle replaced by one Gap if they are many."""
    items = list(items)
    if len(items) <= most:
        return items
    head = (most + 1) // 2
    tail = most - head
    return (items[:head] + [Gap(len(items) - most)]
            + (items[-tail:] if tail else []))


def rungs_of(function, names, most):
    """The blocks that can be failed in or unwound, in the order they run:
    first what runs once, in init; at most so many of them."""
    tasks = sorted(function.tasks, key=lambda task: not task["in_init"])
    return [task if isinstance(task, Gap) else _rung(task, names)
            for task in middle_out(tasks, most)]


def _rung(task, names):
    return Rung(task["number"], task["label"], _who(task, names),
                task["hook"], task["hook"] not in _CANNOT_FAIL,
                task["in_init"])


def begins_anew(rung, last):
    """Whether a ladder of its own begins: that of another thunk, or of the
    blocks that run once, in init."""
    return rung.number <= last.number or rung.once != last.once


def _who(task, names):
    """A variable's name, or an apply as `z = add`."""
    subject = task["of"]
    if hasattr(subject, "op"):
        made = ", ".join(names(v) for v in subject.outputs)
        return f"{made} = {op_name(subject)}"
    return names(subject)
