"""`import clinch.brian2`, and `prefs.codegen.target = "clinch"`: Brian2's models are compiled
in this process, without Cython and without a C++ compiler.

The C++ is that of Brian2's generator and of its templates for programs of their own; the
folder `c/brian2` has the templates that differ where Python runs the model.
"""

from __future__ import annotations

import ctypes
import functools
import re
from types import SimpleNamespace

import brian2
import numpy

from ..base.installed import refuse_untested

#: The versions whose private classes are known.
TESTED = ("2.9.0",)
refuse_untested("brian2", "brian2", brian2.__version__, TESTED)

from brian2.codegen import cpp_prefs
from brian2.codegen.codeobject import CodeObject, check_compiler_kwds, constant_or_scalar
from brian2.codegen.generators.cpp_generator import CPPCodeGenerator, c_data_type
from brian2.codegen.runtime.cython_rt.cython_rt import CythonCodeObject
from brian2.codegen.targets import codegen_targets
from brian2.codegen.templates import Templater
from brian2.core.base import BrianObjectException
from brian2.core.functions import DEFAULT_FUNCTIONS
from brian2.core.preferences import prefs
from brian2.core.variables import ArrayVariable, Constant, DynamicArrayVariable
from brian2.devices.device import get_device
from brian2.utils.stringtools import get_identifiers
from jinja2 import ChoiceLoader, FunctionLoader

from ..base.annotations import Any, Sequence
from ..source.compiled_text import compile, compile_object
from ..base.configuration import cache_info
from ..source.prefixes import PrecompiledHeaders
from ..base.c_source import c_source

_OPTIONS = ("headers", "sources", "define_macros", "libraries", "include_dirs",
            "library_dirs", "runtime_library_dirs")
#: Makes a block of its address.
_make = ctypes.PYFUNCTYPE(ctypes.py_object)
_DRAW = """
double _{0}(int) {{
    return ::brian::drawn("{0}", _namespace_{0}_buffer, _namespace_{0}_buffer_index);
}}
"""


class ClinchCodeGenerator(CPPCodeGenerator):  # type: ignore[misc]
    """Brian2's generator for C++; variables are those of the code object's namespace."""

    class_name = "clinch"
    universal_support_code = ""  # Is in the prefix.

    def determine_keywords(self) -> dict[str, Any]:
        made = super().determine_keywords()
        places = re.findall(r"^(_namespace\w+) = (\w+);$",
                            "\n".join(made["pointers_lines"]), re.M)
        made["function_lines"] = "\n".join(f'::brian::take({place}, _namespace, "{name}");'
                                           for place, name in places)
        return made


def _declared(code: str, variables: dict[str, Any]) -> str:
    """Returns the declarations of what a block's text uses."""
    used = set(get_identifiers(code))
    if "_grown.resize" in code:
        used.add("_owner")
    keys: dict[str, int] = {}
    lines: dict[str, str] = {}  # Two variables may be one array.

    def key(name: str) -> str:
        return f"_names[{keys.setdefault(name, len(keys))}]"

    for name in ("_owner", "_queue"):
        if name in used:
            lines[name] = f"PyObject *const {name} = ::brian::item(_namespace, {key(name)});"
    for name, variable in sorted(variables.items()):
        if isinstance(variable, Constant) and name in used:
            kind = c_data_type(variable.dtype)
            lines[name] = f"const {kind} {name} = ::brian::number<{kind}>(_namespace, {key(name)});"
        elif isinstance(variable, ArrayVariable):
            _declare_array(name, variable, used, key, lines)
    texts = ", ".join(f'"{name}"' for name in keys)
    owner = "_owner" if "_owner" in used else "nullptr"
    return "\n".join((f"static PyObject **const _names = ::brian::interned({{{texts}}});",
                      "::brian::Growing *_first = nullptr;", *lines.values(),
                      f"::brian::Grown _grown{{{owner}, _first}};"))


def _declare_array(name: str, variable: Any, used: set[str], key: Any,
                   lines: dict[str, str]) -> None:
    array, kind = get_device().get_array_name(variable), c_data_type(variable.dtype)
    place, pointer, size = f"_of{array}", f"_ptr{array}", f"_num{name}"
    if {array, pointer, size} & used and getattr(variable, "ndim", 1) == 1:
        lines[place] = f"PyArrayObject *const {place} = ::brian::array(_namespace, {key(array)});"
        lines[array] = f"{kind} *const {array} = ::brian::data<{kind}>({place});"
        lines[size] = f"const size_t {size} = PyArray_DIM({place}, 0);"
        restrict = "" if variable.scalar or variable.size == 1 else "__restrict "
        lines[pointer] = f"{kind} *{restrict}{pointer} = {array};"
    if not isinstance(variable, DynamicArrayVariable):
        return
    growing = get_device().get_array_name(variable, access_data=False)
    if growing in used:
        of = "Dynamic" if variable.ndim == 1 else "Dynamic2D"
        lines.setdefault(
            growing, f"::brian::{of}<{kind}> {growing}(_first, ::brian::item(_namespace, "
                     f"{key(f'_var_{name}')}), ::brian::item(_namespace, {key(growing)}));")


