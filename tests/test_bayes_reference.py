"""The slow twin itself: what must hold whatever the data are."""

import numpy as np
import pytest

from tests.bayes_reference import BayesReference, Expert, Frame


def labelled(rows, n_features, n_classes, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, n_features))
    X[:, 0] = X[:, 0] > 1  # an indicator
    fields = X @ rng.standard_normal((n_features, n_classes))
    return X, (fields + rng.gumbel(size=fields.shape)).argmax(1)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_units_of_the_features_do_not_matter(covariance, n_classes):
    X, y = labelled(60, 3, n_classes, seed=0)
    other = X * [1e3, 1e-3, 7.0] + [5.0, -3.0, 1.0]
    P, Q = (
        BayesReference(3, n_classes, covariance).progressive(rows, y)
        for rows in (X, other)
    )
    np.testing.assert_allclose(P, Q, atol=1e-8)
    np.testing.assert_allclose(P.sum(1), 1, atol=1e-12)


def test_moves_with_the_derivatives_of_the_log_likelihood():
    """At fixed moderation r: m += V z L', V += V z z V L'', by differences."""
    rng = np.random.default_rng(1)
    expert, z = Expert(2, 1, 0.7), np.array([0.3, -1.2, 1.0])
    expert.m[0] = rng.standard_normal(3)
    q, h = expert.V @ z, expert.m[0] @ z
    r = 1 / np.sqrt(1 + np.pi / 8 * (z @ q))

    def log_likelihood(field):
        return -np.log1p(np.exp(-r * field))

    d = 1e-4
    left, here, right = (log_likelihood(h + e) for e in (-d, 0, d))
    first, second = (right - left) / (2 * d), (right - 2 * here + left) / d**2
    m, V = expert.m[0] + q * first, expert.V + np.outer(q, q) * second
    expert.learn(z, 1)
    np.testing.assert_allclose(expert.m[0], m, atol=1e-7)
    np.testing.assert_allclose(expert.V, V, atol=1e-6)


def test_a_new_frame_keeps_the_evidence():
    """Without the prior, any row's field has the same law before and after."""
    X, y = np.random.default_rng(2).random((50, 3)), labelled(50, 3, 2, seed=2)[1]
    frame, expert = Frame(3), Expert(3, 1, 1.0)
    for x in X[:8]:
        frame.learn(x)
    frame.renew()
    for x, label in zip(X, y, strict=True):
        expert.learn(frame.row(x), label)
        frame.learn(x)

    def fields():
        evidence = np.linalg.inv(expert.V) - np.diag(expert.prior)
        best = np.linalg.solve(evidence, np.linalg.solve(expert.V, expert.m[0]))
        rows = np.array([np.append((x - frame.centre) / frame.scale, 1) for x in X])
        variances = np.einsum("ij,ji->i", rows, np.linalg.solve(evidence, rows.T))
        return rows @ best, variances

    before = fields()
    expert.move(frame.renew())
    np.testing.assert_allclose(fields(), before, rtol=1e-8)


def test_is_calibrated_where_the_model_is_true():
    """Progressive log-loss is close to the entropy of the law that made the labels."""
    rng, n = np.random.default_rng(3), 1500
    X = rng.standard_normal((n, 4))
    p = 1 / (1 + np.exp(-X @ [1.0, -0.5, 0.25, 0.0]))
    y = (rng.random(n) < p).astype(int)
    P = BayesReference(4, 2).progressive(X, y)
    gap = np.log(np.where(y, p, 1 - p)) - np.log(P[np.arange(n), y])
    # five weights cost about 5/2 log n nats to learn, a mixture of nine log 9
    expected = 5 / 2 * np.log(n) + np.log(9)
    assert gap.sum() < expected + 5 * gap.std() * np.sqrt(n)
    assert abs(np.mean(y - P[:, 1])) < 5 * np.sqrt(np.mean(p * (1 - p)) / n)


def test_order_of_labels_is_noticed_and_can_be_left_out():
    X, y = labelled(200, 2, 2, seed=4)
    sorted_y = np.sort(y)
    assert 0 < sorted_y.sum() < 200
    heeded, ignored = (
        BayesReference(2, 2, order=order).progressive(X, sorted_y)
        for order in (True, False)
    )
    mistakes = [(P.argmax(1) != sorted_y).sum() for P in (heeded, ignored)]
    assert mistakes[0] < mistakes[1]
