import numpy as np
import pytest

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.vector.loops import LANES, sweep


def _formula(x, y, scale, limit):
    z = (x * scale - y).clip(y - y - limit, limit)
    return (z, y + z), (z * y, x * (y - y))


_sweep = sweep(_formula, reads=2, writes=2, sums=2)
_streamed = sweep(_formula, reads=2, writes=2, sums=2, streamed=1)


def _run(x, first, y, z, scale, limit):
    return _sweep(z.size, x, first, y, 0, z, 0, y, 0, scale[0], limit[0])


def _run_streamed(x, first, y, z, scale, limit):
    return _streamed(z.size, x, first, y, 0, z, 0, y, 0, scale[0], limit[0])


def _kernels(run):
    found = {}
    for given in (types.float32, types.float64):
        for number in (types.float32, types.float64):
            if given == types.float64 and number == types.float32:
                continue  # rows are not narrowed
            row = types.Array(given, 1, "C", readonly=True)
            own = number[::1]
            found[given.name, number.name] = kernel(
                types.UniTuple(types.float64, 2), row, types.int64, own, own, own, own
            )(run)
    return found


_KERNELS = {"plain": _kernels(_run), "streamed": _kernels(_run_streamed)}


@pytest.mark.parametrize("size", [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 100, 131, 9000])
@pytest.mark.parametrize("precisions", _KERNELS["plain"])
@pytest.mark.parametrize("kind", _KERNELS)
def test_a_sweep_does_what_numpy_does(kind, precisions, size):
    given, number = (np.dtype(p) for p in precisions)
    rng = np.random.default_rng(size)
    x = rng.standard_normal(size + 9).astype(given)
    y, z = rng.standard_normal((2, size)).astype(number)
    y, z = np.append(y, number.type(5)), np.append(z, number.type(5))  # one too many
    scale, limit = np.array([[1.5], [0.7]], number)
    part = x[4 : 4 + size].astype(number)
    wanted = np.clip(part * scale - y[:size], -limit, limit)
    total = (wanted.astype(float) * y[:size]).sum()
    moved = y[:size] + wanted
    run = _KERNELS[kind][precisions]
    found = run(x, 4, y[:size], z[:size], scale, limit)
    precision = 4 * np.finfo(number).eps
    assert np.allclose(z[:size], wanted, rtol=0, atol=4 * precision)
    assert np.allclose(y[:size], moved, rtol=0, atol=4 * precision)
    assert np.allclose(found, [total, 0.0], rtol=0, atol=max(size, 1) * precision)
    assert y[size] == z[size] == 5


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 16, 36])
def test_a_product_with_zero_tells_what_is_not_finite(bad, place):
    x, (y, z) = np.zeros(37), np.zeros((2, 37))
    x[place] = bad
    run = _KERNELS["plain"]["float64", "float64"]
    with np.errstate(invalid="ignore"):
        found = run(x, 0, y, z, np.ones(1), np.ones(1))
    assert np.isnan(found[1])


def _move(x, w, gain):
    return (w + x * gain,), (x * w,)


def _move_two(x, w, v, gain):
    return (w + x * gain, v + w * gain), (x * w, x * v)


_two = sweep(_move, reads=2, writes=1, sums=1, streamed=1, padded=True)
_three = sweep(_move_two, reads=3, writes=2, sums=2, streamed=1, padded=True)


def _run_padded(size, x, w, v, gain):
    (first,) = _two(size, x, 3, w, 0, w, 0, gain[0])
    second, third = _three(size, x, 3, w, 0, v, 0, w, 0, v, 0, gain[0])
    return first, second, third


_PADDED = {
    number.name: kernel(
        types.UniTuple(types.float64, 3), types.int64, *[number[::1]] * 4
    )(_run_padded)
    for number in (types.float32, types.float64)
}


@pytest.mark.parametrize("size", [1, 8, 15, 16, 17, 31, 32, 33, 64, 96, 100, 4096])
@pytest.mark.parametrize("precision", _PADDED)
def test_padded_arrays_are_left_alone_beyond_their_padding(precision, size):
    rng = np.random.default_rng(size)
    wide = -(-size // LANES) * LANES
    x = rng.integers(-9, 10, size + 6).astype(precision)  # sums without rounding
    x[:3] = x[-3:] = np.nan  # of the rows before and after
    w, v = np.full((2, wide + LANES), np.nan, precision)
    w[:wide] = v[:wide] = 0.0
    w[:size], v[:size] = rng.integers(-9, 10, (2, size))
    part, w0, v0 = x[3:-3], w[:size].copy(), v[:size].copy()
    found = _PADDED[precision](size, x, w, v, np.array([2.0], precision))
    w1 = w0 + 2 * part
    assert found == (part @ w0, part @ w1, part @ v0)
    np.testing.assert_array_equal(w[:size], w1 + 2 * part)
    np.testing.assert_array_equal(v[:size], v0 + 2 * w1)
    for array in (w, v):
        assert not array[size:wide].any()
        assert np.isnan(array[wide:]).all()
