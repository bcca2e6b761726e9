"""Makes SciPy's LowLevelCallables: C functions that quad and filters call without
Python."""

from __future__ import annotations

import ctypes

from .. import _clinch
from ..base.annotations import Any, Tier
from .callbacks import compile_calling
from ..source.compiled_text import compile
from ..build.functions import Function
from ..base.c_source import c_source
from ..tensor import library
from ..tensor.composite import Composite
from ..tensor.kernel import Kernel, list_of, refuse_state, text_of
from ..types.type import is_array, what
from .ufunc_objects import c_string
from .vectorize import _loops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply
    from ..source.c_text import CompiledText

_ONE = "double (double)"
_SEVERAL = "double (int, double *)"
_FILTER = "int (double *, intptr_t, double *, void *)"

_NUMBERS = """
double clinch_entry({parameters}) {{
double made = 0.0;
char *p[] = {{{inputs}, (char *)&made}};
{enter}
{name}_kernel(p, 1);
{leave}
return made;
}}
"""


def low_level_callable(function: Any, outputs: Any = None, *,
                       tier: Tier | None = None) -> Any:
    """Returns a `scipy.LowLevelCallable`, which SciPy calls without Python.

    Parameters
    ----------
    function : callable, Op, list of Variable, or Function
        For `quad` and similar: a Python function of scalar Variables, a scalar Op, or the
        inputs of a scalar graph, all of doubles. SciPy calls it as `double (double)`, or as
        `double (int, double *)` if it has several inputs. For `ndimage.generic_filter`: a
        Function from one vector of doubles to one number. A C function from `compile` is
        used as it is.
    outputs : Variable, optional
        The output of the graph, if `function` holds its inputs.
    tier : {"fast", "default", "max"}, optional
        How long compiling may take, by default `config.tier`.

    Returns
    -------
    scipy.LowLevelCallable
        The callable. It keeps the code loaded.

    Raises
    ------
    TypeError
        If the function takes or returns something else than doubles, or returns several.

    Examples
    --------
    >>> import clinch
    >>> import numpy
    >>> from scipy.integrate import quad
    >>> bell = clinch.low_level_callable(lambda x: numpy.exp(-x * x))
    >>> integral, error = quad(bell, 0, 1)
    >>> print(f"{integral:.6f}")
    0.746824
    """
    import scipy
    if isinstance(function, _clinch.NativeFunction):
        return scipy.LowLevelCallable(_capsule_of(function))
    if isinstance(function, Function):
        text = _of_function(function, tier)
    else:
        text = _of_scalars(_node(function, outputs), tier)
    return scipy.LowLevelCallable(_capsule(text))


def _node(function: Any, outputs: Any) -> Apply:
    if isinstance(function, (list, tuple)):
        graph = Composite(function, [outputs])
        node = graph.make_node(*[v.type() for v in graph.inputs])
    elif callable(function) or hasattr(function, "make_node"):
        (node,) = _loops(function, None, ["float64"])[0]
    else:
        raise TypeError(f"low_level_callable() takes a scalar Op, a function, "
                        f"a graph or a Function, not {what(function)}")
    for v in (*node.inputs, *node.outputs):
        if v.type.dtype != "float64":
            raise TypeError(f"a SciPy callable takes and returns doubles, not "
                            f"{v.type.dtype}")
    if len(node.outputs) != 1:
        raise TypeError(f"a SciPy callable returns one number, not "
                        f"{len(node.outputs)}")
    return node


def _of_scalars(node: Apply, tier: Tier | None) -> CompiledText:
    refuse_state(node.op, node)
    kernel = Kernel(node, {}, set(), True).text("callback")
    parts = [library.HEADER, *list_of(node.op, "c_support_code"),
             text_of(node.op, "c_support_code_apply", node, "callback"), kernel]
    count = len(node.inputs)
    parameters = "double x" if count == 1 else "int n, double *x"
    inputs = ["(char *)&x"] if count == 1 else \
        [f"(char *)(x + {k})" for k in range(count)]
    enter, leave = (("PyGILState_STATE state = PyGILState_Ensure();",
                     "PyGILState_Release(state);")
                    if "clinch_failing" in kernel else ("", ""))
    parts.append(_NUMBERS.format(
        parameters=parameters, inputs=", ".join(inputs),
        enter=enter, leave=leave, name="callback"))
    headers = "".join(f"#include {h}\n"
                      for h in list_of(node.op, "c_headers"))
    signature = _ONE if count == 1 else _SEVERAL
    return compile(
        headers + "\n".join(parts) + _signature_text(signature), "callable",
        python=True, tier=tier,
        libraries=[library.NAME, *list_of(node.op, "c_libraries")],
        library_dirs=[library.folder(), *list_of(node.op, "c_lib_dirs")])


def _of_function(function: Function, tier: Tier | None) -> CompiledText:
    inputs, outputs = function.inputs, function.outputs
    if inputs and not any(map(is_array, inputs)):
        raise TypeError("of a Function of numbers SciPy is given the graph: "
                        "low_level_callable([x, y], x * y) of its Variables")
    if (len(inputs) != 1 or not is_array(inputs[0])
            or inputs[0].type.ndim != 1 or inputs[0].type.dtype != "float64"
            or len(outputs) != 1 or getattr(outputs[0].type, "ndim", 0) != 0):
        raise TypeError("a Function for SciPy's filters takes one vector of "
                        "doubles and gives one number")
    return compile_calling(c_source("filter.h") + _signature_text(_FILTER), function,
                           "callable", tier)


def _signature_text(signature: str) -> str:
    return f"char clinch_signature[] = {c_string(signature)};\n"


# Not the attribute of pythonapi, because all modules share that and its argtypes.
_CAPSULE_NEW = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi))


class _Destructor:
    """Releases the text when its capsule is destroyed."""

    def __init__(self) -> None:
        self.kept: dict[int, Any] = {}
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self.function = kind(self._drop)

    def _drop(self, capsule: int) -> None:
        self.kept.pop(capsule, None)


_destructor = _Destructor()


def _capsule(text: CompiledText) -> Any:
    return _kept(text.lookup("clinch_entry"), text.lookup("clinch_signature"), text)


def _capsule_of(function: Any) -> Any:
    types = [one.name.removeprefix("const ")
             for one in (function.type.item, *function.type.parameters)]
    signature = ctypes.c_char_p(f"{types[0]} ({', '.join(types[1:])})".encode())
    return _kept(function.address, signature, (function, signature))


def _kept(entry: Any, signature: Any, keeps: Any) -> Any:
    """Returns a capsule that keeps an object."""
    made = _CAPSULE_NEW(entry, ctypes.cast(signature, ctypes.c_void_p),
                        ctypes.cast(_destructor.function, ctypes.c_void_p))
    _destructor.kept[id(made)] = keeps
    return made
