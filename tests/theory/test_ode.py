import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rosenblatt as rb
from rosenblatt.core import Rule, Update
from rosenblatt.theory import closed

PERCEPTRON = rb.rules.Normalised(rb.rules.Perceptron())
OPTIMAL = rb.schedules.Power(2 * math.sqrt(2 * math.pi))
CONSTANT = rb.schedules.Constant(1.0)


def integrated(derivative, first, alpha):
    """A closed drift, integrated by another method."""
    found = solve_ivp(
        derivative, (0, alpha[-1]), first, "DOP853", alpha, rtol=1e-13, atol=1e-14
    )
    return found.y


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_hebb_curve_is_closed_to_1e10(noise):
    alpha = np.array([1e-3, 0.1, 1.0, 1e3, 1e9])
    curve = rb.solve(rb.rules.Hebb(), CONSTANT, rb.teachers.Sign(noise), alpha=alpha)
    exact = 1 / np.sqrt(1 + math.pi / (2 * alpha * (1 - 2 * noise) ** 2))
    np.testing.assert_allclose(curve.overlap.values[0], exact, rtol=1e-10)


def test_perceptron_curve_is_closed_to_1e10():
    alpha = np.array([0.5, 1, 3, 10, 100])
    curve = rb.solve(PERCEPTRON, CONSTANT, alpha=alpha)
    exact = integrated(
        lambda a, y: [closed.perceptron.drift(y[0], 1.0)], [math.pi / 2], alpha
    )
    np.testing.assert_allclose(curve.angle.values[0], exact[0], rtol=1e-10)
    np.testing.assert_allclose(curve.norm.values[0], 1.0, rtol=1e-10)


def test_the_optimal_schedule_is_followed_to_alpha_1e9():
    curve = rb.solve(PERCEPTRON, OPTIMAL, alpha=[100, 1e9])
    limit = closed.perceptron.asymptote(OPTIMAL.scale)
    # corrections of relative order 1/alpha: 1.3% at alpha = 100
    early, late = curve.error.values[0] * [100, 1e9]
    assert late == pytest.approx(limit, rel=2e-9)
    assert early == pytest.approx(1.2559, abs=1e-4)


def test_rates_per_mistake_count_the_mistakes():
    curve = rb.solve(PERCEPTRON, rb.schedules.PerMistake(1.0, 0.5), alpha=[1, 10])
    run = rb.simulate(
        PERCEPTRON, rb.schedules.PerMistake(1.0, 0.5), dim=20_000, alpha=[1, 10],
        replicas=20,
    )  # fmt: skip
    spread = run.overlap.std("replica").values / math.sqrt(20)
    difference = run.overlap.mean("replica").values - curve.overlap.values[0]
    assert np.all(abs(difference) < 5 * spread + 1 / 20_000)
    mistakes = run.mistakes / 20_000
    spread = mistakes.std("replica").values / math.sqrt(20)
    difference = mistakes.mean("replica").values - curve.mistakes.values[0]
    assert np.all(abs(difference) < 5 * spread + 1 / 20_000)


@pytest.mark.parametrize("alpha", [[200.0], [100.0, 100.5, 101.5, 200.0]])
def test_jumps_of_a_schedule_are_not_stepped_over(alpha):
    """One pulse: the same as a run of length 1 with its rate."""

    def pulse(clock):
        return 1.0 if 100 < clock.time < 101 else 0.0

    start = rb.starts.Overlap(0.2)
    curve = rb.solve(PERCEPTRON, pulse, alpha=alpha, start=start)
    alone = rb.solve(PERCEPTRON, CONSTANT, alpha=[0.5, 1.0], start=start)
    assert curve.angle.values[0, -1] == pytest.approx(alone.angle.values[0, 1], 1e-9)
    if len(alpha) > 1:
        expected = [np.arccos(0.2), *alone.angle.values[0]]
        np.testing.assert_allclose(curve.angle.values[0, :3], expected, rtol=1e-9)


class Undeclared(Rule):
    """A margin that it does not tell."""

    def bind(self):
        def step(p):
            return Update(p.rate * p.label if p.label * p.field <= 0.5 else 0.0, 0.0)

        return step


def test_jumps_of_a_rule_are_found_where_it_does_not_declare_them():
    alpha = [1.0, 10.0, 100.0]
    found = rb.solve(Undeclared(), CONSTANT, alpha=alpha).angle
    declared = rb.solve(rb.rules.Perceptron(0.5), CONSTANT, alpha=alpha).angle
    np.testing.assert_allclose(found, declared, rtol=1e-9)


def test_alpha_zero_is_the_start():
    start = rb.starts.Overlap(0.3, mean=0.5, norm=2.0)
    curve = rb.solve(
        PERCEPTRON, CONSTANT, stream=rb.streams.Gaussian(2.0, 1.0), alpha=[0, 1],
        start=start,
    )  # fmt: skip
    assert curve.overlap.values[0, 0] == pytest.approx(0.3)
    assert curve.mean_overlap.values[0, 0] == pytest.approx(0.5)
    assert curve.norm.values[0, 0] == pytest.approx(2.0)
    assert rb.solve(PERCEPTRON, CONSTANT, alpha=0).overlap.item() == 0


def test_alphas_so_small_or_large_that_the_solver_would_fail_are_refused():
    """Perceptrons err by 0.2781 alpha^(-1/3); at 1e50 they seemed to make no error."""
    parts = rb.rules.Hebb(), rb.schedules.Constant()
    for alpha in ([1e-300, 1], [1, 1e50]):
        with pytest.raises(ValueError, match=r"must be 0, or from 1e-30 to 1e\+30"):
            rb.solve(*parts, alpha=alpha, start=rb.starts.Zero())
    late = rb.solve(rb.rules.Perceptron(), CONSTANT, alpha=1e21).error.item()
    assert late * 1e7 == pytest.approx(0.2781, rel=1e-3)
    curve = rb.solve(*parts, alpha=[1e-30, 1], start=rb.starts.Zero())
    assert curve.error.values[0, 1] == pytest.approx(0.285634, abs=1e-6)


@pytest.mark.filterwarnings("ignore:lsoda")
@pytest.mark.parametrize(
    ("rule", "schedule", "noise", "reason"),
    [
        (rb.rules.AdaTron(), CONSTANT, 0.2, r"shrinks without end; Normalised\(rule\)"),
        (rb.rules.AdaTron(), rb.schedules.Constant(5.0), 0.2, "grows without end"),
        (PERCEPTRON, rb.schedules.Power(1.0, 1.5), 0.0, "infinite .* an offset"),
    ],
)
def test_a_curve_that_cannot_be_followed_says_why(
    rule, schedule, noise, reason, monkeypatch
):
    monkeypatch.setattr("rosenblatt.theory.ode._EFFORT", 12_000)
    monkeypatch.setattr("rosenblatt.theory.ode._FEW", 2000)
    with pytest.raises(ArithmeticError, match=reason) as error:
        rb.solve(rule, schedule, rb.teachers.Sign(noise), alpha=500)
    assert "kinks" not in str(error.value)