@functools.cache
def _prefix(flags: tuple[str, ...], folders: tuple[str, ...]) -> PrecompiledHeaders:
    universal = CPPCodeGenerator.universal_support_code
    runtime = c_source("brian2/runtime.h")
    return PrecompiledHeaders(f"{runtime}\nnamespace brian {{\n{universal}\n}}\n",
                              language="c++", python=True, flags=flags,
                              include_dirs=folders)


def _flags() -> tuple[str, ...]:
    """Returns those that Brian2 gives to g++."""
    given = prefs["codegen.cpp.extra_compile_args"]
    if given is None:
        given = prefs["codegen.cpp.extra_compile_args_gcc"]
    # A later standard than C++11 is what the prefix wants.
    return (*(flag for flag in given if not flag.startswith("-std=")), "-std=c++17")


def _own_template(name: str) -> str | None:
    try:
        return c_source(f"brian2/{name}.jinja")
    except FileNotFoundError:
        return None


def _synapses_grow(names: Any, *others: Any, **named: Any) -> list[str]:
    """Is the filter by which templates resize all variables of synapses: their owner
    does so, who has more of them than a block's namespace."""
    return ["_grown"]


def _templater() -> Templater:
    made = Templater("brian2.devices.cpp_standalone", ".cpp", env_globals={
        "c_data_type": c_data_type, "constant_or_scalar": constant_or_scalar,
        "openmp_pragma": lambda kind: ""})
    made.env.loader = ChoiceLoader([FunctionLoader(_own_template), made.env.loader])
    made.env.filters["variables_to_array_names"] = _synapses_grow
    return made


class ClinchCodeObject(CodeObject):  # type: ignore[misc]
    """Runs code that Clinch compiled."""

    templater = _templater()
    generator_class = ClinchCodeGenerator
    class_name = "clinch"
    code: Any
    update_namespace = CythonCodeObject.update_namespace
    _insert_func_namespace = CythonCodeObject._insert_func_namespace

    def __init__(self, owner: Any, code: Any, variables: Any, variable_indices: Any,
                 template_name: Any, template_source: Any, compiler_kwds: Any,
                 name: str = "clinch_code_object*") -> None:
        check_compiler_kwds(compiler_kwds, _OPTIONS, "clinch")
        self.device, self.namespace = get_device(), {"_owner": owner}
        for block, text in [*code.items()]:
            text = text.replace("%VARIABLES%", _declared(text, variables))
            # As the other targets that Python runs say it.
            code._templates[block] = text.replace(" outside range ", " outside allowed range ")
            setattr(code, block, code[block])
        super().__init__(owner, code, variables, variable_indices, template_name,
                         template_source, compiler_kwds=compiler_kwds, name=name)
        self.variables_to_namespace()

    def variables_to_namespace(self) -> None:
        own = self.code
        # Cython's takes what the block `run` names, and another may name more.
        self.code = SimpleNamespace(run="\n".join(own.values()))
        CythonCodeObject.variables_to_namespace(self)
        self.code = own

    @classmethod
    def is_available(cls) -> bool:
        return True

    def _option(self, name: str) -> list[Any]:
        return [*prefs[f"codegen.cpp.{name}"], *self.compiler_kwds.get(name, [])]

    def compile_block(self, block: str) -> Any:
        text = getattr(self.code, block)
        if "EMPTY_CODE_BLOCK" in text:
            return None
        flags = [f"-D{name}" if value is None else f"-D{name}={value}"
                 for name, value in self._option("define_macros")]
        prefix = _prefix((*_flags(), *flags), tuple(self._option("include_dirs")))
        headers = "".join(f"#include {header}\n" for header in self._option("headers"))
        made = compile(
            headers + text, f"{self.template_name}_{block}.cpp", prefix=prefix,
            libraries=self._option("libraries"),
            library_dirs=self._option("library_dirs") + self._option("runtime_library_dirs"),
            objects=_objects(self.compiler_kwds.get("sources", []), prefix))
        return _make(made.lookup("clinch_block") or 0)(), made

    def run_block(self, block: str) -> Any:
        compiled = self.compiled_code[block]
        if not compiled:
            return None
        try:
            found = compiled[0](self.namespace)
        except Exception as error:
            raise BrianObjectException(
                f"An exception occured during the execution of the '{block}' block of "
                f"code object '{self.name}'.\n", self.owner) from error
        if found is None:
            return None
        variable = self.variables.get("_variable")
        return numpy.frombuffer(found, numpy.int32 if variable is None else variable.dtype)


def _objects(paths: Sequence[str], prefix: PrecompiledHeaders) -> list[bytes]:
    made = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            made.append(compile_object(file.read(), path, prefix=prefix))
    return made


def _install() -> None:
    cpp_prefs._compiler_supports_c99 = True  # It would be asked of a compiler.
    device = get_device()
    for name in ("rand", "randn"):
        buffers = {f"_{name}_buffer{end}": getattr(device, f"{name}_buffer{end}")
                   for end in ("", "_index")}
        DEFAULT_FUNCTIONS[name].implementations.add_implementation(
            ClinchCodeGenerator, code=_DRAW.format(name), name=f"_{name}", namespace=buffers)
    codegen_targets.add(ClinchCodeObject)
    # What `brian2.clear_cache("clinch")` empties.
    brian2._cache_dirs_and_extensions["clinch"] = (cache_info()["dir"], {".clinch"})


_install()
__all__ = ["TESTED"]
