"""Compiles a graph into a Function that can be called."""

from __future__ import annotations

import copy

from .. import _clinch
from ..base.annotations import Any, Sequence
from ..base.class_methods import ASSEMBLED
from ..base.configuration import config
from ..errors import CompileError, HookError
from .filters import quick_check
from ..ops.generic_ops import deep_copy
from ..ops.hook_errors import explain
from .interface import In, Out, as_in, as_out, gives_number, number
from .modes import as_mode
from .linkers import emit_ops, link_graph, link_ops
from .ownership import protect
from .pickling import in_one_piece, reduced
from .pieces import emit_pieces, lacks_c, link_pieces
from .shared_variables import (SharedVariable, pairs_of, replaced, shared_among,
                               updating)
from ..tensor import fusion, threads
from ..tensor.picture import labelled
from ..source.text_warnings import warn_of_hooks

Function = _clinch.Function
STAGES = (*ASSEMBLED, *_clinch.stages)


def function(inputs: Sequence[Any], outputs: Any = (), mode: Any = None, *,
             updates: Any = None, givens: Any = None, name: str | None = None,
             progress: Any = None,
             trust_input: bool = False) -> Function:
    """Compiles a graph and returns a Function that computes its outputs.

    Parameters
    ----------
    inputs : sequence of Variable, In or tuple
        The parameters of the Function. A tuple is (Variable, default value).
    outputs : Variable, Out, or a list of them, default ()
        The results. A call returns one value, or a list if `outputs` is a list.
    mode : Mode or str, optional
        How to compile: a `Mode`, the name of a tier ("fast", "default", "max") or
        "DebugMode". The default is `Mode()`, which follows `config`.
    updates : dict or sequence of pairs, optional
        New values of shared Variables: {shared Variable: Variable}. A call sets them after
        it has computed everything.
    givens : dict or sequence of pairs, optional
        Replacements in the graph: {Variable: its replacement}.
    name : str, optional
        The name of the Function in messages and in its `repr`, by default "function".
    progress : callable or False, optional
        A callable that gets (done, all) while Clinch compiles, or False for no progress
        bar. The default is `config.progress`.
    trust_input : bool, default False
        Whether calls skip the conversion of their arguments, so that each must have exactly
        the type of its Variable.

    Returns
    -------
    Function
        A callable that takes its arguments by position or by name.

    Raises
    ------
    CompileError
        If C code of an Op has errors. The message shows the line in the author's file.
    HookError
        If a hook of an Op or a Type fails or returns something wrong.
    LimitError
        If the compile exceeds a limit of the mode.
    TypeError
        If an input or an output is not a Variable, or a shared Variable is an input.
    ValueError
        If a Variable is an input twice, or no mode has that name.

    Examples
    --------
    >>> from clinch import function, vector
    >>> x, y = vector("x"), vector("y")
    >>> f = function([x, (y, [10.0, 20.0])], [x + y, (x * y).sum()])
    >>> total, product = f([1.0, 2.0])
    >>> print(total, product)
    [11. 22.] 50.0
    >>> print(f(x=[1.0, 2.0], y=[0.0, 1.0])[0])
    [1. 3.]
    """
    request = Request(inputs, outputs, mode, updates=updates, givens=givens, name=name,
                      progress=progress)
    try:
        made = request.link()
    except CompileError as error:
        # The fault is in a hook, so this package's frames are dropped.
        explain(error, request.outputs)
        raise error.with_traceback(None)
    made.trust_input = trust_input
    warn_of_hooks(request.linked.programs, request.given_outputs)
    return made


