import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.compiling.jit import filling
from rosenblatt.numerics.random import generators
from rosenblatt.specification.parts import RefusalError
from rosenblatt.streams import Sampled
from tests.conformance.test_parts import disc


def test_a_function_that_rejects_draws_what_it_should():
    s = np.zeros((10_000, 2))
    filling(Sampled(2, disc))(generators(0, range(1), 1)[0, 0], s)
    radius2 = (s**2).sum(axis=1)
    assert stats.kstest(radius2, stats.uniform.cdf).pvalue > 1e-4


def test_only_vectors_of_weights_can_learn_from_it():
    parts = rb.rules.Perceptron(), rb.schedules.Constant()
    given = {"stream": Sampled(2, disc), "dim": 2, "alpha": 1}
    assert rb.simulate(*parts, **given).attrs["engine"] == "full"
    with pytest.raises(RefusalError, match="no projections"):
        rb.simulate(*parts, engine="reduced", **given)
