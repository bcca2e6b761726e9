"""`clinch.stan.compile(program)`: log densities and gradients of Stan's models, without a
C++ compiler. The translator `stanc` and Stan's headers are those of the package httpstan.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import tempfile
import threading

import numpy

from ..base.annotations import Any, Sequence, Tier
from ..source.c_text import CompiledText
from ..source.compiled_text import compile as compile_text
from ..source.compiled_text import compile_object
from ..errors import CompileError
from ..base.installed import refuse_untested
from ..source.prefixes import PrecompiledHeaders
from ..base.c_source import c_source

#: Releases of httpstan whose headers were tested.
VERSIONS = ("4.13.0",)

# TBB gives values to an enum that C++ lets it not have; one more makes them lawful.
_HEADERS = """\
#define isolated widest = 7, isolated = 0
#include <tbb/task.h>
#undef isolated
#include <stan/model/model_header.hpp>
#include <stan/io/json/json_data.hpp>
"""
_DEFINES = ("STAN_THREADS", "_REENTRANT", "BOOST_DISABLE_ASSERTS",
            "BOOST_PHOENIX_NO_VARIADIC_EXPRESSION")
# So that the constructor of a node of the tape is inlined, as g++ does: a gradient takes
# three quarters of the time.
_INLINED = "-finline-limit=600"
LIBRARIES = ("tbb", "sundials_cvodes", "sundials_idas", "sundials_nvecserial")

_pointer, _text, _int, _bool = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int,
                                ctypes.c_bool)
#: BridgeStan's functions: result and arguments.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "bs_model_construct": (_pointer, _text, ctypes.c_uint, _pointer),
    "bs_model_destruct": (None, _pointer),
    "bs_free_error_msg": (None, _pointer),
    "bs_name": (_text, _pointer),
    "bs_model_info": (_text, _pointer),
    "bs_param_names": (_text, _pointer, _bool, _bool),
    "bs_param_unc_names": (_text, _pointer),
    "bs_param_num": (_int, _pointer, _bool, _bool),
    "bs_param_unc_num": (_int, _pointer),
    "bs_rng_construct": (_pointer, ctypes.c_uint, _pointer),
    "bs_rng_destruct": (None, _pointer),
    "bs_param_constrain": (_int, _pointer, _bool, _bool, *[_pointer] * 4),
    "bs_param_unconstrain": (_int, *[_pointer] * 4),
    "bs_param_unconstrain_json": (_int, _pointer, _text, _pointer, _pointer),
    "bs_log_density": (_int, _pointer, _bool, _bool, *[_pointer] * 3),
    "bs_log_density_gradient": (_int, _pointer, _bool, _bool, *[_pointer] * 4),
}


@functools.cache
def folder() -> str:
    """Where httpstan is, which is not imported."""
    found = importlib.util.find_spec("httpstan")
    if found is None or not found.submodule_search_locations:
        raise ImportError("clinch.stan needs stanc and Stan's headers: "
                          "`pip install httpstan`", name="httpstan")
    refuse_untested("stan", "httpstan", importlib.metadata.version("httpstan"), VERSIONS)
    return found.submodule_search_locations[0]


@functools.cache
def headers() -> PrecompiledHeaders:
    # Hidden: the variables of two programs are not one.
    return PrecompiledHeaders(
        _HEADERS, language="c++", defines=_DEFINES,
        flags=["-std=gnu++17", "-w", "-fvisibility=hidden", _INLINED],
        include_dirs=[os.path.join(folder(), "include")])


def translate(program: str, name: str = "model.stan",
              options: Sequence[str] = ()) -> str:
    """Returns the C++ that stanc prints for a program; messages call it `name`."""
    with tempfile.NamedTemporaryFile("w", suffix=".stan") as file:
        file.write(program)
        file.flush()
        ran = subprocess.run(
            [os.path.join(folder(), "stanc"), "--print-cpp", "--name", "stan_model",
             f"--filename-in-msg={name}", *options, file.name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode:
        raise CompileError(ran.stderr.strip())
    return ran.stdout


class _Code:
    """A program's machine code, and BridgeStan's functions in it."""

    def __init__(self, text: str, tier: Any) -> None:
        prefix = headers()
        interface = compile_object(c_source("stan_model.h"), "stan_model.h",
                                   prefix=prefix, tier=tier)
        self.text: CompiledText = compile_text(
            text, "model.cpp", prefix=prefix, tier=tier, objects=[interface],
            libraries=LIBRARIES, library_dirs=[os.path.join(folder(), "lib")])
        self.functions = {
            name: ctypes.CFUNCTYPE(*kinds)(self.text.lookup(name) or 0)
            for name, kinds in _FUNCTIONS.items()}

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function that fails with a message."""
        message = ctypes.c_void_p()
        result = self.functions[name](*arguments, ctypes.byref(message))
        if message.value:
            said = ctypes.string_at(message.value).decode(errors="replace")
            self.functions["bs_free_error_msg"](message)
            raise RuntimeError(said)
        return result


class _Instance:
    """What `bs_model_construct` made; freed with its last user."""

    def __init__(self, code: _Code, data: bytes, seed: int) -> None:
        self.code = code
        self.pointer = code.call("bs_model_construct", data, seed)

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            self.code.functions["bs_model_destruct"](self.pointer)

    def asked(self, name: str, *arguments: Any) -> Any:
        return self.code.functions[name](self.pointer, *arguments)

    def listed(self, name: str, *arguments: Any) -> list[str]:
        names: str = self.asked(name, *arguments).decode()
        return names.split(",") if names else []


