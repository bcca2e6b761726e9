"""Small Stan programs, with their log densities in closed form.

`density(numpy's functions of theta)` has all constants and the Jacobian; it takes complex
numbers, so that a step along the imaginary axis gives its gradient to the last digits.
"""

import math

import numpy as np

Y = [2.8, 0.8, -0.3, 0.7, -0.1, 0.1, 1.8, 1.2]
SIGMA = [1.5, 1.0, 1.6, 1.1, 0.9, 1.1, 1.0, 1.8]
X = [-1.5, -1.0, -0.5, -0.25, 0.25, 0.5, 1.0, 1.5]
COUNTS = [0, 1, 1, 2, 3, 1, 4, 7]
BITS = [0, 0, 1, 0, 1, 1, 0, 1]
LOG_2PI = math.log(2 * math.pi)


def normal(y, mu, sigma):
    z = (np.asarray(y) - mu) / sigma
    return np.sum(-0.5 * z * z - np.log(sigma + 0 * z) - 0.5 * LOG_2PI)


def log1p_exp(x):
    return np.log(1 + np.exp(x))


def logit_density(y, eta):
    """bernoulli_logit"""
    return np.sum(np.where(np.asarray(y) == 1, -log1p_exp(-eta), -log1p_exp(eta)))


def location(t):
    return normal(t[0], 0, 10) + normal(Y, t[0], 2.0)


def eight_schools(t):
    mu, log_tau, eta = t[0], t[1], t[2:]
    tau = np.exp(log_tau)
    cauchy = -math.log(math.pi) - math.log(5) - np.log(1 + (tau / 5) ** 2)
    return (cauchy + log_tau + normal(eta, 0, 1)
            + normal(Y, mu + tau * eta, np.array(SIGMA)))


def regression(t):
    sigma = np.exp(t[2])
    return (normal(t[:2], 0, 5) + math.log(0.5) - 0.5 * sigma + t[2]
            + normal(Y, t[0] + t[1] * np.array(X), sigma))


def logistic(t):
    return normal(t, 0, 2.5) + logit_density(BITS, t[0] + t[1] * np.array(X))


def poisson(t):
    eta = t[0] + t[1] * np.array(X)
    return normal(t, 0, 1) + np.sum(np.array(COUNTS) * eta - np.exp(eta)) - sum(
        math.lgamma(count + 1) for count in COUNTS)


def beta_binomial(t):
    """beta(2, 3), the Jacobian of a logit, and binomial(10, theta) of 7."""
    log_p, log_q = -log1p_exp(-t[0]), -log1p_exp(t[0])
    return (math.log(12) + log_p + 2 * log_q + log_p + log_q
            + math.log(math.comb(10, 7)) + 7 * log_p + 3 * log_q)


def hierarchical(t):
    """Two counties, their means about a common one."""
    mu, sigma, means = t[0], np.exp(t[1]), t[2:]
    return (normal(mu, 0, 3) - sigma + t[1] + normal(means, mu, sigma)
            + normal(Y, means[np.array([0, 0, 1, 1, 1, 0, 1, 0])], 1.0))


def mixture(t):
    """0.3 and 0.7 of two normals whose means are ordered."""
    low, high = t[0], t[0] + np.exp(t[1])
    ones = [np.log(0.3 * np.exp(normal([y], low, 1)) + 0.7 * np.exp(normal([y], high, 1)))
            for y in Y]
    return normal(np.array([low, high]), 0, 4) + t[1] + sum(ones)


def autoregression(t):
    """Of order 1, with a coefficient between -1 and 1."""
    p = 1 / (1 + np.exp(-t[0]))
    phi, sigma = 2 * p - 1, np.exp(t[1])
    return (np.log(2 * p * (1 - p)) + t[1] - sigma + normal(Y[0], 0, 2)
            + normal(Y[1:], phi * np.array(Y[:-1]), sigma))


