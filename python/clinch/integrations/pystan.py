"""`import clinch.pystan`: what PyStan's `stan.build` waits for is compiled in this process.

PyStan leaves programs to httpstan, which translates them and builds an extension module
of the result and of its own `stan_services.cpp`.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import sysconfig

from ..base.annotations import Any, Sequence
from ..source.compiled_text import describe
from ..base.installed import refuse_untested
from .module_files import import_them
from .source_files import write_module
from .stan import LIBRARIES, folder, headers

refuse_untested("pystan", "pystan", importlib.metadata.version("pystan"), ("3.10",))

import httpstan.cache
import httpstan.compile
import httpstan.models


def _write(path: str, text: str, flags: Sequence[str]) -> None:
    with open(os.path.join(folder(), "stan_services.cpp"), encoding="utf-8") as file:
        services = file.read()
    beside = [f"-iquote{folder()}", f"-I{sysconfig.get_path('include')}"]
    write_module(path, [
        describe(services, "stan_services.cpp", prefix=headers(), flags=[*beside, *flags]),
        describe(text, "model.cpp", prefix=headers(), flags=flags)],
        LIBRARIES, [os.path.join(folder(), "lib")])


async def _build(program_code: str, extra_compile_args: Sequence[str] | None = None) -> Any:
    """Is httpstan.models.build_services_extension_module; the compiler says nothing."""
    name = httpstan.models.calculate_model_name(program_code)
    model = f"model_{name.split('/')[1]}"
    text, _ = httpstan.compile.compile(program_code, model)
    path = os.path.join(httpstan.cache.model_directory(name), "stan_services_" + model
                        + sysconfig.get_config_var("EXT_SUFFIX"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    await asyncio.get_running_loop().run_in_executor(
        None, _write, path, text, extra_compile_args or ())
    return ""


def _import(model_name: str) -> Any:
    """Is import_services_extension_module; what another Clinch has built is built anew."""
    try:
        return _theirs(model_name)
    except OSError as error:
        raise KeyError(f"No module for `{model_name}`: {error}") from None


_theirs = httpstan.models.import_services_extension_module
setattr(httpstan.models, "import_services_extension_module", _import)
setattr(httpstan.models, "build_services_extension_module", _build)
import_them()
