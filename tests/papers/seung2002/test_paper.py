"""The lecture is there as a whole, and what its claims lean on is right."""

import numpy as np
import pytest

from rosenblatt.papers.seung2002 import (
    CLAIMS,
    PAPER,
    comparison,
    digits,
    readings,
    section_3,
    section_6,
    table_cycles,
)
from rosenblatt.papers.seung2002.images import bundled
from rosenblatt.papers.seung2002.problems import quadratic
from rosenblatt.papers.seung2002.section_8 import linear_program
from rosenblatt.papers.seung2002.walks import distances, exact
from rosenblatt.schedules import Constant, Power


def test_every_section_of_the_lecture_has_a_claim():
    names = {claim.id.split("/")[1] for claim in CLAIMS}
    sections = {f"section{k}" for k in (1, 2, 3, 4, 6, 7)}
    assert sections | {"eq2", "eq5-6", "digits", "theorem", "cycle"} <= names
    assert len(PAPER.errata) == 6
    assert len(PAPER.figures) == 8


def test_quadratic_problems_have_the_curvatures_asked_for():
    problem = quadratic(np.array([0.1, 2.0, 3.0]))
    H = problem.X.T @ problem.X / len(problem.X)
    np.testing.assert_allclose(np.linalg.eigvalsh(H), [0.1, 2.0, 3.0], rtol=1e-12)


def test_the_smallest_problem_has_a_minimum_on_both_sides_of_a_maximum():
    points = section_3.stationary()
    values, slopes = section_3.costs(points)
    np.testing.assert_allclose(slopes, 0, atol=1e-10)
    assert values[1] > values[2] > 3 * values[0]
    h = points[0] * np.array([1.0, 10.0])
    wanted = np.mean((np.array([0.9, -0.9]) - np.tanh(h)) ** 2) / 2
    assert values[0] == pytest.approx(wanted)


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


def test_linear_programs_tell():
    assert linear_program(np.array([[1.0, 2.0], [-1.0, 3.0]]))
    assert not linear_program(np.array([[1.0, 2.0], [-1.0, -2.0]]))


def test_digits_are_parted_and_scaled():
    found = bundled()
    assert found.train.shape == (1347, 64)
    assert found.test.shape == (450, 64)
    assert np.mean((found.train**2).sum(axis=1)) == pytest.approx(1)


def test_accuracies_are_those_of_the_plain_loop():
    *_, (last, model) = comparison.compare(bundled(), 2, 5)
    assert last["GradientPerceptron, logistic"] == digits._twin(2, 5)
    assert model.t_ == 2 * 1347


def test_a_comparison_is_the_same_at_every_start():
    first, again = (next(comparison.compare(bundled(), 1, 3))[0] for _ in range(2))
    assert first == again


@pytest.mark.parametrize("constant", [True, False])
def test_readings_are_those_of_a_plain_loop(constant):
    """Standardised pixels, first rate 1, one pass."""
    given = bundled()
    mean, spread = given.train.mean(axis=0), given.train.std(axis=0)
    used = spread > 0
    size = spread[used] * np.sqrt(used.sum())
    X, test = ((x - mean)[:, used] / size for x in (given.train, given.test))
    assert np.mean((X**2).sum(axis=1)) == pytest.approx(1)
    if constant:
        X, test = (np.column_stack([x, np.ones(len(x))]) for x in (X, test))
    w = np.zeros((10, X.shape[1]))
    order = np.random.default_rng([comparison.SEED, 0]).permutation(len(X))
    for seen, row in enumerate(order, start=1):
        f = 1 / (1 + np.exp(-w @ X[row]))
        slope = (np.arange(10) == given.train_labels[row]) - f
        w += (slope * f * (1 - f) / (1 + seen / len(X)))[:, None] * X[row]
    wanted = np.mean((test @ w.T).argmax(axis=1) == given.test_labels)
    found = readings.accuracies(readings._standardised(given), 1.0, constant, 1, 1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1 / 450)  # one tie


def test_exact_curves_of_schedules_lie_between_gaps_in_one_series():
    *points, lines = section_6.figure_schedules(quick=True).series
    count = len(points[0].x)
    assert len(points) == 5
    assert np.isnan(lines.y).nonzero()[0].tolist() == [
        (count + 1) * k - 1 for k in range(1, 6)
    ]
    assert lines.x[:count] == points[0].x


def test_weights_are_pictures_of_the_pixels():
    *_, (_, model) = comparison.compare(bundled(), 1)
    data = comparison.pictures(model, (8, 8))
    assert [picture.name for picture in data.pictures] == list("0123456789")
    np.testing.assert_array_equal(np.ravel(data.pictures[3].pixels), model.coef_[3])


def test_the_table_of_cycles_ends_where_it_begins():
    data = table_cycles(quick=True)
    starts = [k for k, row in enumerate(data.cells) if row[0]]
    assert len(starts) == 3
    for first, last in zip(starts, [*starts[1:], len(data.cells)], strict=True):
        assert data.cells[first][4] == data.cells[last - 1][6]
        assert any(row[5] == "error" for row in data.cells[first:last])
