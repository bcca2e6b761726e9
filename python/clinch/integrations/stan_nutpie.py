"""Gives nutpie a Stan model: the C functions that it calls, by their addresses."""

from __future__ import annotations

import ctypes
import dataclasses
import importlib.metadata

import numpy

from ..base.installed import refuse_untested

refuse_untested("stan", "nutpie", importlib.metadata.version("nutpie"), ("0.16",))

import pandas
from nutpie import _lib
from nutpie.sample import CompiledModel

from ..base.annotations import Any
from ..source.compiled_text import compile
from ..base.c_source import c_source

_CALLED = ("bs_log_density_gradient", "bs_param_constrain", "bs_rng_construct",
           "bs_rng_destruct", "bs_free_error_msg")


class _Sampled(ctypes.Structure):
    _fields_ = [("model", ctypes.c_void_p), ("order", ctypes.c_void_p)]


class _Functions:
    """The functions, and what they need; kept by the sampler."""

    def __init__(self, model: Any, order: Any) -> None:
        self.text = compile(c_source("stan_nutpie.c"), "stan_nutpie.c", language="c",
                            symbols={name: model.program.address(name) for name in _CALLED})
        self._instance, self._order = model._best(), order
        self._sampled = _Sampled(self._instance.pointer, order.ctypes.data)
        self.data = ctypes.addressof(self._sampled)

    def address(self, name: str) -> int:
        return self.text.lookup(name) or 0


def _shapes(names: list[str]) -> dict[str, list[tuple[int, ...]]]:
    """Returns the places of each variable's items, as Stan lists them: `x.2.1` is at
    (1, 0)."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for name in names:
        parts = name.split(".")
        at = len(parts)
        while at > 1 and parts[at - 1].isdecimal():
            at -= 1
        place = tuple(int(part) - 1 for part in parts[at:])
        found.setdefault(".".join(parts[:at]), []).append(place)
    return found


@dataclasses.dataclass(frozen=True)
class StanModel(CompiledModel):  # type: ignore[misc]
    """A Stan model for `nutpie.sample`."""

    model: Any
    model_shapes: dict[str, tuple[int, ...]]
    model_coords: dict[str, Any]
    order: Any
    transform_arguments: Any = None

    @property
    def n_dim(self) -> int:
        return int(self.model.param_unc_num())

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return self.model_shapes

    @property
    def coords(self) -> dict[str, Any]:
        return self.model_coords

    def with_transform_adapt(self, **arguments: Any) -> StanModel:
        return dataclasses.replace(self, transform_arguments=arguments)

    def _make_sampler(self, settings: Any, init_mean: Any, cores: Any, *how: Any) -> Any:
        return _lib.PySampler.from_pymc(settings, cores, self._make_model(init_mean), *how)

    def _make_model(self, init_mean: Any) -> Any:
        functions, size = _Functions(self.model, self.order), self.n_dim
        lengths = {name: len(values) for name, values in self.coords.items()}
        variables = _lib.PyVariable.new_variables(
            list(self.shapes), ["float64"] * len(self.shapes),
            [list(shape) for shape in self.shapes.values()], lengths, dict(self.dims or {}))
        return _lib.PyMcModel(
            _lib.LogpFunc(functions.address("clinch_logp"), functions.data, functions),
            _lib.ExpandFunc(size, self.order.size, functions.address("clinch_expand"),
                            functions.data, functions),
            variables, size, lengths, dict(self.coords), self._initial_point,
            self._make_adapter)

    def _initial_point(self, seed: int) -> Any:
        """As Stan's own, where nothing else is said."""
        return numpy.random.default_rng(seed).uniform(-2, 2, self.n_dim)

    def _make_adapter(self, *given: Any, **named: Any) -> Any:
        from nutpie.transform_adapter import make_transform_adapter

        make = make_transform_adapter(**(self.transform_arguments or {}))
        return make(*given, **named, logp_fn=None)


def compiled(model: Any, dims: Any, coords: Any) -> StanModel:
    shapes, order, begin = {}, [], 0
    for name, places in _shapes(model.param_names(include_tp=True, include_gq=True)).items():
        shapes[name] = shape = tuple(max(axis) + 1 for axis in zip(*places))
        order += [begin + (int(numpy.ravel_multi_index(place, shape)) if shape else 0)
                  for place in places]
        begin += len(places)
    return StanModel(dims=dims, model=model, model_shapes=shapes,
                     model_coords={name: pandas.Index(values)
                                   for name, values in (coords or {}).items()},
                     order=numpy.array(order, dtype=numpy.int64))
