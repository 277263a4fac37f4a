"""Merged filters: the frame of all rows, and the evidence as an integral."""

import numpy as np
import pytest
from scipy.stats import norm

from rosenblatt import bayes as filtering
from rosenblatt.bayes.full import inverse
from rosenblatt.bayes.growing import likelihood
from tests.bayes.streams import FRAMED, KINDS, data, same


@pytest.mark.parametrize("kind", KINDS)
def test_merged_filters_know_the_frame_and_the_evidence_of_all_rows(kind):
    X, y = data(rows=1000)
    filter = filtering.start(4, covariance=kind, noise=0.01, **FRAMED)
    one = filtering.learn(filter, X[:300], y[:300])
    two = filtering.learn(filter, X[300:], y[300:])
    both, other = filtering.merge(one, two), filtering.merge(two, one)
    np.testing.assert_allclose(both.standardisation.center, X.mean(axis=0))
    np.testing.assert_allclose(1 / both.standardisation.inverse_scale, X.std(axis=0))
    same(both, other, 1e-7)
    assert both.clock == 1000
    # as good as what has seen all rows: on other rows the two agree
    whole = filtering.learn(filter, X, y)
    fresh = data(rows=2000, seed=0)[0][1000:]
    u = [filtering.fields(f, fresh)[0] > 0 for f in (both, whole)]
    assert (u[0] == u[1]).mean() > 0.97
    same(filtering.merge(filter, one), one)


def test_joint_evidence_is_an_integral():
    """That of p(D1) p(D2) q1 q2 / prior over the weights, here of one weight."""
    filter = filtering.start(1, covariance="diagonal", label_variance=1.0, prior=2.0)
    one = filtering.learn(filter, [[1.0], [0.5], [-1.0]], [1, 1, 0])
    two = filtering.learn(filter, [[0.7], [2.0]], [0, 1])
    both = filtering.merge(one, two)
    w = np.linspace(-15, 15, 20_001)
    q1, q2 = (norm.pdf(w, f.mean[0, 0], f.belief[0, 0] ** 0.5) for f in (one, two))
    integral = np.trapezoid(q1 * q2 / norm.pdf(w, 0, 2**0.5), w)
    wanted = one.log_evidence + two.log_evidence + np.log(integral)
    np.testing.assert_allclose(both.log_evidence, wanted, rtol=1e-9)


def test_joint_evidence_of_several_classes_is_one_integral():
    """Over the weights of all classes: a product, since the beliefs are."""
    filter = filtering.start(
        1, covariance="diagonal", models=3, label_variance=1.0, prior=2.0
    )
    one = filtering.learn(filter, [[1.0], [0.5], [-1.0]], [1, 1, 0])
    two = filtering.learn(filter, [[0.7], [2.0]], [0, 2])
    w = np.linspace(-15, 15, 20_001)
    wanted = one.log_evidence[0] + two.log_evidence[0]
    for k in range(3):
        q1, q2 = (norm.pdf(w, f.mean[k, 0], f.belief[k, 0] ** 0.5) for f in (one, two))
        wanted += np.log(np.trapezoid(q1 * q2 / norm.pdf(w, 0, 2**0.5), w))
    found = filtering.merge(one, two).log_evidence
    np.testing.assert_allclose(found, np.full(3, wanted), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_belief_comes_back_from_its_likelihood(kind):
    X, y = data(classes=3)
    filter = filtering.start(4, covariance=kind, models=3, prior=0.5, **FRAMED)
    filter = filtering.learn(filter, X, y)
    found = likelihood(filter, filter.center, filter.inverse_scale)
    mean, belief = filter.kind.posterior(found, 0.5)
    np.testing.assert_allclose(mean, filter.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(belief, filter.belief, rtol=1e-9, atol=1e-12)
    assert filter.kind.log_mass(found, 0.5).shape == (3,)


def test_the_inverse_is_symmetric_and_refuses_what_is_not_positive():
    A = np.random.default_rng(0).standard_normal((5, 9))
    found = inverse(A @ A.T)
    np.testing.assert_allclose(found @ A @ A.T, np.eye(5), atol=1e-12)
    assert np.array_equal(found, found.T)
    with pytest.raises(np.linalg.LinAlgError):
        inverse(-np.eye(2))


def test_an_indefinite_likelihood_is_cut_to_a_definite_one():
    filter = filtering.start(2, prior=0.5)
    filter = filter.replaced(belief=np.array([[[3.0, 0.0], [0.0, 0.1]]]))
    found = likelihood(filter, filter.center, filter.inverse_scale)
    assert found.precision[0, 0, 0] < 0  # a variance above that of the prior
    far = found._replace(precision=10 * found.precision)
    np.testing.assert_allclose(filter.kind.posterior(far, 0.5)[1][0, 0, 0], 0.5)
