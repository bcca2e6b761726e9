"""Lets nutpie sample what Clinch compiles.

It is a sampler of its own, which PyMC lets compile with Numba, or with JAX, whatever
PyTensor's mode is.
"""

import inspect
import sys
import warnings

from pytensor.compile.mode import get_mode

from clinch.integrations.pytensor.import_hooks import when_imported
from clinch.integrations.pytensor.linker import ClinchLinker
from clinch.integrations.pytensor.patching import changes, wrap


def install():
    """Adds the changes of PyMC and nutpie once they are imported."""
    awaited = {
        "pymc": lambda: changes.add(*_of_pymc()),
        "nutpie": lambda: changes.add(*_of_nutpie()),
    }
    changes.add(when_imported(awaited))
    for name in awaited.keys() & sys.modules.keys():
        awaited[name]()


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
    from clinch.integrations.pytensor.nutpie_model import compile_model

    if freeze_model:
        from pymc.model.transform.optimization import freeze_dims_and_data

        model = freeze_dims_and_data(model)
    how = initial_points, jitter_rvs, default_initialization_strategy
    return compile_model(model, *how, var_names)


def _of_pymc():
    mcmc = sys.modules.get("pymc.sampling.mcmc")
    if mcmc is None:  # Another module is named "pymc".
        return []
    why = "samplers that others have written compile with Clinch too, or say so"
    return [wrap(mcmc, "_sample_external_nuts", _sample_external, why)]


def _of_nutpie():
    if "nutpie.compile_pymc" not in sys.modules:
        return []
    why = 'takes `backend="clinch"`, which is the default where CLINCH is PyTensor\'s mode'
    ours = _compile_pymc_model
    return [wrap(sys.modules["nutpie"], "compile_pymc_model", ours, why)]


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
            f"Clinch ignores {', '.join(ignored)}, which nutpie passes to Numba or JAX.",
            stacklevel=3,
        )
    return nutpie(model, **{name: kwargs[name] for name in kwargs if name in known})
