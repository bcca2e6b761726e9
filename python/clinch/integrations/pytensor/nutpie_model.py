"""Gives nutpie the C functions that it calls for each of its steps."""

import dataclasses
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from nutpie import _lib
from nutpie import compile_pymc as theirs
from nutpie.sample import CompiledModel

from clinch.integrations.pytensor.c_functions import Compiled, ops_in_python


@dataclass(frozen=True)
class CompiledClinchModel(CompiledModel):
    """A PyMC model for nutpie, compiled by Clinch."""

    logp_function: Any
    expand_function: Any
    initial_point_function: Any
    #: Names, places and shapes of variables, in nutpie's form.
    shape_info: Any
    n_parameters: int
    n_expanded: int
    model_coords: Any
    transform_arguments: Any = None

    @property
    def n_dim(self):
        return self.n_parameters

    @property
    def shapes(self):
        names, _, shapes = self.shape_info
        return {name: tuple(shape) for name, shape in zip(names, shapes, strict=True)}

    @property
    def coords(self):
        return self.model_coords

    def with_data(self, **values):
        """Returns the model with other values in its shared variables."""
        known = {v.name for f in self._functions() for v in f.get_shared() if v.name is not None}
        for name in values.keys() - known:
            raise KeyError(f"Unknown shared variable: {name}")
        logp, expand = (own_data(f, values) for f in self._functions())
        return dataclasses.replace(self, logp_function=logp, expand_function=expand)

    def with_transform_adapt(self, **arguments):
        return dataclasses.replace(self, transform_arguments=arguments)

    def _functions(self):
        return self.logp_function, self.expand_function

    def _make_sampler(self, settings, init_mean, cores, *how):
        model = self._make_model(init_mean)
        return _lib.PySampler.from_pymc(settings, cores, model, *how)

    def _make_model(self, init_mean):
        size, expanded = self.n_parameters, self.n_expanded
        # Each sampler gets its own state.
        logp, expand = map(Compiled, self._functions())
        names, _, shapes = self.shape_info
        coords = dict(self.model_coords)
        lengths = {name: len(values) for name, values in coords.items()}
        variables = _lib.PyVariable.new_variables(
            names, ["float64"] * len(names), shapes, lengths, dict(self.dims or {})
        )
        return _lib.PyMcModel(
            _lib.LogpFunc(logp.lookup("clinch_logp"), 0, logp),
            _lib.ExpandFunc(size, expanded, expand.lookup("clinch_expand"), 0, expand),
            variables,
            size,
            lengths,
            coords,
            self.initial_point_function,
            self._make_adapter,
        )

    def _make_adapter(self, *args, **kwargs):
        from nutpie.transform_adapter import make_transform_adapter

        make = make_transform_adapter(**(self.transform_arguments or {}))
        return make(*args, **kwargs, logp_fn=None)


def own_data(function, values=()):
    """Copies a function so that its shared variables have their own values."""
    swap = {}
    for variable in function.get_shared():
        value = variable.get_value()
        if variable.name in values:
            value = np.array(values[variable.name], dtype=value.dtype)
        fresh = type(variable)(variable.type, value, strict=False, name=variable.name)
        swap[variable] = fresh
    return function.copy(swap=swap) if swap else function


def compile_model(model, initial_points, jitter_rvs, strategy, var_names):
    """Does with Clinch what `nutpie.compile_pymc_model` does with Numba."""
    from pymc.initial_point import make_initial_point_fn

    if strategy == "support_point" and jitter_rvs is None:
        jitter_rvs = set(model.free_RVs)
    begin = make_initial_point_fn(
        model=model,
        overrides=initial_points,
        default_strategy=strategy,
        jitter_rvs=jitter_rvs,
        return_transformed=True,
    )
    # Since 0.16.9 the names of transformed variables are returned, too.
    size, expanded, logp, expand, begin, shapes, *names = theirs._make_functions(
        model,
        mode="CLINCH",
        compute_grad=True,
        join_expanded=True,
        pymc_initial_point_fn=theirs._wrap_with_lock(begin),
        var_names=var_names,
    )
    if in_python := ops_in_python(logp):
        warnings.warn(
            f"{', '.join(in_python)} of the model's log-density have no C and run in Python.",
            stacklevel=4,
        )
    dims, coords = theirs._prepare_dims_and_coords(model, shapes, *names)
    transformed = {"reparameterized_names": names[0]} if names else {}
    return CompiledClinchModel(
        dims=dims,
        **transformed,
        logp_function=own_data(logp),
        expand_function=own_data(expand),
        initial_point_function=begin,
        shape_info=shapes,
        n_parameters=size,
        n_expanded=expanded,
        model_coords=coords,
    )
