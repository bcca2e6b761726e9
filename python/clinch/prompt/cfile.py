"""An Op's C file, tried with no Python written."""

import os
import re
from itertools import zip_longest

from .suggestions import did_you_mean

_SPEC = re.compile(r"([A-Za-z_]\w*)(\[(.*)\])?")
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
           "uint32", "uint64", "float32", "float64", "complex64",
           "complex128")


def load(session, path, function_name, inputs, outputs):
    """Makes a function of a C file and binds it to the file's name."""
    for option, value in (("--inputs", inputs), ("--outputs", outputs)):
        if value is None:
            raise ValueError(f"`{path}` is an Op's C file and says no types: "
                             f"`{option}=TYPES` is needed, such as "
                             f"{option}=float64[:],double")
    package = session.package
    takes = [parse_type(package, spec) for spec in split(inputs)]
    gives = [parse_type(package, spec) for spec in split(outputs)]
    op = file_op(package, path, function_name, gives, takes)
    variables = [t(f"x{i}") for i, t in enumerate(takes)]
    results = op(*variables)
    name = python_name(path)
    session.namespace[name] = package.function(variables, results)
    return name


def python_name(path):
    """The name that a file's function is bound to."""
    stem = os.path.splitext(os.path.basename(path))[0]
    name = re.sub(r"\W", "_", stem)
    return name if not name[:1].isdigit() else "_" + name


def split(specs):
    """"float64[:,:],double" at the commas outside brackets."""
    return [s.strip() for s in re.split(r",(?![^\[]*\])", specs) if s.strip()]


def parse_type(package, spec):
    """`double`, `object`, `float64` (a scalar), `float64[]`, `float64[:,3]`."""
    match = _SPEC.fullmatch(spec)
    name = match.group(1) if match else spec
    if match and not match.group(2):
        if name == "double":
            return package.double
        if name == "object":
            return package.Generic()
    if not match or name not in _DTYPES:
        raise ValueError(f"`{spec}` is no type"
                         + did_you_mean(name, ("double", "object") + _DTYPES)
                         + " (with [:], [:,:], [3] and so on for arrays)")
    if not match.group(2):
        return package.Scalar(name)
    return package.TensorType(name, _shape(match.group(3), spec))


def _shape(text, spec):
    shape = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        if part != ":" and not part.isdigit():
            raise ValueError(f"`{part}` in `{spec}` is no dimension: `:` for "
                             "any length, or a number")
        shape.append(None if part == ":" else int(part))
    return tuple(shape)


def file_op(package, path, function_name, gives, takes):
    """An Op of a class for this one file."""
    name = python_name(path)

    class FileOp(package.ExternalCOp):
        """The Op of a C file whose types are given beside it."""

        def __init__(self):
            if function_name:
                super().__init__(os.path.abspath(path), function_name)
            else:
                super().__init__(os.path.abspath(path))

        def make_node(self, *inputs):
            """These inputs, if they are of the kinds that were given."""
            inputs = [package.as_variable(value, like) for value, like
                      in zip_longest(inputs, takes[:len(inputs)])]
            given = [variable.type for variable in inputs]
            if list(map(_kind, given)) != list(map(_kind, takes)):
                raise TypeError(f"{name} takes ({_types(takes)}), and was "
                                f"given ({_types(given)})")
            return package.Apply(self, inputs, [t() for t in gives])

    FileOp.__name__ = FileOp.__qualname__ = name
    return FileOp()


def _kind(of):
    """What inputs must have in common with the type that was given."""
    return type(of), getattr(of, "dtype", None), getattr(of, "ndim", None)


def _types(types):
    return ", ".join(map(str, types))
