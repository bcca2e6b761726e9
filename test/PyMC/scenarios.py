"""What people do with PyMC: each by its name, and with which compiler.

    python scenarios.py NAME clinch|g++

prints JSON: what was estimated, each as [mean, its Monte Carlo error], and what
compiled it. `test_scenarios.py` compares.
"""

import json
import sys
import warnings

NAME, COMPILER = (sys.argv + ["", ""])[1:3]
FIRST = NAME == "clinch imported first"

if COMPILER == "clinch" and FIRST:
    import clinch.pytensor
import logging

import numpy as np
import pymc as pm
import pytensor.tensor as pt

import pytensor

if COMPILER == "clinch":
    import clinch.pytensor

    clinch.pytensor.use()
else:
    pytensor.config.mode = pytensor.compile.mode.Mode("cvm", "fast_run")
warnings.simplefilter("ignore", FutureWarning)
logging.getLogger("pymc").setLevel(logging.ERROR)

QUIET = {"progressbar": False, "random_seed": 7, "compute_convergence_checks": False}


def line():
    random = np.random.default_rng(1)
    x = random.normal(size=60)
    with pm.Model() as model:
        data = pm.Data("x", x)
        a, b = pm.Normal("a", 0, 5), pm.Normal("b", 0, 5)
        sigma = pm.HalfNormal("sigma", 2)
        pm.Normal("y", a + b * data, sigma, observed=1 + 2 * x + random.normal(size=60))
    return model


def estimates(trace, *names):
    """`{name: [[mean, error], ...]}` of what a trace has of each."""
    found = {}
    for name in names:
        draws = np.asarray(trace.posterior[name])
        flat = draws.reshape(*draws.shape[:2], -1)
        found[name] = [_mean(flat[:, :, i]) for i in range(flat.shape[2])]
    return found


