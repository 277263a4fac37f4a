import numpy as np
import pytest

from rosenblatt.linear.gradient import batch, hessian, outputs
from rosenblatt.rules import Linear, Logistic, Tanh


def problem(learners=1):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    labels = rng.choice([-1.0, 1.0], (12, learners))
    return X, labels, rng.standard_normal((learners, 4)), rng.integers(0, 3, 12)


@pytest.mark.parametrize("activation", [Linear(), Logistic(1.5), Tanh(0.7)])
def test_derivatives_are_differences(activation):
    X, labels, w, repeats = problem(2)
    found = batch(activation, X, labels, w, repeats)
    step = 1e-6
    for k in range(4):
        change = step * np.eye(4)[k]
        above = batch(activation, X, labels, w + change, repeats)
        below = batch(activation, X, labels, w - change, repeats)
        slope = (above.cost - below.cost) / (2 * step)
        np.testing.assert_allclose(found.gradient[:, k], slope, atol=1e-8)
    once = np.ones(12, np.int64)
    curves = hessian(activation, X, labels[:, 0], w[0])
    for k in range(4):
        change = step * np.eye(4)[k]
        slope = (
            batch(activation, X, labels, w + change, once).gradient[0]
            - batch(activation, X, labels, w - change, once).gradient[0]
        ) / (2 * step)
        np.testing.assert_allclose(curves[k], slope, atol=1e-8)


def test_counts_and_slopes():
    X, labels, w, repeats = problem()
    found = batch(Tanh(), X, labels, w, repeats)
    fields = X @ w[0, :3] + w[0, 3]
    wrong = labels[:, 0] * fields <= 0
    assert found.mistakes[0] == (repeats * wrong).sum()
    slopes = 1 / np.cosh(fields) ** 2
    assert found.slope[0] == pytest.approx(np.average(slopes, weights=repeats))
    copied = batch(
        Tanh(),
        X.repeat(repeats, 0),
        labels.repeat(repeats, 0),
        w,
        np.ones(repeats.sum(), np.int64),
    )
    np.testing.assert_allclose(found.cost, copied.cost, rtol=1e-13)
    np.testing.assert_allclose(found.gradient, copied.gradient, rtol=1e-12)


def test_outputs_keep_the_shape():
    values, slopes = outputs(Linear(), np.ones((2, 3)))
    assert values.shape == slopes.shape == (2, 3)
    assert (values == 1).all()
    assert (slopes == 1).all()
