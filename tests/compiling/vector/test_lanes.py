import numba
import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector import lanes

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="made of instructions"
)


@intrinsic
def combine(typing_context, a, b, c, out, width):
    """Write ``(a ^ b) & c | a`` word by word."""

    def generate(context, builder, signature, given):
        data = [
            lanes.data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:4], given[:4], strict=True)
        ]

        def body(k, mask):
            x, y, z = (lanes.load(builder, place, k, mask) for place in data[:3])
            lanes.store(builder, data[3], k, (x ^ y) & z | x, mask)

        lanes.each(builder, given[4], body)
        return context.get_dummy_value()

    return types.void(a, b, c, out, width), generate


@inlined
def run(a, b, c, out, width):
    lanes.prefetch(a, 0)
    combine(a, b, c, out, width)


@pytest.mark.parametrize("width", [0, 1, 7, 8, 9, 64, 100])
def test_formulas_are_computed_for_all_words_and_no_others(width):
    rng = np.random.default_rng(width)
    a, b, c = rng.integers(0, 2**63, (3, width + 8)).astype(np.uint64)
    out = np.ones(width + 8, np.uint64)
    run(a, b, c, out, width)
    np.testing.assert_array_equal(out[:width], ((a ^ b) & c | a)[:width])
    assert (out[width:] == 1).all()
