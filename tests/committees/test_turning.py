import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.rules import Erf


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_students_that_do_not_learn_lose_their_overlap_with_a_walking_teacher(engine):
    """The mean overlap falls by 1 - D/N at each example, within 5 standard errors."""
    start = np.array([[0.6, 0.0], [0.3, 0.5]]), np.array([[1.0, 0.2], [0.2, 0.7]])
    run = simulate(
        Committee(Erf(), 2, 2), 0.0, dim=10, alpha=[1, 2], replicas=2000, start=start,
        motion=rb.motions.RandomWalk(0.5), engine=engine
    )  # fmt: skip
    assert np.allclose(run.Q, start[1], atol=1e-12)
    for at, examples in enumerate((10, 20)):
        found = run.R[:, at]
        error = found.std("replica") / np.sqrt(2000)
        wanted = start[0] * (1 - 0.5 / 10) ** examples
        assert bool((abs(found.mean("replica") - wanted) < 5 * error).all())
        assert float(error.max()) < 0.02


def test_a_change_comes_after_its_time():
    run = simulate(
        Committee(Erf(), 1, 1), 0.0, dim=50, alpha=[1, 1.02, 3], replicas=20,
        start=([[0.9]], [[1.0]]), motion=rb.motions.Abrupt((1.0,), np.pi)
    )  # fmt: skip
    assert np.allclose(run.R[:, :, 0, 0], [0.9, -0.9, -0.9])


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_a_student_that_does_not_learn_sees_each_teacher_go_round_its_circle(engine):
    """Two units of a teacher turn by 1.5 in planes of their own, and one retreats."""
    start = np.array([[0.6, 0.1]]), np.array([[1.0]])
    graded = Committee(Erf(), 1, [[1.0, 0.4], [0.4, 2.0]])
    run = simulate(
        graded, 0.0, dim=6, alpha=[1, 3], start=start, engine=engine, replicas=2,
        motion=rb.motions.Rotation(0.5)
    )  # fmt: skip
    for at, angle in enumerate((0.5, 1.5)):
        np.testing.assert_allclose(run.R[0, at], start[0] * np.cos(angle), atol=1e-12)
    run = simulate(
        Committee(Erf(), 1, [[4.0]]), 0.0, dim=6, alpha=[1, 3], engine=engine,
        start=([[1.0]], [[0.81]]), motion=rb.motions.Retreat(0.5)
    )  # fmt: skip
    angles = np.arccos(1.0 / 1.8) + np.array([0.5, 1.5])
    np.testing.assert_allclose(run.R[0, :, 0, 0], 1.8 * np.cos(angles), atol=1e-12)
    np.testing.assert_allclose(run.Q[0, :, 0, 0], 0.81, atol=1e-12)


def test_only_single_units_retreat():
    words = "it needs one unit each"
    with pytest.raises(ValueError, match=words):
        simulate(
            Committee(Erf(), 2, 1), 1.0, dim=10, alpha=1, motion=rb.motions.Retreat(1.0)
        )
