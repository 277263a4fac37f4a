import numpy as np
import pytest

from rosenblatt.papers.bhattacharya1995 import linear, problems


def test_the_best_line_through_the_origin_is_better_than_others():
    least = linear.best_without_constant(15)
    angles = np.linspace(0, 2 * np.pi, 1001)
    weights = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(1001)])
    errors = problems.LINEAR[15].stream.error(weights)
    assert errors.min() == pytest.approx(least, rel=1e-3)
    assert (errors >= least - 1e-12).all()


@pytest.mark.parametrize(("third", "wanted"), [(2.1, True), (9.0, False)])
def test_gains_are_nearly_equal_if_eta1_is_far_from_all(monkeypatch, third, wanted):
    noise = 0.1 * np.random.default_rng(0).standard_normal((100, 4))
    a = np.array([10.0, 2.0, third, 2.3]) + noise
    monkeypatch.setattr(linear, "shares", lambda result: a)
    monkeypatch.setattr(linear, "short_run", lambda problem, quick: None)
    found = linear._nearly.measure(True)
    assert (0 <= found.value <= 0.5) is wanted
