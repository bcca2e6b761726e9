"""Makes NumPy ufuncs from scalar Ops, scalar graphs and C functions."""

from __future__ import annotations

import ctypes
import functools
import inspect
import re

import numpy

from .. import _clinch
from ..base.annotations import Any, Tier
from ..source.c_text import _SIGNATURE, declared_type
from ..source.compiled_text import compile
from ..graph.variables import Apply, Variable
from .gufuncs import DTYPES, dtype_names, generalised
from ..ops.op import COp
from ..types.scalars import scalars
from ..tensor import library
from ..tensor.composite import Composite
from ..tensor.elemwise import Elemwise
from ..tensor.kernel import Kernel, list_of, refuse_state, scalar_node, text_of
from ..types.type import what
from .ufunc_objects import c_string, keep_alive, numpy_function

_IDENTITIES = {"add": 0, "mul": 1, "logical_or": 0, "logical_and": 1,
               "or_": 0, "xor": 0, "logical_xor": 0}
_NO_IDENTITY = -1


def vectorize(function: Any = None, outputs: Any = None, *,
              signature: str | None = None, dtypes: Any = None,
              name: str | None = None, doc: str | None = None,
              tier: Tier | None = None) -> Any:
    """Returns a NumPy ufunc that applies a scalar function to each element of its arrays.

    The ufunc broadcasts, and has `out=`, `.reduce` and `.at` as any other. Without
    `function`, `vectorize` returns a decorator with the other options.

    Parameters
    ----------
    function : callable, Op, list of Variable, or str, optional
        A Python function of scalar Variables, which is called for each dtype; a scalar Op;
        the inputs of a scalar graph; the declaration of a C function of the process or of
        the C library, such as "double erf(double)"; or a C function from `compile`.
    outputs : Variable or list of Variable, optional
        The outputs of the graph, if `function` holds its inputs.
    signature : str, optional
        The dimensions of the arguments and results of a generalised ufunc, such as
        "(n),(n)->()". The function, an Op or a Python function, then takes arrays.
    dtypes : sequence of str, optional
        The dtypes that the ufunc has loops for, by default all that the function accepts.
        An Op of yours gets no complex loops by default. With a `signature`: the dtypes of
        the arguments, one for each or one for all, by default "float64".
    name : str, optional
        The name of the ufunc, by default the function's.
    doc : str, optional
        The docstring of the ufunc.
    tier : {"fast", "default", "max"}, optional
        How long compiling may take, by default `config.tier`.

    Returns
    -------
    numpy.ufunc
        The ufunc.

    Raises
    ------
    TypeError
        If `function` cannot be vectorised, or accepts none of the dtypes.
    ValueError
        If a declaration or a signature is malformed.
    LinkError
        If nothing defines the declared C function.

    Examples
    --------
    >>> import clinch
    >>> import numpy
    >>> @clinch.vectorize(dtypes=["float64"])
    ... def relu(x):
    ...     return numpy.maximum(x, 0)
    >>> print(relu([-1.5, 2.5]))
    [0.  2.5]
    >>> print(clinch.vectorize("double cbrt(double)")([8.0, 27.0]))
    [2. 3.]
    """
    if function is None:
        return functools.partial(vectorize, signature=signature, dtypes=dtypes,
                                 name=name, doc=doc, tier=tier)
    if signature is not None:
        return generalised(function, signature, dtypes, name, doc, tier)
    loops, named, keep = _loops(function, outputs, dtypes)
    made = _Ufunc(loops, name or named, doc or "", tier).make(
        _identity(function))
    made_of = (made[1], keep)
    keep_alive(made[0], made_of)
    return made[0]


def _identity(function: Any) -> Any:
    return _IDENTITIES.get(getattr(function, "name", ""), _NO_IDENTITY)


def _loops(function: Any, outputs: Any, dtypes: Any) -> Any:
    """Returns (scalar applies, a name, what must stay alive)."""
    if isinstance(function, (list, tuple)):
        graph = Composite(function, outputs if isinstance(
            outputs, (list, tuple)) else [outputs])
        return [graph.make_node(*[v.type() for v in graph.inputs])], \
            "graph", None
    if isinstance(function, str):
        op = CFunction.declared(function)
        return [op.make_node(*[scalars[d]() for d in op.arguments])], \
            op.name, None
    if isinstance(function, _clinch.NativeFunction):
        op = CFunction.of_pointer(function)
        return [op.make_node(*[scalars[d]() for d in op.arguments])], \
            op.name, function
    if hasattr(function, "make_node"):
        # NumPy's complex numbers are structs, for which C has no operators.
        usual = DTYPES if hasattr(function, "_native") else DTYPES[:-2]
        return _of_op(function, dtype_names(dtypes or usual)), str(function), None
    if callable(function):
        return _traced(function, dtype_names(dtypes or DTYPES)), \
            getattr(function, "__name__", "function"), None
    raise TypeError(f"vectorize() takes a scalar Op, a function or a graph, "
                    f"not {what(function)}")


