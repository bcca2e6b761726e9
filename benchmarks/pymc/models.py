"""The four models that are measured, and what is evaluated of them."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt

import pytensor


def linear_regression(size=100, columns=3):
    """A line through points: arithmetic and a matrix product."""
    random = np.random.default_rng(1)
    x = random.normal(size=(size, columns))
    y = x @ np.arange(1.0, columns + 1) + random.normal(size=size)
    with pm.Model() as model:
        intercept = pm.Normal("intercept", 0, 10)
        slopes = pm.Normal("slopes", 0, 10, shape=columns)
        sigma = pm.HalfNormal("sigma", 5)
        pm.Normal("y", intercept + x @ slopes, sigma, observed=y)
    return model


def radon(homes=919, counties=85):
    """Homes in counties, each with a line of its own: gathers, and scatters in the
    gradient."""
    random = np.random.default_rng(2)
    county = np.sort(random.integers(0, counties, homes))
    floor = random.integers(0, 2, homes).astype(float)
    y = random.normal(size=counties)[county] - 0.7 * floor + random.normal(size=homes)
    with pm.Model() as model:
        mean_a, mean_b = pm.Normal("mean_a", 0, 5), pm.Normal("mean_b", 0, 5)
        spread_a, spread_b = pm.HalfNormal("spread_a", 2), pm.HalfNormal("spread_b", 2)
        a = mean_a + spread_a * pm.Normal("a", shape=counties)
        b = mean_b + spread_b * pm.Normal("b", shape=counties)
        sigma = pm.HalfNormal("sigma", 2)
        pm.Normal("y", a[county] + b[county] * floor, sigma, observed=y)
    return model


def gaussian_process(points=50):
    """A function through points: Cholesky, and triangular solves."""
    random = np.random.default_rng(3)
    x = np.sort(random.uniform(0, 10, points))[:, None]
    y = np.sin(x[:, 0]) + 0.2 * random.normal(size=points)
    with pm.Model() as model:
        length = pm.Gamma("length", 2, 1)
        scale = pm.HalfNormal("scale", 2)
        sigma = pm.HalfNormal("sigma", 1)
        process = pm.gp.Marginal(cov_func=scale**2 * pm.gp.cov.ExpQuad(1, ls=length))
        process.marginal_likelihood("y", X=x, y=y, sigma=sigma)
    return model


def lkj_and_scan(steps=20, size=3):
    """Correlated series, step by step: scan, LKJ, small linear algebra."""
    random = np.random.default_rng(4)
    y = random.normal(size=(steps, size)).cumsum(0)
    with pm.Model() as model:
        factor, _, _ = pm.LKJCholeskyCov(
            "factor", n=size, eta=2.0, sd_dist=pm.Exponential.dist(1.0, shape=size)
        )
        decay = pm.Beta("decay", 2, 2)
        noise = pm.Normal("noise", shape=(steps, size))
        step = lambda e, before, decay, factor: decay * before + factor @ e  # noqa: E731
        path = pytensor.scan(
            step,
            sequences=[noise],
            outputs_info=[pt.zeros(size)],
            non_sequences=[decay, factor],
        )
        path = path[0] if isinstance(path, tuple | list) else path
        pm.Normal("y", path, 0.5, observed=y)
    return model


MODELS = {
    "linear regression": linear_regression,
    "radon": radon,
    "Gaussian process": gaussian_process,
    "LKJ and scan": lkj_and_scan,
}


def logp_and_gradient(model, mode):
    """A function of all parameters, in one vector, and a point to try."""
    function = model.logp_dlogp_function(ravel_inputs=True, mode=mode)
    function.set_extra_values({})
    point = pm.blocking.DictToArrayBijection.map(model.initial_point())
    return function._pytensor_function, point.data
