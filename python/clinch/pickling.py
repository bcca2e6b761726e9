"""Functions that travel: to other processes, and to where their author's
modules are not."""

import hashlib
import pickle

from . import _clinch
from .linkers import Linked


class Portable:
    """A function to be pickled with its machine code; unpickled it is the
    function again, even where its Types and Ops cannot be imported. Then what
    is known of the Types of its inputs filters its arguments, and the C code
    checks the rest."""

    def __init__(self, function):
        self._function = function

    def __reduce__(self):
        return reduce_function(self._function, with_object=True)


def reduce_function(function, with_object=False):
    """As `__reduce__`: graph and key, and the object code if wanted."""
    request = function.details
    if isinstance(request, Unbound):
        return _load, (*request.parts, function.trust_input)
    code = _portable_code(request) if with_object else None
    return _load, (pickle.dumps(request), function.key, code,
                   function.trust_input)


def _portable_code(request):
    if request.linker != "graph" or request.mode is not None:
        raise TypeError("only a function in one piece (linker=\"graph\") can "
                        "be pickled with its object code")
    options = dict(request.options, first_tier=None)
    program = _clinch.Program(request.inputs, request.outputs, keep=["obj"],
                              **options)
    constants = {position: cell[0] for position, cell
                 in enumerate(program.instantiate().cells)
                 if _is_constant(program.cells[position])}
    places = {id(v): position for position, v in enumerate(program.cells)
              if v is not None}
    machine_code = program.stage("obj")
    return {
        "description": _clinch.describe(request.inputs, request.outputs,
                                        **options),
        "object": machine_code,
        "digest": _digest(machine_code),
        "constants": constants,
        "inputs": [(places[id(item.variable)], item.name, item.value,
                    pickle.dumps(item.variable.type)) for item in request.ins],
        "outputs": [(places[id(v)], recycled) for v, recycled
                    in zip(request.outputs, program.recycled)],
        "destroyed": list(program.destroyed),
        "single": request.single,
        "name": request.name,
    }


def _digest(machine_code):
    return hashlib.blake2b(machine_code, digest_size=16).digest()


def _is_constant(variable):
    return variable is None or hasattr(variable, "data")


class Unbound:
    """What is known of a function whose graph could not be loaded."""

    inputs = outputs = ()
    tier = form = linker = language = mode = None

    def __init__(self, linked, reason, parts):
        self.linked = linked
        self.reason = reason
        self.parts = parts  # The graph, pickled; the key; the code.

    @property
    def options(self):
        raise RuntimeError(f"this function was loaded without its graph: "
                           f"{self.reason}")

    def copy(self):
        return self

    def link(self):
        """The function with a state of its own."""
        return _without_graph(self.linked.programs[0], self.parts, self.reason)

    __reduce__ = lambda self: self.options


def _load(graph, key, code, trust_input):
    if code is not None:
        if _digest(code["object"]) != code["digest"]:
            raise pickle.UnpicklingError(
                "the machine code of this function was damaged on its way")
        # The loaded code goes into the memory cache, where link() finds it.
        program = _clinch.load(code["description"], code["object"])
    try:
        request = pickle.loads(graph)
    except (ImportError, AttributeError) as error:
        if code is None:
            raise
        function = _without_graph(program, (graph, key, code), error)
    else:
        function = request.link()
    function.trust_input = trust_input
    return function


def _filter(pickled_type):
    """The filter of a Type that can be loaded here, else None."""
    try:
        plain = pickle.loads(pickled_type).filter
    except (ImportError, AttributeError):
        return None
    return lambda value, storage: plain(value)


def _without_graph(program, parts, reason):
    code = parts[2]
    cells = [None] * len(program.cells)
    for position, value in code["constants"].items():
        cells[position] = [value]  # Extracted once, when the thunk is made.
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
    outputs = [(thunk.cells[place], recycled, place not in computed)
               for place, recycled in code["outputs"]]
    return _clinch.Function((thunk,), inputs, outputs, code["single"],
                            code["name"], Unbound(linked, reason, parts))