def _arity(function: Any) -> Any:
    found = getattr(function, "arity", None)
    if found is not None:
        return found
    call = getattr(function, "make_node", function)
    parameters = inspect.signature(call).parameters.values()
    if any(p.kind == p.VAR_POSITIONAL for p in parameters):
        raise TypeError(f"{function!r} takes any number of inputs; a function "
                        f"of some, `lambda x, y: ...`, says how many")
    count = len([p for p in parameters if p.default is p.empty])
    if not count:
        raise TypeError(f"{function!r} takes no inputs; a ufunc has one or more")
    return count


def _of_op(op: Any, dtypes: Any) -> Any:
    count = _arity(op)
    return _each(lambda given: scalar_node(op, given), dtypes, count)


def _traced(function: Any, dtypes: Any) -> Any:
    count = _arity(function)

    def one(of: Any) -> Any:
        given = [scalars[dtype]() for dtype in of]
        made = function(*given)
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        for result in made:
            if not isinstance(result, Variable):
                raise TypeError(f"{function!r} must return Variables; it "
                                f"returned {what(result)}")
        return Composite(given, made).make_node(*given)

    return _each(one, dtypes, count)


def _kinds(dtypes: Any, count: int) -> Any:
    """Returns the dtypes of the inputs of each loop. Of int64 beside uint64 NumPy
    would make float64, which compares them as if some were equal."""
    dtypes, mixed = list(dtypes), ("int64", "uint64")
    kinds = [(dtype,) * count for dtype in dtypes]
    if count == 2 and all(dtype in dtypes for dtype in mixed):
        place = max(map(dtypes.index, mixed)) + 1
        kinds[place:place] = [mixed, mixed[::-1]]
    return kinds


def _each(make: Any, dtypes: Any, count: int) -> Any:
    """Returns what `make` makes of inputs of the dtypes that it takes; of different
    ones only comparisons. If it takes none, raises what it says of float64, or of the
    first."""
    made = []
    refused: dict[str, Exception] = {}
    for kind in _kinds(dtypes, count):
        try:
            node = make(kind)
        except (TypeError, ValueError) as error:
            refused.setdefault(kind[0], error)
            continue
        if len(set(kind)) == 1 or all(v.type.dtype == "bool"
                                      for v in node.outputs):
            made.append(node)
    if not made:
        raise refused.get("float64") or next(iter(refused.values()))
    return made


_LOOP = """
static void {name}_ufunc(char **args, const npy_intp *count,
                         const npy_intp *steps, void *data) {{
{enter}
clinch_run_ufunc(&{name}_loop, args, count, steps);
{leave}
}}
"""
_MAY_FAIL = ("PyGILState_STATE state = PyGILState_Ensure();",
             "PyGILState_Release(state);")


