"""Keys of experiments: equal for equal parameters, in every process."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.plan import Plan

HEBB = rb.rules.Hebb()


def key(value):
    (found,) = Plan(lambda x: x, {"x": value}, {}).keys
    return found


def times(factor):
    return lambda x: factor * x


def test_equal_values_have_equal_keys():
    for first, second in (
        (rb.rules.Perceptron(0.5), rb.rules.Perceptron(0.5)),
        ((1, 2), [1, 2]),
        (np.arange(3), np.arange(3)),
        ({"a": 1}, {"a": 1}),
        (times(2), times(2)),
    ):
        assert key(first) == key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, 1.0),
        (1, True),
        ("1", 1),
        (None, "None"),
        ([1, [2]], [[1], 2]),
        (np.arange(3), np.arange(3.0)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (rb.rules.Perceptron(0.5), rb.rules.Perceptron(0.25)),
        (HEBB, rb.rules.Delta(rb.rules.Tanh())),
        (times(2), times(3)),
        (lambda x: x, lambda x: x + 1),
    ],
)
def test_different_values_have_different_keys(first, second):
    assert key(first) != key(second)


def test_a_function_that_calls_itself_has_a_key():
    def factorial(n):
        return n * factorial(n - 1) if n else 1

    assert key(factorial) == key(factorial)


def test_what_is_not_known_is_refused_by_name():
    for value in (object(), [object()], {1, 2}):
        with pytest.raises(TypeError, match="x must be made of numbers, text"):
            key(value)


def test_own_modules_are_sent_to_workers():
    names = [module.__name__ for module in Plan(times(2), {"x": HEBB}, {}).modules()]
    assert names == [__name__]
