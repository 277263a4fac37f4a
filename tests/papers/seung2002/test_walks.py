import numpy as np
import pytest

from rosenblatt.papers.seung2002.problems import distances, exact
from rosenblatt.schedules import Constant, Power


@pytest.mark.parametrize("schedule", [Constant(0.3), Power(1.0, 1.0), Power(0.5, 1.5)])
def test_exact_means_are_those_over_all_sequences_of_targets(schedule):
    """Of four examples three have the target 1; five steps are 1024 sequences."""
    rate = {Constant: lambda t: 0.3}.get(
        type(schedule), lambda t: schedule.scale * t**-schedule.exponent
    )
    w = np.zeros(1)
    for t in range(1, 6):
        w = np.concatenate([w + rate(t) * (y - w) for y in (1.0, 1.0, 1.0, -1.0)])
    mean, square = exact(schedule, np.array([5]))
    assert mean[0] == pytest.approx((w - 0.5).mean(), rel=1e-12)
    assert square[0] == pytest.approx(((w - 0.5) ** 2).mean(), rel=1e-12)
    found = distances(schedule, (5,), 300)[:, 0] ** 2
    assert abs(found.mean() - square[0]) < 5 * found.std() / 300**0.5 + 1e-12


def test_one_over_t_is_the_running_mean():
    found = distances(Power(1.0, 1.0), (40,), 3)[:, 0] + 0.5
    assert np.allclose(found * 20, np.rint(found * 20))  # sums of 40 signs, over 40