class _Ufunc:
    """Makes the text of a ufunc's loops, and the ufunc."""

    def __init__(self, nodes: Any, name: str, doc: Any, tier: Any) -> None:
        self.nodes, self.name, self.doc, self.tier = nodes, name, doc, tier

    def _numbers(self) -> Any:
        for node in self.nodes:
            yield [numpy.dtype(v.type.dtype).num
                   for v in (*node.inputs, *node.outputs)]

    def text(self) -> Any:
        parts = [library.HEADER]
        for node in self.nodes:
            parts += list_of(node.op, "c_support_code")
            for v in (*node.inputs, *node.outputs):
                parts += v.type.c_support_code()
        parts = list(dict.fromkeys(parts))
        headers = list(dict.fromkeys(
            h for node in self.nodes for h in list_of(node.op, "c_headers")))
        for number, node in enumerate(self.nodes):
            parts.append(self._loop(node, f"loop{number}"))
        count = range(len(self.nodes))
        numbers = ", ".join(str(n) for row in self._numbers() for n in row)
        parts += [
            f"void *clinch_functions[] = {{"
            f"{', '.join(f'(void *)loop{n}_ufunc' for n in count)}}};",
            f"void *clinch_data[{len(self.nodes)}];",
            f"char clinch_types[] = {{{numbers}}};",
            f"char clinch_name[] = {c_string(self.name)};",
            f"char clinch_doc[] = {c_string(self.doc)};"]
        return "\n".join([*(f"#include {h}" for h in headers), *parts])

    def _loop(self, node: Any, name: str) -> Any:
        refuse_state(node.op, node)
        kernel = Kernel(node, {}, set(), True).text(name)
        enter, leave = _MAY_FAIL if "clinch_failing" in kernel else ("", "")
        rows = ", ".join(Elemwise._operand(v, False, -1, 0).replace(
            "{" + str(numpy.dtype(v.type.dtype).itemsize), "{0", 1)
            for v in (*node.inputs, *node.outputs))
        return "\n".join([
            text_of(node.op, "c_support_code_apply", node, name), kernel,
            f"static const struct clinch_operand {name}_operands[] = "
            f"{{{rows}}};",
            f"static const struct clinch_loop {name}_loop = "
            f"{{{c_string(str(node.op))}, {len(node.inputs)}, "
            f"{len(node.outputs)}, {name}_operands, {name}_kernel, 0, 1}};",
            _LOOP.format(name=name, enter=enter, leave=leave)])

    def make(self, identity: Any) -> Any:
        """Returns (the ufunc, the text that it needs)."""
        libraries = [lib for node in self.nodes
                     for lib in list_of(node.op, "c_libraries")]
        folders = [place for node in self.nodes
                   for place in list_of(node.op, "c_lib_dirs")]
        text = compile(self.text(), self.name, python=True, tier=self.tier,
                       libraries=[library.NAME, *libraries],
                       library_dirs=[library.folder(), *folders])
        node = self.nodes[0]
        make = numpy_function(1, *[ctypes.c_void_p] * 3, *[ctypes.c_int] * 4,
                              ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
        made = make(*(text.lookup(f"clinch_{part}")
                      for part in ("functions", "data", "types")),
                    len(self.nodes), len(node.inputs), len(node.outputs),
                    identity, text.lookup("clinch_name"),
                    text.lookup("clinch_doc"), 0)
        return made, text


class CFunction(COp):
    """A C function of numbers, as a scalar Op."""

    __props__ = ("name", "result", "arguments", "address")

    def __init__(self, name: str, result: Any, arguments: Any,
                 address: Any = None) -> None:
        self.name, self.result = name, result
        self.arguments, self.address = tuple(arguments), address

    @classmethod
    def declared(cls, declaration: str) -> Any:
        """Makes one from "double erf(double)", defined in the process or libm."""
        match = re.match(_SIGNATURE, declaration)
        if not match:
            raise ValueError(f"{declaration!r} is no declaration of a "
                             f"function, such as 'double erf(double)'")
        result, name, parameters = match.groups()
        return cls(name, _dtype_of(declared_type(result)),
                   [_dtype_of(declared_type(p))
                    for p in parameters.split(",")])

    @classmethod
    def of_pointer(cls, function: Any) -> Any:
        """Makes one from a C function that `compile` made."""
        return cls("function", _dtype_of(function.type.item),
                   [_dtype_of(t) for t in function.type.parameters], function.address)

    def make_node(self, *inputs: Any) -> Any:
        if len(inputs) != len(self.arguments):
            raise TypeError(f"{self.name}() takes {len(self.arguments)} "
                            f"arguments, and {len(inputs)} were given")
        for v, dtype in zip(inputs, self.arguments):
            if v.type.dtype != dtype:
                raise TypeError(f"{self.name}() takes a {dtype}, not a "
                                f"{v.type.dtype}")
        return Apply(self, list(inputs), [scalars[self.result]()])

    def _prototype(self, name: str) -> str:
        kinds = ", ".join(scalars[d].c_element_type() for d in self.arguments)
        return f"{scalars[self.result].c_element_type()} {name}({kinds})"

    def c_support_code(self, **kwargs: Any) -> Any:
        if self.address is not None:
            return []
        return [f"#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                f"{self._prototype(self.name)};"]

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> str:
        called = self.name if self.address is None else \
            f"(({self._prototype('(*)')}){self.address}ull)"
        return f"{outputs[0]} = {called}({', '.join(inputs)});"

    def __str__(self) -> str:
        return self.name


def _dtype_of(kind: Any) -> Any:
    found = kind.code and numpy.dtype(kind.code).name
    if found not in scalars:
        raise TypeError(f"{kind.name} is no number that a ufunc has")
    return found
