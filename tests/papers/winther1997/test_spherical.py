import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rosenblatt.papers.winther1997.spherical import TIMES, best_growth, curve, runs
from rosenblatt.theory.closed import spherical_bayes


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_theory_is_the_flow_of_the_closed_drift(noise):
    flow = solve_ivp(
        lambda alpha, q: [spherical_bayes.drift(float(q[0]), noise)],
        (0, TIMES[-1]),
        [1e-9],
        t_eval=TIMES,
        rtol=1e-9,
        atol=1e-12,
    )
    wanted = noise + (1 - 2 * noise) * np.arccos(np.sqrt(flow.y[0])) / np.pi
    found = curve(noise, noise, TIMES)["error"].values[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_no_gain_is_better_than_the_best():
    """Gains of the perceptron rule, at the best rate for q = 1/2."""
    q, rng = 0.5, np.random.default_rng(0)
    v, across = rng.standard_normal((2, 200_000))
    b = np.sqrt(q) * v + np.sqrt(1 - q) * across
    wrong = np.sign(b) * v <= 0
    along = np.sign(b) * wrong * (b - np.sqrt(q) * v)
    # growth for a rate eta is eta a - eta^2 c, at best a^2/4c
    a, c = along.mean() / np.sqrt(q), wrong.mean() / (2 * np.sqrt(q))
    assert 0 < a**2 / (4 * c) < best_growth(q, 0.0)


def test_runs_are_one_curve_for_each_replica():
    found = runs(0.1, 0.1, True)["error"]
    assert found.sizes == {"replica": 12, "alpha": len(TIMES)}
    assert (found.mean("replica") > 0.1).all()
