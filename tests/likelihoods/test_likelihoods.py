"""Learners, simulation and theory of likelihoods, against slow and independent ways."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import nbinom

import rosenblatt as rb
from rosenblatt.compiling import compiled
from rosenblatt.core import Labels, Likelihood, Observation
from rosenblatt.likelihoods import Gaussian, Logistic, Poisson, Sign, StudentT
from rosenblatt.numerics.likelihood import evidence_of, information
from rosenblatt.theory import solve_batch, solve_online

CONSTANT = rb.schedules.Constant()


@dataclass(frozen=True)
class NegativeBinomial(Likelihood):
    """A user's own: counts with more variance than Poisson's."""

    size: float = 2.0
    labels = Labels.COUNTS

    def bind(self):
        size = self.size

        def log_probability(y, f):
            constant = math.lgamma(y + size) - math.lgamma(size) - math.lgamma(y + 1.0)
            log = math.log(size + math.exp(f))
            return constant + size * (math.log(size) - log) + y * (f - log)

        return log_probability


def learned(rule, X, y):
    """Return mean and covariance of the weights after these rows."""
    learn, n = compiled(rule), X.shape[1]
    state, mean, variance = np.zeros(n * n), np.zeros(n), np.zeros(n)
    rule.begin(state, mean, variance)
    for x, label in zip(X, y, strict=True):
        spread = float(x @ state.reshape(n, n) @ x)
        o = Observation(float(mean @ x), label, 0.0, 1.0, 1.0, n, spread, 0.0)
        learn(state, mean, variance, x, o)
    return mean, state.reshape(n, n)


def test_gaussian_labels_give_the_posterior_of_ridge_regression():
    rng, sd = np.random.default_rng(0), 0.3
    X, y = rng.standard_normal((60, 20)) / math.sqrt(20), rng.standard_normal(60)
    precision = np.eye(20) + X.T @ X / sd**2
    mean, covariance = learned(rb.rules.FullBayes(likelihood=Gaussian(sd)), X, y)
    np.testing.assert_allclose(covariance, np.linalg.inv(precision), atol=1e-10)
    right = np.linalg.solve(precision, X.T @ y / sd**2)
    np.testing.assert_allclose(mean, right, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(
    "law", [Poisson(), StudentT(3.0, 0.5), Logistic(), Sign(0.1), NegativeBinomial()]
)
def test_posterior_means_are_exact_for_inputs_at_right_angles(law):
    """At N = 20, by an integral over each field; quadrature is exact to 2e-5."""
    rng, n = np.random.default_rng(1), 20
    X = np.linalg.qr(rng.standard_normal((n, n)))[0]
    y = np.tile([1.0, -1.0] if law.labels == Labels.SIGNS else [3.0, 0.0], n // 2)
    mean, covariance = learned(rb.rules.FullBayes(likelihood=law), X, y)
    log_probability = law.bind()
    for x, label in zip(X[:2], y, strict=False):

        def density(f, power, label=label):
            return f**power * math.exp(log_probability(label, f) - 0.5 * f * f)

        zero, one, two = (
            quad(density, -12, 12, (power,), points=[0.0], epsabs=1e-13)[0]
            for power in range(3)
        )
        assert x @ mean == pytest.approx(one / zero, abs=2e-5)
        variance = two / zero - (one / zero) ** 2
        assert x @ covariance @ x == pytest.approx(variance, abs=2e-5)


def test_a_simulated_learner_is_ridge_regression_in_law():
    """At N = 20, with rows of NumPy's: five standard errors."""
    n, rows, runs, sd, rng = 20, 40, 400, 0.5, np.random.default_rng(2)
    law = Gaussian(sd)
    run = rb.simulate(
        rb.rules.FullBayes(likelihood=law), CONSTANT, law, dim=n, alpha=rows / n,
        replicas=runs, seed=3,
    )  # fmt: skip
    slow = []
    for _ in range(runs):
        B, X = rng.standard_normal(n), rng.standard_normal((rows, n)) / math.sqrt(n)
        y = X @ B + sd * rng.standard_normal(rows)
        m = np.linalg.solve(X.T @ X + sd**2 * np.eye(n), X.T @ y)
        slow.append(((m - B) ** 2).mean())
    both = run.squared_error.values[:, 0], np.array(slow)
    error = math.hypot(*(one.std() / math.sqrt(runs) for one in both))
    assert abs(both[0].mean() - both[1].mean()) < 5 * error


