"""Extension modules of Python from text, without a file, a process or a linker."""

from __future__ import annotations

import _imp
import ctypes
import importlib.util
import os
import sys
import threading
from importlib.machinery import ModuleSpec

from .c_text import CompiledText
from .compiled_text import compile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..base.annotations import Any

_lock = threading.RLock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]

_api = ctypes.pythonapi
_object, _address = ctypes.py_object, ctypes.c_void_p
_keep = ctypes.PYFUNCTYPE(None, _object)(("Py_IncRef", _api))
_drop = ctypes.PYFUNCTYPE(None, _object)(("Py_DecRef", _api))
_definition_of = ctypes.PYFUNCTYPE(_address, _object)(("PyModule_GetDef", _api))
_found = ctypes.PYFUNCTYPE(_address, _address)(("PyState_FindModule", _api))
_add = ctypes.PYFUNCTYPE(ctypes.c_int, _object, _address)(("PyState_AddModule", _api))
_from_definition = ctypes.PYFUNCTYPE(_object, _object, _object, ctypes.c_int)(
    ("PyModule_FromDefAndSpec2", _api))
_DEFINITION = ctypes.addressof(ctypes.c_char.in_dll(_api, "PyModuleDef_Type"))
_PYTHON_API_VERSION = 1013
_TYPE_AT = object.__basicsize__ - ctypes.sizeof(_address)  # The last field of an object.


class TextLoader:
    """Loads the extension module that a compiled text defines, as Python loads one
    from a file. Its code stays until the process ends, as that of a file does: a
    type, a function or a callback may live longer than the module."""

    def __init__(self, text: CompiledText) -> None:
        self.text = text

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        symbol = _init_symbol(spec.name)
        address = self.text.lookup(symbol)
        if address is None:
            raise ImportError(f"the text defines no `{symbol}`{self._others()}",
                              name=spec.name)
        if not getattr(sys, "_is_gil_enabled", lambda: True)():
            # Import turns it on for modules that want it, by no public function.
            raise ImportError("extension modules from text need the GIL: start Python "
                              "with PYTHON_GIL=1", name=spec.name)
        _keep(self.text)
        pointer = ctypes.PYFUNCTYPE(_address)(address)()
        if pointer is None:
            raise ImportError(f"`{symbol}` failed without raising an exception", name=spec.name)
        if not _address.from_address(pointer + _TYPE_AT).value:
            raise SystemError(f"`{symbol}` returned an object that is not initialised: "
                              "a PyModuleDef goes through `PyModuleDef_Init`")
        made = ctypes.cast(pointer, _object).value
        if id(type(made)) == _DEFINITION:
            _keep(made)  # It is of the text, and counts nothing.
            return _from_definition(made, spec, _PYTHON_API_VERSION)
        _drop(made)
        return _of_one_phase(made, symbol, spec.name)

    def exec_module(self, module: ModuleType) -> None:
        _imp.exec_dynamic(module)

    def _others(self) -> str:
        others = [name for name in self.text.functions if name.startswith("PyInit")]
        return ", but " + ", ".join(f"`{name}`" for name in others) if others else ""


class _Finder:
    """Finds modules from text again, for `importlib.reload`."""

    @staticmethod
    def find_spec(name: str, path: Any, target: Any = None) -> Any:
        spec = getattr(target, "__spec__", None)
        return spec if isinstance(getattr(spec, "loader", None), TextLoader) else None


def _init_symbol(name: str) -> str:
    last = name.rpartition(".")[2]
    if last.isascii():
        return "PyInit_" + last
    return "PyInitU_" + last.encode("punycode").decode().replace("-", "_")


def _of_one_phase(made: Any, symbol: str, name: str) -> ModuleType:
    if not isinstance(made, type(sys)):
        raise ImportError(f"`{symbol}` returned a {type(made).__name__}, not a module",
                          name=name)
    made.__name__ = name  # It knows the last part alone.
    definition = _definition_of(made)
    if definition and not _found(definition):
        _add(made, definition)
    return made


def import_extension(text: str, name: str, **options: Any) -> ModuleType:
    """Compiles the C or C++ source of a Python extension module and returns the module.

    The module is in `sys.modules` afterwards, as after an import. A second call with the
    same source and name returns the same module. Its code stays loaded until the process
    ends.

    Parameters
    ----------
    text : str
        The source. It defines `PyInit_NAME`, with the last part of `name`.
    name : str
        The name of the module, which may contain dots.
    **options
        Options of `compile`. `python` is True by default: the headers of Python and NumPy
        come before the source.

    Returns
    -------
    module
        The module.

    Raises
    ------
    CompileError
        If the source has errors.
    ImportError
        If the source has no `PyInit_NAME`, or a module of another source has that name.

    Examples
    --------
    >>> import clinch
    >>> module = clinch.import_extension('''
    ...     static PyObject *twice(PyObject *self, PyObject *x) { return PyNumber_Add(x, x); }
    ...     static PyMethodDef methods[] = {{"twice", twice, METH_O, "Doubles."}, {0}};
    ...     static PyModuleDef def = {PyModuleDef_HEAD_INIT, "doubled", 0, -1, methods};
    ...     PyMODINIT_FUNC PyInit_doubled(void) { return PyModule_Create(&def); }
    ... ''', "doubled")
    >>> module.twice(21)
    42
    """
    options.setdefault("python", True)
    made = compile(text, name, **options)
    with _lock:
        there = sys.modules.get(name)
        if there is None:
            return load(TextLoader(made), name)
    loader = getattr(there.__spec__, "loader", None)
    if isinstance(loader, TextLoader) and loader.text.key == made.key:
        return there
    raise ImportError(f"there is a module `{name}` already, and it is not of this text; "
                      f"`del sys.modules[{name!r}]` lets another take its name",
                      name=name)


def load(loader: Any, name: str) -> ModuleType:
    """Makes a module and runs it; one that fails is not in sys.modules."""
    finders: list[Any] = sys.meta_path
    if _Finder not in finders:
        finders.append(_Finder)
    module = importlib.util.module_from_spec(ModuleSpec(name, loader))
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return sys.modules[name]
