"""Sample a PyMC model without g++ and without waiting for Numba."""

import numpy as np
import pymc as pm

import clinch.pytensor

clinch.pytensor.use()
x = np.linspace(-1, 1, 40)
y = 2 * x + np.random.default_rng(1).normal(0, 0.2, 40)
with pm.Model():
    slope, noise = pm.Normal("slope", 0, 5), pm.HalfNormal("noise", 1)
    pm.Normal("y", slope * x, noise, observed=y)
    trace = pm.sample(200, tune=200, chains=1, progressbar=False, random_seed=1)
print(round(float(trace.posterior["slope"].mean())))  # prints: 2
