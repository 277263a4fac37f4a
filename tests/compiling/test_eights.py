import numpy as np
import pytest

from rosenblatt.compiling import eights, inlined


@inlined
def combine(a, b, out):
    """Write a formula of eight numbers, from the second number of ``a`` on."""
    x, y = eights.load(a, 1), eights.load(b, 0)
    total = (x + y) * eights.same_eight(3.0) - x / y
    eights.store(out, 0, total)
    eights.store(out, 8, eights.root(x))
    eights.store(out, 16, eights.inverse_root(x))
    eights.store(out, 24, eights.is_zero(x))


def test_eight_numbers_are_computed_with_as_in_numpy():
    a, b, out = np.arange(-1.0, 9.0), np.linspace(1, 2, 8), np.empty((4, 8))
    combine(a, b, out)
    x = a[1:9]
    assert np.allclose(out[0], 3 * (x + b) - x / b, rtol=1e-15)
    assert np.array_equal(out[1], np.sqrt(x))
    assert np.array_equal(out[2], [0, *(1 / np.sqrt(x[1:]))])  # 0 has none
    assert np.array_equal(out[3], x == 0)


def test_what_is_no_number_stays_none():
    a, out = np.full(9, np.nan), np.zeros((4, 8))
    combine(a, np.ones(8), out)
    assert np.isnan(out[:2]).all()


@inlined
def first(a):
    return eights.first_not_positive(eights.load(a, 0))


@pytest.mark.parametrize(
    ("changed", "place"), [({}, 8), ({2: 0.0}, 2), ({7: -1.0, 3: -2.0, 1: np.nan}, 3)]
)
def test_the_first_number_that_is_not_positive_is_found(changed, place):
    a = np.ones(8)
    for at, value in changed.items():
        a[at] = value
    assert first(a) == place
