"""The parts of a function that a drawing shows."""

from __future__ import annotations

from collections import namedtuple

from ...base.annotations import Any, Iterable, Mapping, Sequence
from ...build.pickling import Unbound
from ...base.walks import applies as applies_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...graph.variables import Apply, Variable

Rung = namedtuple("Rung", "number label who hook fails once")
Gap = namedtuple("Gap", "count")

_CANNOT_FAIL = ("c_init",)


class Drawn:
    """A graph and a ladder; if one is long, a Gap replaces its middle."""

    def __init__(self, inputs: Iterable[Variable], outputs: Iterable[Variable],
                 applies: Iterable[Any], tasks: Iterable[Any]) -> None:
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.applies = list(applies)
        self.names = Names(self.inputs, self.applies)
        self.rungs: list[Any] = [task if isinstance(task, Gap)
                                 else _rung(task, self.names) for task in tasks]

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return not any(isinstance(item, Gap)
                       for item in (*self.applies, *self.rungs))

    @property
    def count(self) -> str:
        """The number of applies or blocks as text, such as "1,000 applies"."""
        what = "applies" if self.applies else "blocks"
        items = self.applies or self.rungs
        return f"""{sum(item.count if isinstance(item, Gap) else 1
                        for item in items):,} {what}"""


def of_function(function: Any, most: int) -> Drawn:
    """Returns the drawing of a function: at most `most` applies and twice as
    many rungs."""
    request = function.details
    linked = request.linked
    if isinstance(request, Unbound):
        return of_thunk(linked.thunk, most)
    if linked.thunk is not None and len(linked.programs) == 1:
        applies = _joined(*linked.programs[0].applies(most))
        tasks = _joined(*linked.programs[0].ladder(2 * most))
    else:
        applies = elide_middle(applies_between(request.inputs, request.outputs), most)
        tasks = sorted(function.tasks, key=lambda task: not task["in_init"])
        tasks = elide_middle(tasks, 2 * most)
    return Drawn(request.inputs, request.outputs, applies, tasks)


def of_graph(outputs: Sequence[Variable], most: int) -> Drawn:
    """Returns the drawing of the outputs' graph, without a ladder."""
    applies = applies_between([], outputs)
    return Drawn([], outputs, elide_middle(applies, most), [])


def of_thunk(thunk: Any, most: int) -> Drawn:
    """Returns the drawing of a thunk, which is only its ladder."""
    return Drawn([], [], [], _joined(*thunk.program.ladder(2 * most)))


def _joined(first: list[Any], left_out: int, last: list[Any]) -> list[Any]:
    return first + ([Gap(left_out)] if left_out else []) + last


class Names:
    """Gives each variable a short unique name: the user's, or t and a number.
    Numbers follow the order of the graph and skip those of a Gap."""

    def __init__(self, inputs: Sequence[Variable], applies: Sequence[Any]) -> None:
        self.by_id: dict[int, str] = {}
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}  # The last number of each stem.
        for variable in inputs:
            self(variable)
        for node in applies:
            if isinstance(node, Gap):
                self.last["t"] = self.last.get("t", 1) + node.count
                continue
            for variable in node.outputs:
                self(variable)

    def __call__(self, variable: Variable) -> str:
        found = self.by_id.get(id(variable))
        if found is None:
            found = self.by_id[id(variable)] = self._make(variable)
        return found

    def _make(self, variable: Variable) -> str:
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


def shortened(text: str, most: int) -> str:
    """Shortens the text with an ellipsis in the middle."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return text[:most - 1 - half] + "…" + text[-half:]


def op_name(node: Apply) -> str:
    """Returns the name of an apply's Op in a drawing."""
    name = getattr(node.op, "name", None)
    if isinstance(name, str) and name:
        return name
    text = str(node.op)
    return type(node.op).__name__ if text.startswith("<") else text


def elide_middle(items: Iterable[Any], most: int) -> list[Any]:
    """Replaces the middle of the items by a Gap if there are more than `most`."""
    items = list(items)
    if len(items) <= most:
        return items
    head = (most + 1) // 2
    tail = most - head
    return (items[:head] + [Gap(len(items) - most)]
            + (items[-tail:] if tail else []))


def _rung(task: Mapping[str, Any], names: Names) -> Rung:
    return Rung(task["number"], task["label"], _who(task, names),
                task["hook"], task["hook"] not in _CANNOT_FAIL,
                task["in_init"])


def starts_new_ladder(rung: Rung, last: Rung) -> bool:
    """Whether a new ladder begins: another thunk's, or a change between blocks
    that run once, in init, and those of each run."""
    return rung.number <= last.number or rung.once != last.once


def _who(task: Mapping[str, Any], names: Names) -> str:
    """Returns a variable's name, or an apply as `z = add`."""
    subject = task["of"]
    if subject is None:  # A function without its graph.
        return task["subject"]
    if hasattr(subject, "op"):
        made = ", ".join(names(v) for v in subject.outputs)
        return f"{made} = {op_name(subject)}"
    return names(subject)
