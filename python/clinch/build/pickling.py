"""Pickles functions for other processes, for other machines, and for places
without their author's modules.

The pickle of a function has its graph, its machine code, and what the code
depends on. If the code can run there, it is loaded and nothing is compiled; on
another processor or with another build of Clinch it is compiled again.
"""

from __future__ import annotations

import pickle
import zlib

from .. import _clinch
from ..base.annotations import Any
from ..device.launches import fitting_device
from ..source.portable import RecentlyUsed, digest, made_for_numpy, programs, unfit
from ..tensor.library import folder
from .linkers import Linked

_requests = RecentlyUsed()


def reduced(request: Any, trust_input: Any) -> Any:
    """Implements `__reduce__`: pickles the graph, and the code of a function in
    one piece without shared Variables, which stay the same ones for all functions of
    a pickle.

    If the graph cannot be pickled, the code is pickled alone; then arguments are
    filtered by those input Types that can be.
    """
    in_code = in_one_piece(request) and not request.shared
    code = _portable_code(request) if in_code else None
    graph = _pickled(request) if code else request
    return _load, (graph, request.linked.key, code, trust_input)


def in_one_piece(request: Any) -> bool:
    return (request.linker == "graph" and not request.debugs
            and request.linked.graphs is None)


def _pickled(thing: Any) -> Any:
    """Returns the pickle of a thing, or the reason as text if there is none."""
    try:
        return pickle.dumps(thing)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        return str(error)


def _portable_code(request: Any) -> Any:
    """Returns the code to pickle. It is made once, because a scheduler may pickle
    a function with each task."""
    options = dict(request.options, first_tier=None)
    kept = request.linked.portable
    if kept is None or kept[0] != options:
        kept = options, _make_portable(request, options)
        request.linked.portable = kept
    return kept[1]


def _make_portable(request: Any, options: Any) -> Any:
    program = _clinch.Program(request.inputs, request.outputs, keep=["obj"],
                              **options)
    constants = {position: cell[0] for position, cell
                 in enumerate(program.instantiate().cells)
                 if _is_constant(program.cells[position])}
    places = {id(v): position for position, v in enumerate(program.cells)
              if v is not None}
    description = _clinch.describe(request.inputs, request.outputs, **options)
    _move(description, folder(), None)
    packed = zlib.compress(pickle.dumps((description, program.stage("obj"))))
    return {
        "packed": packed,
        "digest": digest(packed),
        "origin": (description["build"], description["processor"]),
        "numpy": made_for_numpy(),
        "constants": constants,
        "inputs": [(places[id(item.variable)], item.name, item.value,
                    _pickled(item.variable.type)) for item in request.ins],
        "outputs": [(places[id(v)], recycled, make) for v, recycled, make
                    in zip(request.outputs, program.recycled, request.made)],
        "destroyed": list(program.destroyed),
        "single": request.single,
        "name": request.name,
    }


def _move(description: Any, there: Any, here: Any) -> None:
    """Replaces the folder of Clinch's own library, which differs by machine."""
    description["library_dirs"] = [
        here if d == there else d for d in description["library_dirs"]]


def fitted(options: Any, launches: bool) -> Any:
    """Returns options with a device that is here, and why code made with those given
    does not run on it, or None if it does."""
    if not launches:
        return options, None
    made = options["device"]
    here = fitting_device(made, bool(options["simulate"] or options["check"]))
    return ({**options, "device": here},
            None if here == made else f"its kernels are for {made}, and this is {here}")


def _is_constant(variable: Any) -> bool:
    return variable is None or hasattr(variable, "data")