class Program:
    """A Stan program. Calling it with data makes a `Model`."""

    def __init__(self, text: str, tier: Any) -> None:
        self.cpp = text
        self._code = _Code(text, tier or "fast")
        self._error: BaseException | None = None
        self._behind = threading.Thread(target=self._improve, daemon=True)
        if tier is None:
            self._behind.start()

    def _improve(self) -> None:
        try:
            self._code = _Code(self.cpp, "default")
        except BaseException as error:
            self._error = error

    def wait(self) -> None:
        """Returns when the code is as fast as it gets."""
        if self._behind.ident is not None:
            self._behind.join()
        if self._error is not None:
            raise self._error

    def address(self, name: str) -> int:
        """Returns the address of one of BridgeStan's functions, of the code in full
        speed, which the program keeps loaded."""
        self.wait()
        if name not in _FUNCTIONS:
            raise AttributeError(f"the interface has no {name!r}; it has "
                                 f"{', '.join(_FUNCTIONS)}")
        return self._code.text.lookup(name) or 0

    def __call__(self, data: Any = None, seed: int = 0) -> Model:
        """data: a dict of numbers and arrays, or text in JSON."""
        return Model(self, data, seed)


def compile(program: str | os.PathLike[str], *, tier: Tier | None = None,
            stanc_options: Sequence[str] = ()) -> Program:
    """Compiles a Stan program: its text, or the path of its file (a `pathlib.Path`).

    tier: of the code; None for `fast` at once, and `default` behind it, which models
    have as soon as it is there. stanc_options: more arguments of stanc, such as "--O1".
    """
    name = "model.stan"
    if not isinstance(program, str):
        name = os.fspath(program)
        with open(program, encoding="utf-8") as file:
            program = file.read()
    return Program(translate(program, name, stanc_options), tier)


def _as_json(data: Any) -> bytes:
    def plain(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError(f"Stan has no data like a {type(value).__name__}")
    return (data if isinstance(data, str) else
            json.dumps(data or {}, default=plain)).encode()


class Model:
    """A program with data. Its methods are those of BridgeStan's StanModel. Any number
    of threads may call them."""

    def __init__(self, program: Program, data: Any, seed: int) -> None:
        self.program = program
        self._made_of = _as_json(data), seed
        self._instance = _Instance(program._code, *self._made_of)

    def _best(self) -> _Instance:
        """The model in the best code there is."""
        code = self.program._code
        if self._instance.code is not code:
            self._instance = _Instance(code, *self._made_of)
        return self._instance

    def name(self) -> str:
        return str(self._best().asked("bs_name").decode())

    def model_info(self) -> str:
        return str(self._best().asked("bs_model_info").decode())

    def param_num(self, *, include_tp: bool = False, include_gq: bool = False) -> int:
        return int(self._best().asked("bs_param_num", include_tp, include_gq))

    def param_unc_num(self) -> int:
        return int(self._best().asked("bs_param_unc_num"))

    def param_names(self, *, include_tp: bool = False,
                    include_gq: bool = False) -> list[str]:
        return self._best().listed("bs_param_names", include_tp, include_gq)

    def param_unc_names(self) -> list[str]:
        return self._best().listed("bs_param_unc_names")

    def param_constrain(self, theta_unc: Any, *, include_tp: bool = False,
                        include_gq: bool = False, seed: int | None = None) -> Any:
        """Returns parameters as the program declares them, and what it derives of
        them; generated quantities draw by `seed`."""
        best = self._best()
        given = self._vector(theta_unc, self.param_unc_num())
        result = numpy.empty(self.param_num(include_tp=include_tp, include_gq=include_gq))
        rng = None if seed is None else best.code.call("bs_rng_construct", seed)
        try:
            best.code.call("bs_param_constrain", best.pointer, include_tp, include_gq,
                           given.ctypes.data, result.ctypes.data, rng)
        finally:
            best.code.functions["bs_rng_destruct"](rng)
        return result

    def param_unconstrain(self, theta: Any) -> Any:
        given = self._vector(theta, self.param_num())
        return self._filled("bs_param_unconstrain", given.ctypes.data)

    def param_unconstrain_json(self, theta: Any) -> Any:
        """theta: as data, a dict or text in JSON."""
        return self._filled("bs_param_unconstrain_json", _as_json(theta))

    def log_density(self, theta_unc: Any, *, propto: bool = True,
                    jacobian: bool = True) -> float:
        best = self._best()
        given = self._vector(theta_unc, self.param_unc_num())
        value = ctypes.c_double()
        best.code.call("bs_log_density", best.pointer, propto, jacobian,
                       given.ctypes.data, ctypes.byref(value))
        return value.value

    def log_density_gradient(self, theta_unc: Any, *, propto: bool = True,
                             jacobian: bool = True) -> tuple[float, Any]:
        best = self._best()
        given = self._vector(theta_unc, self.param_unc_num())
        value, gradient = ctypes.c_double(), numpy.empty(given.size)
        best.code.call("bs_log_density_gradient", best.pointer, propto, jacobian,
                       given.ctypes.data, ctypes.byref(value), gradient.ctypes.data)
        return value.value, gradient

    def for_nutpie(self, *, dims: Any = None, coords: Any = None) -> Any:
        """Returns the model for `nutpie.sample`, which calls its code by address. dims:
        {variable: names of its axes}; coords: {axis: labels}."""
        from . import stan_nutpie  # nutpie need not be there.
        return stan_nutpie.compiled(self, dims, coords)

    def _filled(self, name: str, given: Any) -> Any:
        best, result = self._best(), numpy.empty(self.param_unc_num())
        best.code.call(name, best.pointer, given, result.ctypes.data)
        return result

    @staticmethod
    def _vector(values: Any, size: int) -> Any:
        found = numpy.ascontiguousarray(values, dtype=numpy.float64)
        if found.shape != (size,):
            raise ValueError(f"the model has {size} parameters, and the shape of what is "
                             f"given is {found.shape}")
        return found
