import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.networks import Committee, simulate
from rosenblatt.rules import Erf


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_students_that_do_not_learn_lose_their_overlap_with_a_walking_teacher(engine):
    """The mean overlap falls by 1 - D/N at each example, within 5 standard errors."""
    start = np.array([[0.6, 0.0], [0.3, 0.5]]), np.array([[1.0, 0.2], [0.2, 0.7]])
    run = simulate(
        Committee(Erf(), 2, 2), 0.0, dim=10, alpha=[1, 2], replicas=2000, start=start,
        drift=rb.drifts.RandomWalk(0.5), engine=engine
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
        start=([[0.9]], [[1.0]]), drift=rb.drifts.Abrupt((1.0,), np.pi)
    )  # fmt: skip
    assert np.allclose(run.R[:, :, 0, 0], [0.9, -0.9, -0.9])


@pytest.mark.parametrize("drift", [rb.drifts.Rotation(1.0), rb.drifts.Retreat(1.0)])
def test_other_drifts_are_refused(drift):
    with pytest.raises(ValueError, match="drift must turn in random directions"):
        simulate(Committee(Erf(), 1, 1), 1.0, dim=10, alpha=1, drift=drift)
