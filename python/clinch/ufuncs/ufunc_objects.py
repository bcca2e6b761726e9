"""NumPy's objects of ufuncs, made by its C API."""

from __future__ import annotations

import ctypes

import numpy

from ..base.annotations import Any


def c_string(text: str) -> Any:
    return '"' + "".join(
        c if c.isalnum() or c in " ()<>,.:;+-*/=_'[]" else f"\\{ord(c):03o}"
        if ord(c) < 128 else "?" for c in text) + '"'


def numpy_function(number: int, *arguments: Any) -> Any:
    """Returns a function of NumPy's C API for ufuncs that returns an object."""
    core = getattr(numpy, "_core", None) or numpy.core
    capsule = core._multiarray_umath._UFUNC_API
    pointer = ctypes.PYFUNCTYPE(
        ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", ctypes.pythonapi))
    table = ctypes.cast(pointer(capsule, None),
                        ctypes.POINTER(ctypes.c_void_p))
    return ctypes.PYFUNCTYPE(ctypes.py_object, *arguments)(table[number])


class _UfuncHead(ctypes.Structure):
    """The head of NumPy's PyUFuncObject, the same from 1.7 to 2."""

    # PyObject_HEAD is larger without a GIL.
    _fields_ = [("head", ctypes.c_char * object.__basicsize__),
                ("counts", ctypes.c_int * 4), ("functions", ctypes.c_void_p),
                ("data", ctypes.c_void_p), ("ntypes", ctypes.c_int),
                ("reserved", ctypes.c_int), ("name", ctypes.c_void_p),
                ("types", ctypes.c_void_p), ("doc", ctypes.c_void_p),
                ("ptr", ctypes.c_void_p), ("obj", ctypes.c_void_p)]


def keep_alive(ufunc: Any, thing: Any) -> None:
    """Lets a ufunc keep its code alive, and release it when it is destroyed."""
    head = _UfuncHead.from_address(id(ufunc))
    if head.obj is not None or head.ntypes != ufunc.ntypes:
        raise NotImplementedError(f"NumPy {numpy.__version__} has ufuncs of another layout, "
                                  f"which cannot keep their code alive")
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
    head.obj = id(thing)
