import numpy as np
import pytest

from rosenblatt.papers.seung2002 import table_cycles
from rosenblatt.papers.seung2002.problems import distances, drawn_order, exact, follow
from rosenblatt.rules import Delta, Linear
from rosenblatt.schedules import Constant, Power


def test_weights_are_followed_through_the_drawn_examples():
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((4, 2)), np.array([1.0, -1.0, 1.0, 1.0])
    order, times = drawn_order(4, 10, 1), np.array([3, 10])
    found = follow(
        Delta(Linear()), Power(0.5, 1.0), X, labels, np.ones(2), order, times
    )
    w, wanted = np.ones(2), []
    for step, row in enumerate(order, start=1):
        # the clock of a rate counts examples per weight
        w = w + 0.5 / (step / 2) * (labels[row] - w @ X[row]) * X[row]
        if step in times:
            wanted.append(w)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


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


def test_the_table_of_cycles_ends_where_it_begins():
    data = table_cycles(quick=True)
    starts = [k for k, row in enumerate(data.cells) if row[0]]
    assert len(starts) == 3
    for first, last in zip(starts, [*starts[1:], len(data.cells)], strict=True):
        assert data.cells[first][4] == data.cells[last - 1][6]
        assert any(row[5] == "error" for row in data.cells[first:last])