class Request:
    """The checked arguments of `function`, and what was linked."""

    tier: str
    form: str
    linker: str
    language: str
    debug: bool

    def __init__(self, inputs: Any, outputs: Any, mode: Any = None, *,
                 updates: Any = None, givens: Any = None, name: Any = None,
                 progress: Any = None) -> None:
        if not isinstance(inputs, (list, tuple)):
            raise TypeError("the inputs of a function are a list of "
                            f"Variables, not a {type(inputs).__name__}")
        self.ins = [as_in(item, n) for n, item in enumerate(inputs, 1)]
        self._check_distinct()
        self.single = not isinstance(outputs, (list, tuple))
        self.outs = [as_out(item, n) for n, item in enumerate(
            [outputs] if self.single else outputs, 1)]
        self.given_outputs = [out.variable for out in self.outs]
        self._share(pairs_of(updates, "updates"), pairs_of(givens, "givens"))
        # Those to compile, and what makes of their values what a caller gets: set
        # by link().
        self.outputs: Any = None
        self.made: Any = None
        self._set_mode(as_mode(mode))
        self.name = name or "function"
        self.progress = config.progress if progress is None else progress
        self.linked: Any = None
        self.program: Any = None  # A program to share, if it was made already.

    def _set_mode(self, mode: Any) -> None:
        self.mode = mode
        for name in ("tier", "form", "linker", "language", "debug"):
            setattr(self, name, mode.setting(name))
        self.limits = mode.limits()
        if mode.first_tier and self.form != "struct":
            raise ValueError("first_tier needs form=\"struct\": only a state can be "
                             "handed over to the next tier")
        # "auto" may cut the graph; "graph" is one piece of code, or an error.
        self.may_cut = self.linker == "auto"
        if self.may_cut:
            self.linker = "graph"

    @property
    def debugs(self) -> bool:
        """Whether each apply is checked in C and in Python."""
        return self.mode.links_itself

    def _share(self, updates: Any, givens: Any) -> None:
        """Notes what the function takes from shared Variables and leaves there."""
        for variable in updates:
            if not isinstance(variable, SharedVariable):
                raise TypeError(f"`updates` are of shared Variables; {variable!r} is "
                                f"none")
        wanted = [*self.given_outputs, *updates.values()]
        if givens:
            wanted = replaced(wanted, givens)
        taken = [item.variable for item in self.ins]
        self.shared = shared_among(taken, wanted)
        self.updated = list(updates)
        # All that the code takes, and all that it gives.
        self.inputs = [*taken, *self.shared]
        count = len(self.given_outputs)
        self.wanted = [*(Out(v, out.borrow) for v, out in zip(wanted, self.outs)),
                       *map(Out, wanted[count:])]

    def _check_distinct(self) -> None:
        seen = set()
        for position, item in enumerate(self.ins, 1):
            variable = item.variable
            if isinstance(variable, SharedVariable):
                raise TypeError(f"input {position} of a function, {variable!r}, is "
                                f"shared, and no call gives its value; `givens` "
                                f"replaces it by another Variable")
            if id(variable) in seen:
                raise ValueError(f"input {position} of a function, "
                                 f"{variable!r}, is an input already")
            seen.add(id(variable))

    @property
    def options(self) -> Any:
        """The options for `_clinch.Program`."""
        return dict(form=self.form, language=self.language, tier=self.tier,
                    debug=bool(self.debug), disk_cache=config.cache,
                    first_tier=self.mode.first_tier, **self.limits,
                    **self.mode.kernels())

    def link(self) -> Any:
        """Compiles the graph and returns the Function."""
        if self.outputs is None:
            outputs, copied = protect(
                [*self.ins, *map(In, self.shared)], self.wanted)
            self.made = [deep_copy if in_python else None for in_python in copied]
            for k, _ in enumerate(self.outs):
                if gives_number(self.wanted[k].variable):
                    self.made[k] = number
            self.outputs = (outputs if self.debugs
                            else self._rewritten(outputs))
        if self.debugs:
            return self.mode.link(self)
        return self.wrap(self._linked())

    def _rewritten(self, outputs: Any) -> Any:
        """Returns the outputs with threads and fusion applied, if the graph has
        arrays."""
        if not any(hasattr(v.type, "loop") for v in (*self.inputs, *outputs)):
            return outputs
        if self.mode.threads is not None:
            outputs = threads.on_threads(self.inputs, outputs, self.mode.threads)
        if self.mode.fuse and self.linker == "graph":
            outputs = fusion.fuse(self.inputs, outputs)
        return outputs

    def _linked(self) -> Any:
        if self.linker == "op":
            return link_ops(self)
        if self.may_cut and self.program is None:
            return self._linked_in_pieces()
        return link_graph(self)

    def _linked_in_pieces(self) -> Any:
        """Links the graph in one piece, or in several if an Op has no C."""
        try:
            return link_graph(self)
        except (HookError, NotImplementedError):
            order = _clinch.order(self.inputs, self.outputs)
            in_python = lacks_c(order)
            if not in_python:
                raise
            return link_pieces(self, order, in_python)

    def wrap(self, linked: Any) -> Any:
        self.linked = linked
        cells = linked.cells
        inputs = [self._input_slot(item, cells[item.variable], destroyed)
                  for item, destroyed in zip(self.ins, linked.destroyed)]
        given = set(self.inputs)
        outputs = [(cells[output], recycled,
                    output.owner is not None and output not in given, make)
                   for output, recycled, make
                   in zip(self.outputs, linked.recycled, self.made)]
        steps, count = tuple(linked.steps), len(self.outs)
        if self.updated:
            step, outputs = updating(self.updated, outputs[count:], outputs[:count])
            steps = (*steps, step)
        return Function(steps, inputs, outputs, self.single, self.name, self)

    def _input_slot(self, item: Any, cell: Any, destroyed: Any) -> Any:
        variable_type = item.variable.type
        exact, array = quick_check(variable_type)
        defaulted = item.value is not None
        if defaulted:
            cell[0] = item.value
        return (cell, item.name, item.filter(), exact, array, defaulted,
                destroyed)

    def emit(self, stage: str, lines: Any) -> Any:
        """Returns the function at a stage."""
        if stage not in STAGES:
            raise ValueError(f"there is no stage {stage!r}; there are "
                             f"{', '.join(STAGES)}")

        def one(inputs: Any, outputs: Any, **options: Any) -> Any:
            if stage == "graph":
                text = _clinch.emit(stage, inputs, outputs, **options)
                return labelled(text, _clinch.order(inputs, outputs))
            if stage in ASSEMBLED:
                return _clinch.emit(stage, inputs, outputs, **options)
            options["debug"] = options["debug"] or lines
            program = _clinch.Program(inputs, outputs, keep=[stage], **options)
            return program.stage(stage)

        if self.linked.graphs is not None and stage not in ("graph", "obj"):
            return emit_pieces(self.linked, one)
        if self.linker == "op" and stage != "graph":
            if stage == "obj":
                raise ValueError("a function with linker=\"op\" is no single "
                                 "object; emit \"asm\" shows each apply's")
            return emit_ops(self, one)
        return one(self.inputs, self.outputs, **self.options)

    def check_has_object(self) -> None:
        """Raises if the function's pickle has no machine code."""
        if self.shared:
            raise TypeError("a function with shared Variables is pickled with their "
                            "values and its graph, not with its machine code")
        if not in_one_piece(self):
            raise TypeError("only a function in one piece (linker=\"graph\") "
                            "can be pickled with its object code")

    def reduced(self, trust_input: Any) -> Any:
        """Implements `__reduce__` of the function."""
        return reduced(self, trust_input)

    def __getstate__(self) -> Any:
        state = dict(self.__dict__)
        for name in ("linked", "program", "progress"):
            state[name] = None
        return state

    def copy(self) -> Any:
        """Returns a copy to link again; code in one piece is shared."""
        made = copy.copy(self)
        made.progress = self.progress
        if self.linked is None:
            made.program = self.program
        elif in_one_piece(self):
            made.program = self.linked.programs[0]
        return made
