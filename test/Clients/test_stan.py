"""clinch.stan, with the stanc and the headers of httpstan, where no program but stanc can
be found. Values are those of closed forms, to which those of g++'s code are equal."""

import ctypes
import threading

import numpy as np
import pytest

pytest.importorskip("httpstan", reason="httpstan is not installed")

import clinch
import clinch.stan
from stan_models import DATA, MODELS, eight_schools, expected, theta_of


@pytest.fixture(autouse=True)
def no_programs(monkeypatch):
    monkeypatch.setenv("PATH", "")


@pytest.fixture(scope="module")
def schools():
    return clinch.stan.compile(MODELS[eight_schools], tier="fast")


@pytest.mark.parametrize("density", MODELS, ids=lambda one: one.__name__)
def test_values_and_gradients(density):
    model = clinch.stan.compile(MODELS[density], tier="fast")(DATA)
    theta = theta_of(model.param_unc_num())
    value, gradient = expected(density, theta)
    told, slope = model.log_density_gradient(theta, propto=False)
    assert told == pytest.approx(value, rel=1e-12)
    assert slope == pytest.approx(gradient, rel=1e-10, abs=1e-10)
    assert model.log_density(theta, propto=False) == pytest.approx(value, rel=1e-12)
    # Without constants, the same but for one.
    moved = theta + 0.125
    assert (model.log_density(moved) - model.log_density(theta)) == pytest.approx(
        density(moved) - value, rel=1e-10)


def test_the_code_behind_gives_the_same():
    program = clinch.stan.compile(MODELS[eight_schools])
    model = program(DATA)
    first = model.log_density_gradient(theta_of(10), propto=False)
    size = program._code.text.stats["object_bytes"]
    program.wait()
    second = model.log_density_gradient(theta_of(10), propto=False)
    assert program._code.text.stats["object_bytes"] != size
    assert first[0] == pytest.approx(second[0], rel=1e-13)
    assert first[1] == pytest.approx(second[1], rel=1e-12)
    # By address, as BridgeStan's users call it.
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    assert kind(program.address("bs_param_unc_num"))(model._best().pointer) == 10
    with pytest.raises(AttributeError, match="has no 'bs_hessian'; it has bs_model_con"):
        program.address("bs_hessian")


def test_names_and_transforms(schools):
    model = schools(DATA)
    assert (model.name(), model.param_num(), model.param_unc_num()) == (
        "stan_model", 10, 10)
    assert model.param_names(include_tp=True)[:3] == ["mu", "tau", "eta.1"]
    assert model.param_num(include_tp=True) == 18
    assert model.param_unc_names()[-1] == "eta.8"
    theta = theta_of(10)
    inside = model.param_constrain(theta, include_tp=True)
    assert inside[1] == pytest.approx(np.exp(theta[1]), rel=1e-15)
    assert inside[10:] == pytest.approx(theta[0] + inside[1] * theta[2:], rel=1e-14)
    assert model.param_unconstrain(inside[:10]) == pytest.approx(theta, rel=1e-13)
    assert model.param_unconstrain_json(
        {"mu": theta[0], "tau": inside[1], "eta": theta[2:]}) == pytest.approx(
            theta, rel=1e-13)


def test_threads_have_tapes_of_their_own(schools):
    model = schools(DATA)
    found = {}

    def run(number):
        theta = theta_of(10) + number
        found[number] = [model.log_density_gradient(theta)[1].tolist()
                         for _ in range(200)]

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, all_of_it in found.items():
        assert all_of_it == [model.log_density_gradient(
            theta_of(10) + number)[1].tolist()] * 200


def test_what_is_wrong(schools, tmp_path):
    with pytest.raises(clinch.CompileError, match=r"'model.stan', line 1, column"):
        clinch.stan.compile("parameters { real x }")
    path = tmp_path / "mine.stan"
    path.write_text("parameters { real x; }\nmodel { x ~ normal(y, 1); }")
    with pytest.raises(clinch.CompileError, match="mine.stan', line 2, column 19"):
        clinch.stan.compile(path)
    with pytest.raises(RuntimeError, match="sigma"):
        schools({"N": 1, "y": [1.0], "sigma": [-1.0]})
    with pytest.raises(RuntimeError, match="N"):
        schools()
    with pytest.raises(TypeError, match="Stan has no data like a set"):
        schools({"N": {1}})
    with pytest.raises(ValueError, match=r"10 parameters, and .* is \(3,\)"):
        schools(DATA).log_density([1.0, 2.0, 3.0])


def test_nutpie_samples_by_address():
    """A posterior in closed form; items of a matrix are where Stan says they are."""
    nutpie = pytest.importorskip("nutpie", reason="nutpie is not installed")
    model = clinch.stan.compile("""
        data { int N; vector[N] y; }
        parameters { real mu; matrix[2, 3] z; }
        model { mu ~ normal(0, 2); y ~ normal(mu, 1);
                for (i in 1:2) for (j in 1:3) z[i, j] ~ normal(10 * i + j, 0.01); }
        generated quantities { real again = normal_rng(mu, 1); }
    """, tier="fast")({"N": 4, "y": [1.0, 2.0, 3.0, 4.0]}).for_nutpie(
        dims={"z": ("row", "column")}, coords={"row": ["a", "b"], "column": [5, 6, 7]})
    assert (model.n_dim, model.shapes) == (7, {"mu": (), "z": (2, 3), "again": ()})
    made = nutpie.sample(model, draws=1000, tune=400, chains=2, seed=3, progress_bar=False)
    found = made.posterior
    # Of precision 4 + 1/4 about 10 / 4.25.
    assert float(found.mu.mean()) == pytest.approx(10 / 4.25, abs=0.1)
    assert float(found.mu.std()) == pytest.approx(4.25**-0.5, abs=0.05)
    assert float(found.again.std()) == pytest.approx((1 + 1 / 4.25)**0.5, abs=0.1)
    assert found.z.mean(("chain", "draw")).values == pytest.approx(
        np.array([[11.0, 12, 13], [21, 22, 23]]), abs=0.01)
    assert found.z.sel(row="b", column=7).mean() == pytest.approx(23, abs=0.01)
