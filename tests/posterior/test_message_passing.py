import math

import numpy as np
import pytest

from rosenblatt.posterior.message_passing import binary_weights

GIVEN = {"damping": 0.0, "tolerance": 1e-9, "max_sweeps": 2000}


def table(rows=60, columns=40):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    return X, np.sign(X @ rng.choice([-1.0, 1.0], columns))


def test_labels_without_information_leave_the_prior():
    X, labels = table()
    found = binary_weights(X, labels, noise=0.5, deviation=1.0, **GIVEN)
    np.testing.assert_allclose(found.mean, 0.0, atol=1e-9)
    assert found.log_evidence == pytest.approx(len(X) * math.log(0.5))


def test_opposite_labels_have_opposite_weights():
    X, labels = table()
    one, other = (
        binary_weights(X, sign * labels, noise=0.1, deviation=0.5, **GIVEN)
        for sign in (1, -1)
    )
    assert one.change <= GIVEN["tolerance"]
    np.testing.assert_allclose(one.mean, -other.mean, atol=1e-9)
    assert one.log_evidence == pytest.approx(other.log_evidence)
