"""The record of forgetting: what the data chose, and changes that were noticed."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import BayesPerceptron
from rosenblatt.bayes.mixture import MOST_POINTS


def stream(rows, changes, classes=2, columns=5, seed=0):
    """Return rows whose teacher is another one after each of some rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    y = np.empty(rows, int)
    for part in np.split(np.arange(rows), changes):
        teacher = 3.0 * rng.standard_normal((classes, columns))
        y[part] = (X[part] @ teacher.T + rng.gumbel(size=(len(part), classes))).argmax(
            axis=1
        )
    return X, y


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_change_is_noticed_soon_and_nothing_else(classes, kind):
    X, y = stream(4000, [2000], classes)
    model = BayesPerceptron().fit(kind(X), y)
    known = model.forgetting_
    first = known.changes[0]
    assert 2000 < first.row < 2100
    assert first.half_life <= 256.0
    before = known.half_life[(known.rows > 1000) & (known.rows <= 2000)]
    after = known.half_life[(known.rows > 2000) & (known.rows <= 2200)]
    assert after.min() < 300.0 < 2000.0 < np.median(before)
    assert BayesPerceptron().fit(kind(X[:2000]), y[:2000]).forgetting_.changes == ()


def test_few_streams_that_do_not_change_have_a_false_notice():
    """The bound of the docstring is 0.04; 5 standard errors of 200 streams more."""
    streams, bound = 200, 0.04
    found = sum(
        bool(BayesPerceptron().fit(*stream(4000, [], seed=k)).forgetting_.changes)
        for k in range(streams)
    )
    assert found <= streams * bound + 5.0 * np.sqrt(streams * bound * (1.0 - bound))


def test_the_record_is_bounded_and_does_not_depend_on_pieces():
    X, y = stream(3000, [1000, 2000])
    whole = BayesPerceptron().fit(X, y).forgetting_
    model = BayesPerceptron()
    for part in np.split(np.arange(3000), [1, 700, 703]):
        model.partial_fit(X[part], y[part], classes=[0, 1])
    pieces = model.forgetting_
    assert len(whole.rows) <= MOST_POINTS
    assert whole.rows[-1] == 3000
    np.testing.assert_array_equal(np.diff(whole.rows)[:-1], whole.rows[0])
    np.testing.assert_array_equal(pieces.rows, whole.rows)
    np.testing.assert_allclose(pieces.half_life, whole.half_life, rtol=1e-6)
    assert [change.row for change in pieces.changes] == [
        change.row for change in whole.changes
    ]


def test_a_single_filter_forgets_as_it_was_asked_to():
    X, y = stream(50, [])
    assert BayesPerceptron("full").fit(X, y).forgetting_.current == np.inf
    known = BayesPerceptron("full", half_life=20).fit(X, y).forgetting_
    assert known.current == 20.0
    np.testing.assert_array_equal(known.half_life, [20.0])
