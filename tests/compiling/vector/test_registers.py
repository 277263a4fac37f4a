import numba
import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.lanes import I64
from rosenblatt.compiling.vector.registers import Reals, bytes_of, loop_as_written

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="made of instructions"
)


@intrinsic
def formula(typing_context, x, y):
    def generate(context, builder, signature, given):
        a, b = (Reals(builder, value) for value in given)
        low, high = (Reals(builder, ir.DoubleType()(value)) for value in (-2.0, 2.0))
        return ((a * b - a) / b + a).clip(low, high).value

    return types.float64(x, y), generate


@intrinsic
def turns(typing_context, stop):
    """Count the turns of a loop in steps of four."""

    def generate(context, builder, signature, given):
        count = builder.alloca(I64)
        builder.store(I64(0), count)
        with loop_as_written(builder, given[0], 4):
            builder.store(builder.add(builder.load(count), I64(1)), count)
        return builder.load(count)

    return types.int64(stop), generate


@inlined
def computed(x, y):
    return formula(x, y)


@inlined
def counted(stop):
    return turns(stop)


def test_formulas_compute_what_numpy_computes():
    for x, y in np.random.default_rng(0).standard_normal((20, 2)).tolist():
        expected = np.clip((x * y - x) / y + x, -2.0, 2.0)
        assert computed(x, y) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("stop", [0, 4, 8, 40])
def test_loops_have_all_their_turns(stop):
    assert counted(stop) == stop // 4


def test_sizes_are_those_of_the_precision():
    assert (bytes_of(ir.FloatType()), bytes_of(ir.DoubleType())) == (4, 8)