class Unbound:
    """The details of a function whose graph could not be loaded."""

    ins = given_outputs = ()
    tier = form = linker = language = mode = None

    def __init__(self, linked: Any, reason: Any, parts: Any) -> None:
        self.linked = linked
        self.reason = reason
        self.parts = parts  # The pickled graph, the key, the code.

    @property
    def options(self) -> Any:
        raise RuntimeError(f"this function was loaded without its graph: "
                           f"{self.reason}")

    def emit(self, stage: str, lines: Any) -> Any:
        return self.options

    def check_has_object(self) -> None:
        """It has nothing else."""

    def reduced(self, trust_input: Any) -> Any:
        return _load, (*self.parts, trust_input)

    def copy(self) -> Any:
        return self

    def link(self) -> Any:
        """Returns the function with its own state."""
        return _without_graph(self.linked.programs[0], self.parts, self.reason)

    def __reduce__(self) -> Any:
        return self.options


def _load(graph: Any, key: Any, code: Any, trust_input: Any) -> Any:
    if code is None:
        function = graph.link()
    else:
        function = _with_code(graph, key, code)
    function.trust_input = trust_input
    return function


def _with_code(graph: Any, key: Any, code: Any) -> Any:
    name = graph, code["digest"]
    known = _requests.get(name)
    if known is not None:
        return known.copy().link()
    program, why = _program(code)
    request = _request(graph)
    if not isinstance(request, Exception):
        # link() finds the code that _program() loaded in the memory cache.
        function = request.link()
        _requests.put(name, function.details.copy())
        return function
    if program is None:
        raise RuntimeError(
            f"this function cannot run here: {why}, and its graph, from which "
            f"it would be compiled anew, cannot be loaded: {request}"
        ) from request
    return _without_graph(program, (graph, key, code), request)


def _request(graph: Any) -> Any:
    """Returns the function's Request, or the exception that loading it raised."""
    if isinstance(graph, str):
        return pickle.PicklingError(graph)
    try:
        request = pickle.loads(graph)
    except (ImportError, AttributeError) as error:
        return error
    mode = request.mode
    if mode.device:
        mode.device = fitting_device(mode.device, bool(mode.simulate or mode.check))
    return request


def _program(code: Any) -> Any:
    """Returns the program of pickled code, or None and the reason. For another
    processor its text is compiled again."""
    name = code["digest"]
    program = programs.get(name)
    if program is not None:
        return program, None
    if digest(code["packed"]) != name:
        raise pickle.UnpicklingError(
            "the machine code of this function was damaged on its way")
    here, origin = _clinch.code_origin(None), code["origin"]
    if not origin[1]:
        here = here[0], ""  # The code runs on every processor.
    why = unfit(origin, here, code["numpy"])
    if origin[0] != here[0]:
        return None, why
    description, machine_code = pickle.loads(zlib.decompress(code["packed"]))
    _move(description, None, folder())
    description, newer = fitted(description, description["launches"])
    why = why or newer
    try:
        program = _clinch.load(description, b"" if why else machine_code)
    except OSError as error:
        return None, f"{why}, and there is no compiler here: {error}"
    programs.put(name, program)
    return program, None


def _filter(pickled_type: Any) -> Any:
    """Returns the filter of a pickled Type, or None if it cannot be loaded here."""
    if isinstance(pickled_type, str):
        return None
    try:
        return pickle.loads(pickled_type).filter
    except (ImportError, AttributeError):
        return None


def _without_graph(program: Any, parts: Any, reason: Any) -> Any:
    code = parts[2]
    cells = [None] * len(program.cells)
    for position, value in code["constants"].items():
        cells[position] = [value]  # Constants are extracted when it is made.
    thunk = program.instantiate(cells)
    linked = Linked([thunk], {}, [], [])
    linked.thunk = thunk
    linked.programs = [program]
    inputs = []
    for (place, name, default, pickled), destroyed in zip(code["inputs"],
                                                          code["destroyed"]):
        if default is not None:
            thunk.cells[place][0] = default
        inputs.append((thunk.cells[place], name, _filter(pickled), None, None,
                       default is not None, destroyed))
    computed = {place for place, *_ in code["inputs"]} | set(
        code["constants"])
    outputs = [(thunk.cells[place], recycled, place not in computed, make)
               for place, recycled, make in code["outputs"]]
    return _clinch.Function((thunk,), inputs, outputs, code["single"],
                            code["name"], Unbound(linked, reason, parts))