def _mean(draws):
    """The mean of chains, and its error by the means of batches of ten draws."""
    batches = draws[:, : draws.shape[1] // 10 * 10].reshape(len(draws), -1, 10).mean(2)
    return [float(draws.mean()), float(batches.std(ddof=1) / np.sqrt(batches.size))]


def sample(model, draws=400, **how):
    with model:
        how = {"nuts_sampler": "pymc", "chains": 2, "cores": 1, **QUIET, **how}
        return pm.sample(draws, tune=400, **how)


def plain():
    return estimates(sample(line()), "a", "b", "sigma")


def parallel(method):
    def run():
        return estimates(
            sample(line(), chains=4, cores=4, mp_ctx=method), "a", "b", "sigma"
        )

    return run


def nutpie():
    if COMPILER != "clinch":
        return plain()
    import nutpie as sampler

    trace = sample(line(), nuts_sampler="nutpie", chains=4, cores=4)
    compiled = clinch.pytensor.nutpie(line())
    again = sampler.sample(
        compiled, draws=400, tune=400, chains=2, seed=7, progress_bar=False
    )
    shifted = compiled.with_data(x=np.zeros(60))
    flat = sampler.sample(
        shifted, draws=400, tune=400, chains=2, seed=7, progress_bar=False
    )
    spread = float(np.asarray(flat.posterior["b"]).std())
    assert 4 < spread < 6, spread  # Without data: the prior.
    return {**estimates(trace, "a", "b"), **estimates(again, "sigma")}


def by_flag():
    """Without `use()`; all that PyMC makes is Clinch's."""
    if COMPILER != "clinch":
        return plain()
    from clinch.pytensor.maker import FunctionMaker

    clinch.pytensor.unuse()
    clinch.pytensor.using.begin({}, clinch.pytensor.CLINCH)  # As the import leaves it.
    made, create = [], FunctionMaker.create

    def noted(maker, *args, **kwargs):
        # What PyMC wants to run without a compiler, for it runs once.
        if getattr(maker.linker, "c_thunks", True):
            made.append(type(maker.linker).__name__)
        return create(maker, *args, **kwargs)

    FunctionMaker.create = noted
    with pytensor.config.change_flags(mode=clinch.pytensor.CLINCH):
        found = estimates(sample(line()), "a", "b", "sigma")
    FunctionMaker.create = create
    assert set(made) == {"ClinchLinker"}, made
    clinch.pytensor.use()
    return found


def new_data():
    model = line()
    trace = sample(model)
    with model:
        pm.set_data({"x": np.full(60, 3.0)})
        seen = pm.sample_posterior_predictive(trace, progressbar=False, random_seed=3)
    drawn = np.asarray(seen.posterior_predictive["y"])
    return {"y": [_mean(drawn.mean(-1))], **estimates(trace, "a")}


def scan():
    random = np.random.default_rng(2)
    series = random.normal(size=30).cumsum() * 0.3
    with pm.Model() as model:
        decay = pm.Beta("decay", 2, 2)
        begin = pm.Normal("begin", 0, 1)
        steps = pytensor.scan(
            lambda before, decay: decay * before,
            outputs_info=[begin],
            non_sequences=[decay],
            n_steps=30,
            strict=True,
        )
        steps = steps[0] if isinstance(steps, tuple | list) else steps
        pm.Normal("y", steps, 0.5, observed=series)
    return estimates(sample(model), "decay", "begin")


def correlated():
    random = np.random.default_rng(3)
    y = random.multivariate_normal(np.zeros(2), [[1, 0.6], [0.6, 2]], size=40)
    with pm.Model() as model:
        factor, _, spreads = pm.LKJCholeskyCov(
            "factor", n=2, eta=2, sd_dist=pm.Exponential.dist(1.0, shape=2)
        )
        mean = pm.Normal("mean", 0, 2, shape=2)
        pm.MvNormal("y", mean, chol=factor, observed=y)
    return estimates(sample(model), "mean", "factor_stds")


def gaussian_process():
    random = np.random.default_rng(4)
    x = np.linspace(0, 5, 15)[:, None]
    with pm.Model() as model:
        length = pm.Gamma("length", 2, 1)
        sigma = pm.HalfNormal("sigma", 1)
        process = pm.gp.Marginal(cov_func=pm.gp.cov.ExpQuad(1, ls=length))
        y = np.sin(x[:, 0]) + 0.1 * random.normal(size=15)
        process.marginal_likelihood("y", X=x, y=y, sigma=sigma)
    return estimates(sample(model), "length", "sigma")


def discrete():
    random = np.random.default_rng(5)
    y = np.r_[random.poisson(2, 20), random.poisson(6, 25)]
    with pm.Model() as model:
        change = pm.DiscreteUniform("change", 0, 45)
        early, late = pm.Exponential("early", 1.0), pm.Exponential("late", 1.0)
        which = pm.Bernoulli("which", 0.5)
        rate = pm.math.switch(change > np.arange(45), early, late)
        pm.Poisson("y", rate + 0.0 * which, observed=y)
    return estimates(sample(model, 1500), "change", "early", "late")


def sequential():
    with line():
        trace = pm.sample_smc(
            600, chains=2, cores=1, progressbar=False, random_seed=7,
            compute_convergence_checks=False,
        )
    return estimates(trace, "a", "b", "sigma")


def variational():
    with line():
        fitted = pm.fit(8000, progressbar=False, random_seed=7)
        return estimates(fitted.sample(2000, random_seed=7), "a", "b")


def maximum():
    with line():
        best = pm.find_MAP(progressbar=False)
    return {name: [[float(best[name]), 1e-4]] for name in ("a", "b", "sigma")}


def prior():
    with line():
        drawn = pm.sample_prior_predictive(2000, random_seed=7)
    return {
        "a": [_mean(np.asarray(drawn.prior["a"]))],
        "y": [_mean(np.asarray(drawn.prior_predictive["y"]).mean(-1))],
    }


def errors():
    said = {}
    with pm.Model():
        pm.Normal("x")
        pm.Normal("y", 0, 1, observed=[np.inf, 1.0])
        try:
            pm.sample(10, tune=10, cores=1, chains=1, nuts_sampler="pymc", **QUIET)
        except pm.exceptions.SamplingError as error:
            said["start"] = "y" in str(error)
    with pm.Model() as model:
        x = pm.Data("x", np.ones(3))
        pm.Normal("y", pm.Normal("a") * x, 1, observed=np.zeros(3))
        logp = model.compile_logp()
        pm.set_data({"x": np.ones(4)})
        try:
            logp(model.initial_point())
        except (AssertionError, ValueError) as error:
            said["shapes"] = "shape" in str(error).lower() or "dimension" in str(error)
    return {name: [[float(fine), 1e-9]] for name, fine in said.items()}


def profiled():
    with line() as model:
        stats = model.profile(model.logp(), n=20)
        point = model.initial_point()
        logp = model.compile_logp()
        mode = None
        if COMPILER == "clinch":  # Densities may be infinite.
            mode = clinch.pytensor.ClinchDebugMode(check_isfinite=False)
        debug = pytensor.function(model.value_vars, model.logp(), mode=mode)
        return {
            "calls": [[float(stats.fct_callcount), 1e-9]],
            "logp": [[float(logp(point)), 1e-9]],
            "debug": [[float(debug(*(point[v.name] for v in model.value_vars))), 1e-9]],
        }


SCENARIOS = {
    "plain": plain,
    "clinch imported first": plain,
    "pymc imported first": plain,
    "four cores, fork": parallel("fork"),
    "four cores, forkserver": parallel("forkserver"),
    "four cores, spawn": parallel("spawn"),
    "nutpie": nutpie,
    "by flag": by_flag,
    "set_data and posterior predictive": new_data,
    "scan": scan,
    "LKJ": correlated,
    "Gaussian process": gaussian_process,
    "discrete and compound steps": discrete,
    "SMC": sequential,
    "ADVI": variational,
    "find_MAP": maximum,
    "prior predictive": prior,
    "errors": errors,
    "profile and debug": profiled,
}


def main():
    found = SCENARIOS[NAME]()
    x = pt.dvector("x")
    linker = type(pytensor.function([x], x + 1).maker.linker).__name__
    print(json.dumps({"found": found, "linker": linker}))


if __name__ == "__main__":
    main()
