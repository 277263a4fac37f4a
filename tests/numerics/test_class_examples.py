import numpy as np

from rosenblatt.numerics.class_examples import BLOCK, EACH, ClassLaw, draw_features
from rosenblatt.numerics.random import generators


def drawn(first=0, blocks=1, prior=0.25, degree=2):
    means, roots = np.array([[0.0, 1.0], [2.0, 3.0]]), np.zeros((2, 2, 2))
    roots[:] = np.linalg.cholesky([[1.0, 0.5], [0.5, 2.0]])
    law = ClassLaw(means, roots, prior, degree, 7.0)
    size = blocks * BLOCK
    X, labels = np.empty((6 if degree == 2 else 3, size)), np.empty(size)
    draw_features(generators(1, range(1), 2)[0], law, first, X, labels)
    return X.T, labels


def test_features_are_components_squares_products_and_a_constant():
    X, labels = drawn()
    np.testing.assert_allclose(X[:, 2:4], X[:, :2] ** 2)
    np.testing.assert_allclose(X[:, 4], X[:, 0] * X[:, 1])
    assert (X[:, 5] == 7.0).all()
    # share of the label +1, within five standard errors
    assert abs((labels > 0).mean() - 0.25) < 5 * np.sqrt(0.25 * 0.75 / BLOCK)


def test_blocks_depend_on_their_numbers_only():
    X, labels = drawn(blocks=2)
    later = drawn(first=1)
    np.testing.assert_array_equal(X[BLOCK:], later[0])
    np.testing.assert_array_equal(labels[BLOCK:], later[1])


def test_labels_take_turns_in_balanced_sets():
    _, labels = drawn(prior=EACH, degree=1)
    np.testing.assert_array_equal(labels, np.tile([-1.0, 1.0], BLOCK // 2))
