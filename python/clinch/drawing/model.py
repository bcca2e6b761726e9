"""What a drawing shows of a function."""

from collections import namedtuple

from ..pickling import Unbound

Rung = namedtuple("Rung", "number label who hook fails once")
Gap = namedtuple("Gap", "count")

_CANNOT_FAIL = ("c_init",)


class Drawn:
    """A graph and a ladder, each without its middle if it is long: there is a
    Gap."""

    def __init__(self, inputs, outputs, applies, tasks):
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.applies = list(applies)
        self.names = Names(self.inputs, self.applies)
        self.rungs = [task if isinstance(task, Gap)
                      else _rung(task, self.names) for task in tasks]

    @property
    def whole(self):
        """Whether nothing was left out."""
        return not any(isinstance(item, Gap)
                       for item in (*self.applies, *self.rungs))

    @property
    def count(self):
        """How many applies, or blocks, there are in words."""
        what = "applies" if self.applies else "blocks"
        items = self.applies or self.rungs
        return f"""{sum(item.count if isinstance(item, Gap) else 1
                        for item in items):,} {what}"""


def of_function(function, most):
    """What is drawn of a function: at most so many applies, and twice as many
    rungs."""
    request = function.details
    linked = request.linked
    if isinstance(request, Unbound):
        return of_thunk(linked.thunk, most)
    if linked.thunk is not None and len(linked.programs) == 1:
        applies = _joined(*linked.programs[0].applies(most))
        tasks = _joined(*linked.programs[0].ladder(2 * most))
    else:
        applies = middle_out(applies_of(request.inputs, request.outputs), most)
        tasks = sorted(function.tasks, key=lambda task: not task["in_init"])
        tasks = middle_out(tasks, 2 * most)
    return Drawn(request.inputs, request.outputs, applies, tasks)


def of_graph(outputs, most):
    """What is drawn of what the outputs are computed from: no ladder."""
    applies = applies_of([], outputs)
    return Drawn([], outputs, middle_out(applies, most), [])


def of_thunk(thunk, most):
    """What is drawn of a thunk: the ladder alone."""
    return Drawn([], [], [], _joined(*thunk.program.ladder(2 * most)))


def _joined(first, left_out, last):
    return first + ([Gap(left_out)] if left_out else []) + last


def applies_of(inputs, outputs):
    """The applies that the outputs need, inputs first."""
    given, done, order = set(map(id, inputs)), set(), []
    # The path from an output: applies, with the inputs still to be visited.
    # Numbers, for a hundred thousand iterators would keep the collector busy.
    way, left = [], []
    for output in outputs:
        found = output
        while True:
            node = found.owner
            if node is not None and node not in done and id(found) not in given:
                done.add(node)
                way.append(node)
                left.append(len(node.inputs))
            while way and not left[-1]:
                order.append(way.pop())
                left.pop()
            if not way:
                break
            found = way[-1].inputs[-left[-1]]
            left[-1] -= 1
    return order


class Names:
    """A short unique name for each variable: the user's, or t and a number.
    The graph's own order gives the numbers; those of a Gap are passed over."""

    def __init__(self, inputs, applies):
        self.by_id, self.taken = {}, set()
        self.last = {}  # The last number of each stem.
        for variable in inputs:
            self(variable)
        for node in applies:
            if isinstance(node, Gap):
                self.last["t"] = self.last.get("t", 1) + node.count
                continue
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
    if subject is None:  # A function without its graph.
        return task["subject"]
    if hasattr(subject, "op"):
        made = ", ".join(names(v) for v in subject.outputs)
        return f"{made} = {op_name(subject)}"
    return names(subject)
