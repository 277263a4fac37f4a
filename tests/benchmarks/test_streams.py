"""The protocol of the stream benchmark: no prediction has seen its label."""

import numpy as np
import pytest

from benchmarks.data import Data
from benchmarks.streams import vowpal_wabbit
from benchmarks.streams.archives import archived
from benchmarks.streams.baseline import as_before
from benchmarks.streams.river import learners as river_learners
from benchmarks.streams.scikit_learn import learners as sgd_learners
from benchmarks.streams.vowpal_wabbit import learners as vw_learners


def noise(rows=300, classes=2):
    """Labels that no column tells."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 3))
    return Data("noise", X, rng.integers(0, classes, rows))


@pytest.mark.parametrize("flag", vowpal_wabbit.FLAGS)
def test_predictions_do_not_depend_on_their_own_label(flag):
    """The same rows, with other labels from the last on, are predicted alike."""
    data = noise()
    other = Data("other", data.X, np.append(data.y[:-1], 1 - data.y[-1]))
    found = [
        vowpal_wabbit.predictions(list(vowpal_wabbit.lines(one)), flag, 2)
        for one in (data, other)
    ]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("classes", [2, 3])
def test_peers_are_no_better_than_chance_on_noise(classes):
    """Log-loss: a prediction from after the update would be below that of chance."""
    data = noise(classes=classes)
    rows = np.arange(len(data.y))
    for learner in [*vw_learners(), *river_learners(), *sgd_learners()]:
        found = learner.begin(data)()
        if found.ndim == 2:
            assert found.shape == (len(data.y), classes)
            np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-4)
            chances = np.maximum(found[rows, data.y], 1e-15)
            assert -np.log(chances).mean() > np.log(classes) - 0.03, learner.name


def test_as_before_predicts_the_last_label():
    y = np.array([0, 0, 1, 1, 2])
    shares = as_before(y, 3)
    assert shares[1:].argmax(axis=1).tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert shares[4, 1] == pytest.approx(3 / 5)  # two of three, and one more of each


def test_missing_archives_are_named_with_the_way_to_get_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"scikit-multiflow.*pip download"):
        archived(tmp_path)["Elec2"]()
