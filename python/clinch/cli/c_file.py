"""Tries an Op's C file without any Python code."""

from __future__ import annotations

import os
import re
from itertools import zip_longest

from ..base.annotations import Any
from ..types.array_type import TensorType
from ..ops.cop import ExternalCOp
from ..build.functions import function
from ..types.generic_type import Generic
from ..graph.variables import Apply
from ..ops.scalar_ops import as_variable
from ..types.scalars import Scalar, double
from ..base.suggestions import did_you_mean

_SPEC = re.compile(r"([A-Za-z_]\w*)(\[(.*)\])?")
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
           "uint32", "uint64", "float16", "float32", "float64", "complex64",
           "complex128")


def load(session: Any, path: str, function_name: Any, inputs: Any, outputs: Any) -> Any:
    """Compiles a C file to a function and binds it to the file's name."""
    open(path, "rb").close()  # A file that is not there needs no types.
    for option, value in (("--inputs", inputs), ("--outputs", outputs)):
        if value is None:
            raise ValueError(f"`{path}` is an Op's C file and says no types: "
                             f"`{option}=TYPES` is needed, such as "
                             f"{option}=float64[:],double")
    takes = [parse_type(spec) for spec in split(inputs)]
    gives = [parse_type(spec) for spec in split(outputs)]
    op = file_op(path, function_name, gives, takes)
    variables = [t(f"x{i}") for i, t in enumerate(takes)]
    results = op(*variables)
    name = python_name(path)
    session.namespace[name] = function(variables, results)
    return name


def python_name(path: str) -> Any:
    """Returns the name that a file's function is bound to."""
    stem = os.path.splitext(os.path.basename(path))[0]
    name = re.sub(r"\W", "_", stem)
    return name if not name[:1].isdigit() else "_" + name


def split(specs: Any) -> Any:
    """Splits "float64[:,:],double" at the commas outside brackets."""
    return [s.strip() for s in re.split(r",(?![^\[]*\])", specs) if s.strip()]


def parse_type(spec: str) -> Any:
    """Parses `double`, `object`, `float64` (a scalar), `float64[]` or
    `float64[:,3]`."""
    match = _SPEC.fullmatch(spec)
    name = match.group(1) if match else spec
    if match and not match.group(2):
        if name == "double":
            return double
        if name == "object":
            return Generic()
    if not match or name not in _DTYPES:
        raise ValueError(f"`{spec}` is not a type"
                         + did_you_mean(name, ("double", "object") + _DTYPES)
                         + " (with [:], [:,:], [3] and so on for arrays)")
    if not match.group(2):
        return Scalar(name)
    return TensorType(name, _shape(match.group(3), spec))


def _shape(text: str, spec: str) -> Any:
    shape = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        if part != ":" and not part.isdigit():
            raise ValueError(f"`{part}` in `{spec}` is no dimension: `:` for "
                             "any length, or a number")
        shape.append(None if part == ":" else int(part))
    return tuple(shape)


def file_op(path: str, function_name: Any, gives: Any, takes: Any) -> Any:
    """Makes a class for this one file and returns an Op of it."""
    name = python_name(path)

    class FileOp(ExternalCOp):
        """The Op of a C file whose types are given separately."""

        def __init__(self) -> None:
            if function_name:
                super().__init__(os.path.abspath(path), function_name)
            else:
                super().__init__(os.path.abspath(path))

        def make_node(self, *inputs: Any) -> Any:
            """Makes an Apply if the inputs are of the given kinds."""
            made = [as_variable(value, like) for value, like
                    in zip_longest(inputs, takes[:len(inputs)])]
            given = [variable.type for variable in made]
            if list(map(_kind, given)) != list(map(_kind, takes)):
                raise TypeError(f"{name} takes ({_types(takes)}), and was "
                                f"given ({_types(given)})")
            return Apply(self, made, [t() for t in gives])

    FileOp.__name__ = FileOp.__qualname__ = name
    return FileOp()


def _kind(of: Any) -> Any:
    """Returns what an input must have in common with the given type."""
    return type(of), getattr(of, "dtype", None), getattr(of, "ndim", None)


def _types(types: Any) -> Any:
    return ", ".join(map(str, types))
