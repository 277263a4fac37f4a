import math

import numpy as np

from rosenblatt.committees import Committee
from rosenblatt.committees.decisions import disagreement
from rosenblatt.rules import Erf


def test_one_unit_errs_by_the_angle_over_pi():
    """The points err by less than 0.003."""
    cosines = np.array([-0.9, 0.0, 0.5, 0.99, 1.0])
    covariance = np.array([[[4.0, 2 * c], [2 * c, 1.0]] for c in cosines])
    found = disagreement(Committee(Erf(), 1, 1), covariance, np.ones((5, 1)))
    assert np.max(abs(found - np.arccos(cosines) / math.pi)) < 0.003


def test_many_units_err_as_often_as_random_examples_do():
    """Within five standard errors of 400 000 examples and the points' 0.003."""
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((6, 8))
    covariance, outputs = rows @ rows.T, np.array([1.0, -0.5, 2.0])
    committee = Committee(Erf(), 3, covariance[3:, 3:])
    found = float(disagreement(committee, covariance, outputs))
    units = committee.evaluate(rng.standard_normal((400_000, 8)) @ rows.T)[0]
    wrong = (units[:, :3] @ outputs > 0) != (units[:, 3:].sum(axis=1) > 0)
    assert abs(found - wrong.mean()) < 0.003 + 5 * wrong.std() / math.sqrt(400_000)