def posterior_means(X, y, log_likelihood, rng, steps=600):
    """Return posterior means by elliptical slice sampling, a chain for each teacher.

    ``X`` has the shape (runs, rows, n). The method is that of Murray, Adams and MacKay
    (2010); the first fifth of the steps is left out.
    """

    def log(w):
        return log_likelihood(y, np.einsum("rij,rj->ri", X, w)).sum(axis=1)

    w = np.zeros((len(X), X.shape[2]))
    now, total = log(w), np.zeros_like(w)
    for step in range(steps):
        other = rng.standard_normal(w.shape)
        least = now + np.log(rng.uniform(size=len(w)))
        angle = rng.uniform(0.0, 2.0 * np.pi, len(w))
        low, high = angle - 2.0 * np.pi, angle.copy()
        left = np.ones(len(w), bool)
        moved = w.copy()
        while left.any():
            tried = w * np.cos(angle)[:, None] + other * np.sin(angle)[:, None]
            known = log(tried)
            good = left & (known > least)
            moved[good], now[good] = tried[good], known[good]
            left &= ~good
            low = np.where(left & (angle < 0.0), angle, low)
            high = np.where(left & (angle >= 0.0), angle, high)
            angle = np.where(left, rng.uniform(low, high), angle)
        w = moved
        if step >= steps // 5:
            total += w
    return total / (steps - steps // 5)


@pytest.mark.parametrize("law", [Poisson(), StudentT(3.0, 0.5)])
def test_a_simulated_learner_has_the_error_of_posterior_means(law):
    """At N = 20, by sampling of the posterior: five standard errors, of 4% each."""
    n, rows, runs, rng = 20, 40, 200, np.random.default_rng(4)
    run = rb.simulate(
        rb.rules.FullBayes(likelihood=law), CONSTANT, law, dim=n, alpha=rows / n,
        replicas=runs, seed=5,
    )  # fmt: skip
    B, X = rng.standard_normal((runs, n)), rng.standard_normal((runs, rows, n))
    X /= math.sqrt(n)
    fields = np.einsum("rij,rj->ri", X, B)
    if law == Poisson():
        y = rng.poisson(np.exp(fields)).astype(float)
        found = posterior_means(X, y, lambda y, f: y * f - np.exp(f), rng)
    else:
        y = fields + 0.5 * rng.standard_t(3.0, fields.shape)
        found = posterior_means(
            X, y, lambda y, f: -2.0 * np.log1p((y - f) ** 2 / 0.75), rng
        )
    both = run.squared_error.values[:, 0], ((found - B) ** 2).mean(axis=1)
    error = math.hypot(*(one.std() / math.sqrt(runs) for one in both))
    assert abs(both[0].mean() - both[1].mean()) < 5 * error


@pytest.mark.parametrize("sd", [0.2, 1.0, 3.0])
def test_theory_of_gaussian_labels_is_the_closed_form_of_ridge_regression(sd):
    """The mean squared error of ridge regression is a root of a quadratic equation.

    1 - q = 1 / (1 + alpha / (1 - q + sd^2)), the law of Marchenko and Pastur.
    """
    alpha = np.array([0.0, 0.3, 1.0, 4.0, 30.0])
    b = alpha + sd**2 - 1
    rest = (-b + np.sqrt(b * b + 4 * sd**2)) / 2
    found = solve_batch(alpha, likelihood=Gaussian(sd)).sel(learner="bayes")
    np.testing.assert_allclose(found.squared_error, rest, atol=1e-10)


@pytest.mark.parametrize("sd", [0.2, 1.0])
def test_online_theory_of_gaussian_labels_is_its_integral(sd):
    """Of dq/dalpha = (1 - q)^2 / (1 - q + sd^2)."""
    q = np.array([0.1, 0.5, 0.9])
    alpha = -np.log(1 - q) + sd**2 * q / (1 - q)
    found = solve_online(alpha, likelihood=Gaussian(sd)).sel(learner="bayes")
    np.testing.assert_allclose(found.squared_error, 1 - q, atol=1e-10)


@pytest.mark.parametrize("law", [Poisson(), StudentT(3.0, 0.5), NegativeBinomial()])
def test_simulation_agrees_with_theory(law):
    """Within five standard errors; theory for N to infinity is off by order 1/N."""
    rule, alpha = rb.rules.SphericalBayes(likelihood=law), [0.5, 3.0]
    curve = rb.solve(rule, CONSTANT, law, alpha=alpha).squared_error[0]
    run = rb.simulate(
        rule, CONSTANT, law, dim=1000, alpha=alpha, replicas=40, seed=1
    ).squared_error
    error = run.std("replica") / math.sqrt(40)
    assert (abs(run.mean("replica") - curve) < 5 * error).all()


def test_information_of_counts_is_the_sum_over_all_counts():
    """Against a plain sum at q = 0, where the field's mean is 0."""
    found = evidence_of(NegativeBinomial())
    each = [found(0.0, 1.0, float(y)) for y in range(3000)]
    plain = sum(math.exp(one.log_probability) * one.slope**2 for one in each)
    assert information(NegativeBinomial(), 0.0, 1.0) == pytest.approx(plain, rel=1e-9)


def test_a_users_own_likelihood_is_what_it_says():
    log_probability = NegativeBinomial(2.0).bind()
    right = nbinom.logpmf(3, 2.0, 2.0 / (2.0 + math.exp(0.4)))
    assert log_probability(3.0, 0.4) == pytest.approx(right, rel=1e-12)


def test_peaked_and_distant_likelihoods_are_integrated():
    """A tenth of a thousandth of the prior's width, 30 standard deviations away."""
    closed = Gaussian(1e-4).evidence()(0.0, 1.0, 30.0)

    @dataclass(frozen=True)
    class Plain(Gaussian):
        def evidence(self):
            return None

    found = evidence_of(Plain(1e-4))(0.0, 1.0, 30.0)
    np.testing.assert_allclose(found, closed, rtol=1e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rb.rules.FullBayes(likelihood=3), "likelihood must be a Likelihood"),
        (
            lambda: rb.rules.SphericalBayes(0.1, Poisson()),
            "noise must be 0 with a likelihood",
        ),
        (lambda: Gaussian(0.0), "sd must be a number above 0"),
        (lambda: StudentT(dof=-1.0), "dof must be a number above 0"),
        (
            lambda: rb.simulate(
                rb.rules.FullBayes(), CONSTANT, Poisson(),
                rb.streams.Gaussian(1.0), dim=5, alpha=1,
            ),
            "must have no mean",
        ),
        (
            lambda: rb.solve(rb.rules.SphericalBayes(), CONSTANT, Poisson(), alpha=1),
            "theory for teacher Poisson",
        ),
        (
            lambda: solve_batch(1, prior="binary", likelihood=Poisson()),
            "prior must be 'spherical'",
        ),
        (
            lambda: rb.engines.reduced(
                rb.rules.SphericalBayes(), CONSTANT, Poisson(), dim=5, alpha=1
            ),
            "'full' can",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_a_result_with_a_likelihood_can_be_computed_again(tmp_path):
    law = StudentT(3.0)
    rule = rb.rules.DiagonalBayes(likelihood=law)
    run = rb.simulate(rule, CONSTANT, law, dim=10, alpha=2)
    rb.save(run, tmp_path / "run.nc")
    assert rb.rerun(rb.load(tmp_path / "run.nc")).identical(run)
