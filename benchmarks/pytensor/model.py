"""A hierarchical regression as PyMC would give it: log-density and gradient."""

import numpy as np
import pytensor.tensor as pt

import pytensor


def _normal(value, mean, deviation):
    scaled = (value - mean) / deviation
    return -0.5 * scaled**2 - pt.log(deviation) - 0.5 * np.log(2 * np.pi)


def hierarchical_regression(groups=8, observations=200, slopes=3):
    """(inputs, outputs, values): one flat vector in, value and gradient out."""
    random = np.random.default_rng(7)
    group = random.integers(0, groups, observations)
    design = random.normal(size=(observations, slopes))
    seen = random.normal(size=observations)

    size = 2 + groups + slopes + 1
    point = pt.dvector("point")
    mean, log_spread = point[0], point[1]
    offsets = point[2 : 2 + groups]
    weights = point[2 + groups : 2 + groups + slopes]
    log_noise = point[-1]
    spread, noise = pt.exp(log_spread), pt.exp(log_noise)

    intercepts = mean + spread * offsets
    predicted = intercepts[group] + pt.dot(design, weights)
    density = (
        _normal(mean, 0.0, 5.0)
        + (-0.5 * spread**2 + log_spread)
        + (-0.5 * noise**2 + log_noise)
        + _normal(offsets, 0.0, 1.0).sum()
        + _normal(weights, 0.0, 2.0).sum()
        + _normal(seen, predicted, noise).sum()
    )
    outputs = [density, pytensor.grad(density, point)]
    return [point], outputs, [random.normal(size=size) * 0.1]
