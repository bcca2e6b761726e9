"""Finds the Types and Ops of a module and checks each with sample inputs."""

from __future__ import annotations

import inspect
import itertools

from ... import _clinch
from ...base.annotations import Any
from ...types.array_type import TensorType
from ...base.configuration import config
from ...errors import CompilerCrash
from ...types.generic_type import generic
from ...graph.variables import Apply
from ...ops.hook_errors import classes_of
from ...debug.leaks import Empty
from ...ops.op import Op
from ...types.scalars import double, scalars
from ...types.type import Type, what
from ...base.walks import applies
from .saying import LOADING, CannotCheck, explained

#: The function by which a module gives its own samples: it returns Variables.
SAMPLES = "check_samples"

_MOST_INPUTS = 6
_MOST_TRIALS = 150
_NO_C = (NotImplementedError,)


class Kind:
    """What Clinch and PyTensor have in common when Types and Ops are checked."""

    type_class: type
    op_class: type
    no_code: tuple[type[Exception], ...] = _NO_C

    def __init__(self, looker: Any) -> None:
        self.looker = looker

    # Methods to override.
    def has_code(self, cls: Any) -> Any:
        """Whether a class has C code at all."""
        raise NotImplementedError

    def samples(self, module: Any) -> Any:
        """Returns Types for sample inputs of an Op; the first are best."""
        raise NotImplementedError

    def known_samples(self, cls: Any) -> Any:
        """Returns variables that a class makes or is used on, if known."""
        return []

    def check(self, inputs: Any, outputs: Any) -> Any:
        """Returns the diagnostics of the graph between inputs and outputs."""
        raise NotImplementedError

    # Methods in common.
    def look(self, module: Any) -> None:
        """Checks the Types and Ops that a module defines."""
        for cls in self._classes_of(module):
            if self._look_at_known(cls):
                continue
            for instance in self._instances(module, cls):
                with self.looker.trying():
                    self._look_at(module, cls, instance)

    def _look_at_known(self, cls: Any) -> bool:
        """Checks a class by its known samples; returns False if it has none."""
        known = None  # Stays None if known_samples() raises.
        with self.looker.trying():
            self.looker.step(f"the samples of `{cls.__name__}`")
            try:
                known = self.known_samples(cls)
            except Exception as error:
                raise CannotCheck(f"the samples of `{cls.__name__}`: "
                             f"{explained(error)}") from None
        for number, variable in enumerate(known or (), 1):
            with self.looker.trying():
                self._look_at_sample(cls, number, variable)
        return known is None or bool(known)

    def _look_at_sample(self, cls: Any, number: int, variable: Any) -> Any:
        node = variable.owner
        try:
            if node is None:
                return self._look_at_type(cls, variable.type)
            self.prepare(node)
            self.check_graph(f"sample {number} of `{cls.__name__}`",
                             list(dict.fromkeys(node.inputs)),
                             list(node.outputs))
        except self.no_code:
            pass  # It has no C for these inputs.

    def prepare(self, node: Any) -> None:
        """Prepares an apply before its hooks are called."""

    def _classes_of(self, module: Any) -> Any:
        """Returns the classes that the module defines and that have C code."""
        found = [cls for cls in vars(module).values()
                 if isinstance(cls, type) and cls.__module__ == module.__name__
                 and issubclass(cls, (self.type_class, self.op_class))
                 and not inspect.isabstract(cls)]
        return [cls for cls in dict.fromkeys(found) if self.has_code(cls)]

    def _instances(self, module: Any, cls: Any) -> Any:
        """Returns instances that the module has, or a new one."""
        there = [value for value in vars(module).values() if type(value) is cls]
        if there:
            return there[:3]
        made = []
        with self.looker.trying():
            self.looker.step(f"`{cls.__name__}()`")
            try:
                made.append(cls())
            except Exception as error:
                if self._is_base(module, cls):
                    return made
                raise CannotCheck(
                    f"`{cls.__name__}` cannot be made without arguments "
                    f"({type(error).__name__}: {error}); let a function "
                    f"`{SAMPLES}()` of the module return variables that its "
                    "Ops make") from None
        return made

    def _is_base(self, module: Any, cls: Any) -> bool:
        """Whether it is only a base of other classes."""
        return bool(cls.__subclasses__())

    def _look_at(self, module: Any, cls: Any, instance: Any) -> Any:
        if not isinstance(instance, self.type_class):
            return self._look_at_op(module, cls, instance)
        try:
            self._look_at_type(cls, instance)
        except self.no_code:
            pass  # A Type without C.

    def _look_at_type(self, cls: Any, instance: Any) -> None:
        self.looker.step(f"a variable of `{cls.__name__}`")
        try:
            variable = instance()
            copy = Apply(Empty(), [variable], [instance()]).outputs[0]
        except Exception as error:
            raise CannotCheck(f"`{cls.__name__}` makes no variable: "
                         f"{explained(error)}") from None
        self.check_graph(f"the hooks of `{cls.__name__}`", [variable], [copy])

    def _look_at_op(self, module: Any, cls: Any, op: Any) -> None:
        last, lacks_code = None, False
        for row in itertools.islice(self._rows(module, op), _MOST_TRIALS):
            self.looker.step(f"`{cls.__name__}.make_node`")
            try:
                node = self.make_node(op, row)
            except Exception as error:
                last = error
                continue
            self.looker.assumed = (f"`{cls.__name__}.make_node` was given inputs of the "
                                   "types " + ", ".join(str(v.type) for v in row))
            try:
                self.check_graph(f"the hooks of `{cls.__name__}`",
                                  list(dict.fromkeys(node.inputs)),
                                  list(node.outputs))
                return
            except self.no_code:
                lacks_code = True
            finally:
                self.looker.assumed = ""
        if lacks_code:
            return  # It has no C for any input.
        why = f": {type(last).__name__}: {last}" if last else ""
        raise CannotCheck(f"`{cls.__name__}` takes none of the sample inputs{why}; "
                     f"let a function `{SAMPLES}()` of the module return "
                     "variables that its Ops make")

    def make_node(self, op: Any, row: Any) -> Any:
        node = op.make_node(*row)
        self.prepare(node)
        return node

    def _rows(self, module: Any, op: Any) -> Any:
        """Yields rows of inputs: first of one Type, then mixed."""
        exact = self.exact_row(op)
        if exact is not None:
            yield exact
            return
        kinds = self.samples(module)
        for count in self.counts(op):
            for kind in kinds:
                yield [kind() for _ in range(count)]
        for count in self.counts(op):
            if 1 < count <= 3:
                for row in itertools.product(kinds[:6], repeat=count):
                    if len(set(map(id, row))) > 1:
                        yield [kind() for kind in row]

    def exact_row(self, op: Any) -> Any:
        """Returns the inputs if the Op declares their Types, else None."""
        return None

    def counts(self, op: Any) -> Any:
        """Lists the numbers of inputs that `make_node` may take."""
        try:
            parameters = inspect.signature(op.make_node).parameters.values()
        except (TypeError, ValueError):
            return [1, 2, 3]
        plain = [p for p in parameters
                 if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        needed = sum(p.default is p.empty for p in plain)
        if any(p.kind is p.VAR_POSITIONAL for p in parameters):
            return [n for n in (1, 2, 3, 4) if n >= needed]
        return [n for n in range(needed, min(len(plain), _MOST_INPUTS) + 1)]

    def begin(self) -> None:
        """Precompiles the headers for this kind's language if needed."""
        self.looker.tell("step", path=self.looker.path, what=LOADING)
        x = double("x")
        self.check([x], [Empty()(x)])

    def check_graph(self, what: str, inputs: Any, outputs: Any) -> None:
        self.looker.step(what)
        try:
            found = self.check(inputs, outputs)
        except self.no_code:
            raise
        except CompilerCrash as error:
            self.looker.end_after(error)
        except Exception as error:
            raise CannotCheck(f"{what}: {explained(error)}") from None
        self.looker.tell("looked")
        self.looker.found(found, classes_of([*inputs, *outputs]))


def look_at_samples(looker: Any, kinds: Any, given: Any) -> None:
    """Checks the variables that a module's `check_samples()` returns."""
    looker.step(f"`{SAMPLES}()`")
    try:
        made = given()
        outputs = list(made) if isinstance(made, (list, tuple)) else [made]
    except Exception as error:
        raise CannotCheck(f"`{SAMPLES}()` failed: {explained(error)}") from None
    for number, output in enumerate(outputs, 1):
        kind = next((kind for kind in kinds if isinstance(
            getattr(output, "type", None), kind.type_class)), None)
        if kind is None:
            raise CannotCheck(f"`{SAMPLES}()` must return variables; item {number} "
                         f"is {what(output)}")
        with looker.trying():
            try:
                kind.check_graph(f"sample {number}", _inputs_of([output]),
                                 [output])
            except kind.no_code as error:
                raise CannotCheck(f"sample {number}: {explained(error)}") from None


def _inputs_of(outputs: Any) -> Any:
    """Returns the graph inputs that the outputs depend on."""
    used = [v for node in applies((), outputs) for v in node.inputs]
    return [v for v in dict.fromkeys((*used, *outputs))
            if v.owner is None and not hasattr(v, "data")]


class ClinchKind(Kind):
    """Types and Ops of the package `clinch`."""

    type_class, op_class = Type, Op

    def has_code(self, cls: Any) -> bool:
        if issubclass(cls, Type):
            return any(hasattr(cls, hook) for hook in
                       ("c_declare", "c_extract", "c_sync"))
        return hasattr(cls, "c_code") or hasattr(cls, "_load")

    def samples(self, module: Any) -> Any:
        own = [value for value in vars(module).values()
               if isinstance(value, Type)
               and type(value).__module__ == module.__name__]
        made = [double, TensorType("float64", (None,)),
                TensorType("float64", (None, None)),
                TensorType("int64", (None,)), TensorType("float64", ()),
                scalars["int64"], scalars["float64"], generic]
        for cls in self._classes_of(module):
            if issubclass(cls, Type) and not any(type(t) is cls for t in own):
                try:
                    own.append(cls())
                except Exception:
                    pass  # Reported when the Type itself is checked.
        return [*own, *made]

    def exact_row(self, op: Any) -> Any:
        if op.itypes is None:
            return None
        return [t() for t in op.itypes]

    def check(self, inputs: Any, outputs: Any) -> Any:
        return _clinch.check(inputs, outputs, form="struct",
                             language=config.language)


