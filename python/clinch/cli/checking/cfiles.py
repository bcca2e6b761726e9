"""Checks an Op's C file on its own, with sample types found in its text."""

from __future__ import annotations

import os
import re

from ...base.annotations import Any
from ..c_file import parse_type, python_name, split
from ...ops.cop import ExternalCOp
from ...errors import CompileError
from ...graph.variables import Apply
from .kinds import ClinchKind
from .saying import CannotCheck, explained

_INPUT = re.compile(r"\bINPUT_(\d+)\b")
_OUTPUT = re.compile(r"\bOUTPUT_(\d+)\b")
_SECTION = re.compile(r"^[ \t]*#[ \t]*section[ \t]+(\w+)", re.MULTILINE)
#: What is done only to arrays, or other objects.
_ARRAY = r"Py\w+\s*\([^;]*\b{0}\b|\b{0}\s*->|!\s*{0}\b|\b{0}\s*[!=]=\s*NULL"
_FUNCTION = re.compile(
    r"\bint\s+(?:APPLY_SPECIFIC\(\s*(\w+)\s*\)|(\w+))\s*\(([^()]*)\)\s*\{")
_SCALAR = re.compile(r"\bnpy_(\w+)|\b(double|float)\b")
_SCALARS = {"double": "float64", "float": "float32"}


def look(looker: Any, path: str) -> None:
    """Checks one C file with types that fit its inputs and outputs."""
    options = looker.options
    looker.step("its sections")
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError as error:
        raise CannotCheck(f"it cannot be read: {error.strerror}") from None
    if "code" in _SECTION.findall(text):
        function = None
        inputs, outputs = _types_of_code(text)
    else:
        function, inputs, outputs = _types_of_function(text)
    looker.assumed = _assumption(options, inputs, outputs)
    try:
        if options.inputs is not None:
            inputs = split(options.inputs)
        if options.outputs is not None:
            outputs = split(options.outputs)
        takes = [parse_type(spec) for spec in inputs]
        gives = [parse_type(spec) for spec in outputs]
        op = _op(path, function, gives)
        variables = [t() for t in takes]
        made = op.make_node(*variables).outputs
    except CompileError as error:
        if not error.diagnostics:
            raise CannotCheck(error.message) from None
        looker.found([(d, "") for d in error.diagnostics], {})
        return
    except (ValueError, OSError) as error:
        raise CannotCheck(explained(error)) from None
    ClinchKind(looker).check_graph("its blocks", variables, made)


def _types_of_code(text: str) -> Any:
    """Returns types for the names in a `#section code`: a vector where the text
    treats one as an array, else a double."""
    def types(prefix: str, pattern: Any, least: Any) -> Any:
        count = max((int(n) + 1 for n in pattern.findall(text)), default=least)
        return ["float64[:]" if re.search(_ARRAY.format(f"{prefix}_{n}"), text)
                else "double" for n in range(count)]
    return types("INPUT", _INPUT, 0), types("OUTPUT", _OUTPUT, 1)


def _assumption(options: Any, inputs: Any, outputs: Any) -> Any:
    """Says which types were taken from the text; "" if all of them were given."""
    assumed = [f"--{name}={','.join(types)}" for name, types in
               (("inputs", inputs), ("outputs", outputs))
               if getattr(options, name) is None and types]
    return assumed and (f"the text does not say its types: "
                        f"{' '.join(assumed)} is assumed") or ""


def _types_of_function(text: str) -> Any:
    """Returns the function's name and the types that its parameters imply."""
    found = [match for match in _FUNCTION.finditer(text)
             if "**" in match[3] or match[1]]
    if len(found) != 1:
        raise CannotCheck("it has no `#section code`, and "
                     + ("no function" if not found else "several functions")
                     + " that an Op could call; check the module of its Op")
    match = found[0]
    name = f"APPLY_SPECIFIC({match[1]})" if match[1] else match[2]
    inputs: list[str] = []
    outputs: list[str] = []
    for parameter in filter(str.strip, match[3].split(",")):
        if "PARAMS_TYPE" in parameter:
            raise CannotCheck("its function takes parameters, which only its Op "
                         "knows; check the module of its Op")
        of = outputs if "**" in parameter else inputs
        of.append(_type_of(parameter, of is outputs))
    return name, inputs, outputs


def _type_of(parameter: Any, is_output: Any) -> Any:
    if "PyArrayObject" in parameter:
        return "float64[:]"
    scalar = _SCALAR.search(parameter)
    if scalar:
        return _SCALARS.get(scalar[1] or scalar[2], scalar[1] or "float64")
    raise CannotCheck(f"it is not known here what Type `{' '.join(parameter.split())}`"
                 f" is for; say it with --{'out' if is_output else 'in'}puts")


def _op(path: str, function: Any, gives: Any) -> Any:
    """Makes an Op from this one file."""
    name = python_name(path)

    def make_node(self: Any, *inputs: Any) -> Any:
        return Apply(self, list(inputs), [t() for t in gives])

    cls = type(name, (ExternalCOp,), {"make_node": make_node})
    return cls(os.path.abspath(path), function)
