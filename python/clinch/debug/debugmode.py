"""Runs each apply in C and in Python and checks that it keeps its promises."""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any
from ..errors import DebugModeError
from .leaks import growth, leaking_hook, others
from ..build.linkers import (Linked, aliased_variables, c_thunk, has_c_code,
                      is_constant, make_cells, py_step)
from ..build.modes import Mode
from .storages import copy_of, storages_like
from ..types.type import NativeType
from ..base.walks import positions


class DebugMode(Mode):
    """What mode="DebugMode" checks; pass False to omit a check. Other options are those
    of a Mode.

    compare: C and `perform` agree. inputs: those not in destroy_map, and
    constants, are unchanged. aliases: outputs not in view_map or destroy_map share
    no memory with inputs. references: no run leaves a reference or an object behind.
    storage: what the output's cell held before (another shape, strides,
    read-only, garbage) does not matter.
    """

    __slots__ = ("compare", "inputs", "aliases", "references", "storage")
    links_itself = True

    def __init__(self, compare: bool = True, inputs: bool = True,
                 aliases: bool = True, references: bool = True,
                 storage: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.compare = compare
        self.inputs = inputs
        self.aliases = aliases
        self.references = references
        self.storage = storage

    def link(self, request: Any) -> Any:
        """Returns a Function whose steps check what they run."""
        return debug_function(request, self)


Mode.named.update(dict.fromkeys(("DebugMode", "DEBUG_MODE"), DebugMode))


def debug_function(request: Any, mode: Any) -> Any:
    """Returns a Function whose steps check what they run."""
    order = _clinch.order(request.inputs, request.outputs)
    cells = make_cells(request, order)
    aliased = aliased_variables(order)
    linked = Linked([], cells, [False] * len(request.outputs),
                    [False] * len(request.inputs))
    for position, node in enumerate(order, 1):
        step = Step(node, position, len(order), cells, aliased, mode, request)
        linked.steps.append(step)
        linked.programs += step.programs
    return request.wrap(linked)


def unchanged(variable_type: Any, a: Any, b: Any) -> bool:
    """Whether two values are equal; approximately, if `values_eq` raises."""
    try:
        return bool(variable_type.values_eq(a, b))
    except Exception:
        return bool(variable_type.values_eq_approx(a, b))


def approximately(variable_type: Any, a: Any, b: Any) -> bool:
    """Whether the Type finds the results of C and Python nearly equal."""
    return bool(variable_type.values_eq_approx(a, b))


class Step:
    """Runs one apply in C and in Python, on its own cells."""

    def __init__(self, node: Any, position: int, count: int, cells: Any, aliased: Any,
                 mode: Any, request: Any) -> None:
        self.node = node
        self.place = f"apply {position} of {count}, `{node!r}`"
        self.mode = mode
        self.outer = cells
        self.ins = list(dict.fromkeys(
            v for v in node.inputs if not is_constant(v)))
        self.cells = {v: [None] for v in (*self.ins, *node.outputs)}
        for v in node.inputs:
            if is_constant(v):
                self.cells[v] = [v.data]
        self.constants = {v: copy_of(v.data) for v in node.inputs
                          if is_constant(v)}
        self.thunk: Any = None
        self.recycling: Any = None
        self.programs = []
        if has_c_code(node):
            options = self.options = request.options
            self.thunk = c_thunk(node, self.cells, set(node.outputs),
                                 options)
            self.recycling = c_thunk(node, self.cells, aliased, options)
            self.programs = [self.thunk.program]
        self.perform = (py_step(node, self.cells, look=False)
                        if getattr(node.op, "perform", None) else None)

    def __call__(self) -> None:
        given = {v: self.outer[v][0] for v in self.ins}
        before = {v: copy_of(value) for v, value in given.items()}
        results = self._run_python(before)
        if self.thunk is not None:
            results = self._run_c(given, before, results)
        elif results is None:
            raise self._finding("c_code", "there is neither c_code nor "
                                "perform", None)
        for variable, value in zip(self.node.outputs, results):
            self.outer[variable][0] = value

    # Running.

    def _fill(self, values: Any, outputs: Any = None) -> None:
        for variable, value in values.items():
            self.cells[variable][0] = value
        for position, variable in enumerate(self.node.outputs):
            self.cells[variable][0] = outputs[position] if outputs else None

    def _empty(self) -> None:
        for variable in (*self.ins, *self.node.outputs):
            self.cells[variable][0] = None

    def _outputs(self) -> Any:
        return [self.cells[v][0] for v in self.node.outputs]

    def _run_python(self, before: Any) -> Any:
        if self.perform is None or not (self.mode.compare
                                        or self.thunk is None):
            return None
        copies = {v: copy_of(value) for v, value in before.items()}
        self._fill(copies)
        try:
            self.perform()
        except NotImplementedError:
            if self.thunk is None:
                raise
            return None
        results = self._outputs()
        self._check_valid("perform", results)
        self._check_inputs("perform", before)
        self._check_aliases("perform", results)
        self._empty()
        return results

    def _run_c(self, given: Any, before: Any, expected: Any) -> Any:
        self._fill(given)
        self._run_thunk(before, expected)
        results = self._outputs()
        self._check_valid("c_code", results)
        self._check_inputs("c_code", before)
        self._check_aliases("c_code", results)
        self._empty()
        if expected is not None and self.mode.compare:
            self._check_same("c_code", "perform", results, expected)
        if self.mode.storage:
            self._check_storage(before, results)
        if self.mode.references:
            self._check_references(before, results)
        return results

    def _run_thunk(self, before: Any, expected: Any) -> None:
        try:
            self.thunk()
        except MemoryError:  # The machine's, not the Op's.
            raise
        except Exception as error:
            failed = self.thunk.failed
            if failed is None:  # An exception, but no `fail`.
                raise self._forgotten(before, error) from error
            if expected is None:
                raise
            raise DebugModeError(
                f"{self.place}: {failed['subject']}: raised {error!r}, and perform "
                f"gives {', '.join(map(repr, expected))}", self.node,
                failed["hook"], error) from error

    def _forgotten(self, before: Any, error: Any) -> Any:
        """Returns the error for a block that set an exception and went on;
        code that checks after each block finds which one it was."""
        checking = c_thunk(self.node, self.cells, self.node.outputs,
                           dict(self.options, check_pending=True))
        self._fill({v: copy_of(value) for v, value in before.items()})
        try:
            checking()
        except Exception:
            pass
        block = checking.failed or {"hook": "c_sync", "subject": "a c_sync or "
                                    "a cleanup"}
        return DebugModeError(
            f"{self.place}: {block['subject']}: set an exception and went on "
            f"without `fail`: {error!r}", self.node, block["hook"], error)

    # Checking.

    def _finding(self, hook: str, message: str, value: Any, either: str = "") -> Any:
        return DebugModeError(f"{self.place}: `{type(self.node.op).__name__}."
                              f"{hook}`{either}: {message}", self.node, hook, value)

    def _destroyed(self) -> Any:
        return {place for _, place in positions(self.node, "destroy_map")}

    def _check_valid(self, hook: str, results: Any) -> None:
        for number, (variable, value) in enumerate(
                zip(self.node.outputs, results)):
            if not variable.type.is_valid_value(value):
                kind = type(variable.type)
                # Where nothing was set, either may have failed to.
                either = (f" or `{kind.__name__}.c_sync`" if hook == "c_code" and
                          value is None and not issubclass(kind, NativeType) else "")
                raise self._finding(
                    hook, f"output {number} is no valid value of "
                    f"{variable.type}: {value!r}", value, either)

    def _check_inputs(self, hook: str, before: Any) -> None:
        destroyed = {self.node.inputs[p] for p in self._destroyed()}
        for number, variable in enumerate(self.node.inputs):
            if not self.mode.inputs or variable in destroyed:
                continue
            constant = variable in self.constants
            was = (self.constants if constant else before)[variable]
            is_now = self.cells[variable][0]
            if not self._ask(variable, unchanged, is_now, was):
                what = ", a constant, was changed" if constant else (
                    " was changed and is not in destroy_map")
                raise self._finding(
                    hook, f"input {number}{what}: {was!r} became {is_now!r}",
                    is_now)

    def _check_aliases(self, hook: str, results: Any) -> None:
        if not self.mode.aliases:
            return
        allowed = positions(self.node)
        for number, value in enumerate(results):
            share = getattr(self.node.outputs[number].type,
                            "may_share_memory", None)
            for position, variable in enumerate(self.node.inputs):
                if (number, position) in allowed or share is None:
                    continue
                if share(value, self.cells[variable][0]):
                    raise self._finding(
                        hook, f"output {number} shares memory with input "
                        f"{position}, and neither view_map nor destroy_map "
                        f"says so: {value!r}", value)

    def _ask(self, variable: Any, compare: Any, a: Any, b: Any) -> Any:
        """Compares by the Type; if that raises, the error blames the Type."""
        try:
            return compare(variable.type, a, b)
        except Exception as error:
            raise DebugModeError(
                f"{self.place}: `{type(variable.type).__name__}."
                f"values_eq_approx` raised on {a!r} and {b!r}: {error!r}",
                self.node, "values_eq_approx", error) from error

    def _check_same(self, hook: str, other: Any, results: Any, expected: Any) -> None:
        for number, (variable, a, b) in enumerate(
                zip(self.node.outputs, results, expected)):
            if not self._ask(variable, approximately, a, b):
                raise self._finding(
                    hook, f"output {number} is {a!r}, and {other} gives "
                    f"{b!r}", a)

    def _check_references(self, before: Any, results: Any) -> None:
        destroyed = {self.node.inputs[p] for p in self._destroyed()}
        values = {v: copy_of(value) for v, value in before.items()}
        known = {**self.constants, **values, **dict(zip(self.node.outputs, results))}
        watched = {v: self.cells[v][0] for v in self.constants}
        watched.update((v, value) for v, value in values.items()
                       if v not in destroyed)
        last = [None] * len(self.node.outputs)
        extra = [0] * len(self.node.outputs)

        def run() -> None:
            self._fill({v: copy_of(before[v]) if v in destroyed else value
                        for v, value in values.items()})
            self.thunk()
            for number, variable in enumerate(self.node.outputs):
                cell = self.cells[variable]
                extra[number] = 0 if cell[0] is last[number] else others(cell)
                last[number] = cell[0]
            self._empty()

        def run_again() -> None:
            """Gives the next run what this one leaves."""
            self._fill(values, self._outputs())
            self.recycling()

        references, blocks = growth(run, list(watched.values()))
        changes = dict(zip(watched, references))
        for number, variable in enumerate(self.node.inputs):
            if changes.get(variable):
                raise self._left_behind(
                    f"each run changes the reference count of input {number} "
                    f"by {changes[variable]:+d}: {watched[variable]!r}",
                    watched[variable], {variable: known[variable]})
        for number, count in enumerate(extra):
            if count > 0 and blocks:
                raise self._left_behind(
                    f"each run leaves {count} reference{'s' * (count != 1)} "
                    f"too many to output {number}", None,
                    {self.node.outputs[number]: results[number]})
        if not blocks and not destroyed and self.mode.storage:
            blocks = growth(run_again, [])[1]
            self._empty()
        if blocks:
            raise self._left_behind(
                f"each run leaves {blocks} block{'s' * (blocks != 1)} of "
                f"Python's memory behind: something that it made is never "
                f"released", None, known)

    def _left_behind(self, message: str, value: Any, known: Any) -> Any:
        """Returns the error. It blames a Type whose hooks alone leave something
        behind, else the Op."""
        for variable, now in known.items():
            if now is not None and (hook := leaking_hook(variable.type(), now,
                                                         self.options)):
                return DebugModeError(
                    f"{self.place}: the hooks of `{type(variable.type).__name__}`, "
                    f"c_extract, c_sync or c_cleanup: {message}", self.node, hook, value)
        return self._finding("c_code", message, value)

    def _check_storage(self, before: Any, results: Any) -> None:
        results = [copy_of(value) for value in results]
        for number, variable in enumerate(self.node.outputs):
            for what, storage in storages_like(results[number]):
                if variable.type.is_valid_value(storage):
                    self._run_with(number, what, storage, before, results)

    def _run_with(self, number: int, what: str, storage: Any, before: Any,
                  results: Any) -> None:
        """Runs with `storage` in the cell of that output."""
        cells = [None] * len(results)
        cells[number] = storage
        self._fill({v: copy_of(value) for v, value in before.items()}, cells)
        shown = repr(storage)
        try:
            self.recycling()
        except Exception as error:
            raise self._finding(
                "c_code", f"fails when the cell of output {number} holds "
                f"{what}: {error!r}", storage) from error
        again = self._outputs()
        self._empty()
        self._check_same(
            "c_code", f"a run without {what}, {shown}, in the cell of output "
            f"{number}", again, results)