def simplex(t):
    """A stick that is broken into three, with dirichlet(2, 2, 2) and counts 3, 5, 2."""
    left, jacobian, parts = 1, 0, []
    for k, value in enumerate(t):
        z = 1 / (1 + np.exp(-(value - math.log(2 - k))))
        parts.append(left * z)
        jacobian += np.log(z * (1 - z) * left)
        left = left * (1 - z)
    logs = [np.log(part) for part in (*parts, left)]
    return (jacobian + math.lgamma(6) + sum(logs) + math.log(
        math.factorial(10) / (6 * 120 * 2)) + 3 * logs[0] + 5 * logs[1] + 2 * logs[2])


_SERIES = "data { int N; vector[N] x; vector[N] y; array[N] int n; array[N] int b; }"
MODELS = {
    location: """data { int N; vector[N] y; }
        parameters { real mu; }
        model { mu ~ normal(0, 10); y ~ normal(mu, 2); }""",
    eight_schools: """data { int N; vector[N] y; vector<lower=0>[N] sigma; }
        parameters { real mu; real<lower=0> tau; vector[N] eta; }
        transformed parameters { vector[N] theta = mu + tau * eta; }
        model { tau ~ cauchy(0, 5); eta ~ std_normal(); y ~ normal(theta, sigma); }""",
    regression: _SERIES + """
        parameters { real alpha; real beta; real<lower=0> sigma; }
        model { alpha ~ normal(0, 5); beta ~ normal(0, 5); sigma ~ exponential(0.5);
                y ~ normal(alpha + beta * x, sigma); }""",
    logistic: _SERIES + """
        parameters { real alpha; real beta; }
        model { alpha ~ normal(0, 2.5); beta ~ normal(0, 2.5);
                b ~ bernoulli_logit(alpha + beta * x); }""",
    poisson: _SERIES + """
        parameters { real alpha; real beta; }
        model { alpha ~ normal(0, 1); beta ~ normal(0, 1);
                n ~ poisson_log(alpha + beta * x); }""",
    beta_binomial: """parameters { real<lower=0, upper=1> theta; }
        model { theta ~ beta(2, 3); 7 ~ binomial(10, theta); }""",
    hierarchical: """data { int N; vector[N] y; array[N] int county; }
        parameters { real mu; real<lower=0> sigma; vector[2] mean; }
        model { mu ~ normal(0, 3); sigma ~ exponential(1); mean ~ normal(mu, sigma);
                for (i in 1:N) y[i] ~ normal(mean[county[i]], 1); }""",
    mixture: """data { int N; array[N] real y; }
        parameters { ordered[2] mu; }
        model { mu ~ normal(0, 4);
                for (i in 1:N)
                  target += log_mix(0.3, normal_lpdf(y[i] | mu[1], 1),
                                    normal_lpdf(y[i] | mu[2], 1)); }""",
    autoregression: """data { int N; vector[N] y; }
        parameters { real<lower=-1, upper=1> phi; real<lower=0> sigma; }
        model { sigma ~ exponential(1); y[1] ~ normal(0, 2);
                y[2:N] ~ normal(phi * y[1:(N - 1)], sigma); }""",
    simplex: """parameters { simplex[3] theta; }
        model { theta ~ dirichlet(rep_vector(2, 3)); {3, 5, 2} ~ multinomial(theta); }""",
}
DATA = {"N": 8, "x": np.array(X), "y": Y, "sigma": SIGMA, "n": COUNTS, "b": BITS,
        "county": [1, 1, 2, 2, 2, 1, 2, 1]}


def theta_of(count):
    return np.array([0.3 * math.sin(3.0 * k + 1) for k in range(count)])


def expected(density, theta):
    """The value, and the gradient."""
    step = 1e-30
    steps = (theta + 1j * step * one for one in np.eye(theta.size))
    return density(theta), np.array([density(z).imag / step for z in steps])
