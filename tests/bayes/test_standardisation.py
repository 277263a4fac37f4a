import numpy as np
import pytest

from rosenblatt.bayes import learn, start
from rosenblatt.bayes.standardisation import Standardisation, counts, next_change

RNG = np.random.default_rng(0)


def test_changes_come_at_powers_of_two_and_early_halfway_too():
    times = [0]
    while times[-1] < 2000:
        times.append(next_change(times[-1]))
    assert times[:9] == [0, 1, 2, 3, 4, 6, 8, 12, 16]
    assert times[-4:] == [256, 512, 1024, 2048]


def test_rows_count_at_first_and_later_some_of_each_block():
    assert [clock for clock in range(9000) if counts(clock)] == [
        *range(1024),
        *range(4096, 4224),
        *range(8192, 8320),
    ]


def seen(X):
    """The standardisation after rows, by the filter that has learned them."""
    filter = start(X.shape[1], covariance="diagonal", standardised=True)
    return learn(filter, X, np.zeros(len(X), np.int64)).standardisation


@pytest.mark.parametrize("rows", [(40, 60), (7, 200)])
def test_two_standardisations_are_joined_to_that_of_all_rows(rows):
    X = RNG.standard_normal((sum(rows), 3)) * [1.0, 5.0, 0.1] + [0.0, 3.0, -1.0]
    first, second = seen(X[: rows[0]]), seen(X[rows[0] :])
    joined = first.joined(second)
    np.testing.assert_allclose(joined.center, X.mean(axis=0), rtol=1e-9)
    np.testing.assert_allclose(1 / joined.inverse_scale, X.std(axis=0), rtol=1e-9)
    assert joined.weight == len(X)


def test_inputs_as_they_are_have_no_sums():
    none = Standardisation.none(3, False)
    assert none.joined(none) is none
    assert none.to(np.ones(3), np.ones(3))[0] is none
