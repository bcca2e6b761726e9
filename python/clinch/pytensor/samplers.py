"""Makes PyMC compile everything with Clinch if it is told to.

PyMC passes its mode to PyTensor for most functions, but not for the one that
computes what a trace stores, and not to nutpie, which it silently lets compile with
Numba.
"""

import inspect
import sys
import warnings

from pytensor.compile.mode import get_mode
from pytensor.configdefaults import config

from clinch.pytensor.import_hooks import when_imported
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.patching import names, replace, wrap


def install():
    """Adds the patches once PyMC and nutpie are imported."""
    when_imported("pymc", lambda: names.add(*_of_pymc()))
    when_imported("nutpie", lambda: names.add(*_of_nutpie()))


def is_clinch(mode):
    """Whether a mode, or what PyTensor accepts as one, is ours."""
    return isinstance(get_mode(mode).linker, ClinchLinker)


def nutpie(
    model,
    *,
    initial_points=None,
    jitter_rvs=None,
    default_initialization_strategy="support_point",
    var_names=None,
    freeze_model=False,
):
    """Compiles a PyMC model for nutpie, as `nutpie.compile_pymc_model` does with
    Numba. Pass the result to `nutpie.sample`; chains are threads that call C."""
    from clinch.pytensor.nutpie_model import compile_model

    if freeze_model:
        from pymc.model.transform.optimization import freeze_dims_and_data

        model = freeze_dims_and_data(model)
    return compile_model(
        model,
        initial_points=initial_points,
        jitter_rvs=jitter_rvs,
        default_initialization_strategy=default_initialization_strategy,
        var_names=var_names,
    )


def _of_pymc():
    mcmc = sys.modules.get("pymc.sampling.mcmc")
    if mcmc is None:  # Another module is named "pymc".
        return []
    why = "all of what is sampled is compiled in the mode that it is given"
    patches = [
        wrap(sys.modules[module], "sample", _sample, why)
        for module in ("pymc", "pymc.sampling", "pymc.sampling.mcmc")
    ]
    why = "samplers that others have written compile with Clinch too, or say so"
    patches.append(wrap(mcmc, "_sample_external_nuts", _sample_external, why))
    if hasattr(mcmc, "NumbaLinker"):
        why = "nutpie is the default sampler for Clinch's code, as it is for Numba's"
        patches.append(replace(mcmc, "NumbaLinker", lambda numba: numba | ClinchLinker, why))
    return patches


def _of_nutpie():
    if "nutpie.compile_pymc" not in sys.modules:
        return []
    why = 'takes `backend="clinch"`, which is the default where CLINCH is PyTensor\'s mode'
    return [
        wrap(sys.modules[module], "compile_pymc_model", _compile_pymc_model, why)
        for module in ("nutpie", "nutpie.compile_pymc")
    ]


def _sample(original, *args, **kwargs):
    """Replaces `pm.sample`."""
    mode = kwargs.get("backend") or (kwargs.get("compile_kwargs") or {}).get("mode")
    if mode is None or not _names_clinch(mode):
        return original(*args, **kwargs)
    if "backend" in kwargs and "backend" not in inspect.signature(original).parameters:
        # PyMC 5 has no backends, only modes.
        del kwargs["backend"]
        kwargs["compile_kwargs"] = {**(kwargs.get("compile_kwargs") or {}), "mode": "CLINCH"}
    with config.change_flags(mode=get_mode(mode)):
        return original(*args, **kwargs)


def _names_clinch(mode):
    """`is_clinch` for a value that may be the name of a backend."""
    if isinstance(mode, str):
        return mode.upper() == "CLINCH"
    return is_clinch(mode)


def _sample_external(original, sampler, *args, **kwargs):
    """Replaces `_sample_external_nuts`, which runs samplers from outside PyMC."""
    given = kwargs.get("compile_kwargs")
    if not is_clinch((given or {}).get("mode")):
        return original(sampler, *args, **kwargs)
    if sampler != "nutpie":
        warnings.warn(
            f"{sampler} compiles the model with JAX; of the samplers, PyMC's own and "
            "nutpie run what Clinch compiles.",
            stacklevel=3,
        )
    elif given is not None and "backend" not in given:
        kwargs["compile_kwargs"] = {**given, "backend": "clinch"}
    return original(sampler, *args, **kwargs)


def _compile_pymc_model(original, model, **kwargs):
    """Replaces `nutpie.compile_pymc_model`."""
    backend = kwargs.get("backend") or ("clinch" if is_clinch(None) else "numba")
    if backend.lower() != "clinch":
        return original(model, **kwargs)
    known = inspect.signature(nutpie).parameters
    ignored = sorted(kwargs.keys() - known.keys() - {"backend", "gradient_backend"})
    if ignored:
        warnings.warn(
            f"Clinch ignores {', '.join(ignored)}, which nutpie passes to "
            "Numba or JAX.",
            stacklevel=3,
        )
    return nutpie(model, **{name: kwargs[name] for name in kwargs if name in known})
