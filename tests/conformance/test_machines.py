"""Every machine and every stream of vectors, discovered."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.compiling import compiled
from rosenblatt.numerics.random import generators, normal
from tests.conformance.test_parts import MACHINES, VECTOR_STREAMS
from tests.naming import in_words


@pytest.mark.parametrize("stream", VECTOR_STREAMS, ids=in_words)
def test_compiled_streams_equal_plain_python(stream):
    drawn = []
    for draw in (compiled(stream), stream.bind()):
        rng = generators(0, range(1), 1)[0, 0]
        drawn.append(np.full((3, stream.dim), np.nan))
        for s in drawn[-1]:
            draw(rng, s)
    np.testing.assert_allclose(*drawn, rtol=1e-12)


def random_point(machine, seed):
    """An input and weights, and room for a gradient."""
    rng = generators(seed, range(1), 1)[0, 0]
    s, w = (
        np.array([normal(rng) for _ in range(size)])
        for size in (machine.inputs, machine.parameters)
    )
    return s, w, np.full(machine.parameters, np.nan)


@pytest.mark.parametrize("machine", MACHINES, ids=in_words)
def test_compiled_machines_equal_plain_python(machine):
    for seed in range(3):
        s, w, gradient = random_point(machine, seed)
        value = machine.bind()(s, w, gradient)
        again = np.empty_like(gradient)
        assert compiled(machine)(s, w, again) == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(again, gradient, rtol=1e-12)


@pytest.mark.parametrize("machine", MACHINES, ids=in_words)
def test_gradients_of_machines_are_those_of_their_values(machine):
    """Central differences: errors of order step^2, and rounding over the step."""
    step = 1e-5
    f, spare = machine.bind(), np.empty(machine.parameters)
    for seed in range(3):
        s, w, gradient = random_point(machine, seed)
        scale = max(1.0, abs(f(s, w, gradient)), abs(gradient).max())
        for i in range(machine.parameters):
            shift = np.eye(machine.parameters)[i] * step
            slope = (f(s, w + shift, spare) - f(s, w - shift, spare)) / (2 * step)
            assert slope == pytest.approx(gradient[i], abs=1e-8 * scale)


@pytest.mark.parametrize("machine", MACHINES, ids=in_words)
def test_machines_learn_their_targets(machine):
    """From close by with a small rate, the exact or measured error falls."""
    rng = np.random.default_rng(1)
    target = rng.standard_normal(machine.parameters)
    start = target + 0.3 * rng.standard_normal((50, machine.parameters))
    run = rb.simulate_machine(
        machine,
        rb.schedules.Power(20.0, 1.0, 500.0),
        target,
        examples=[0, 10_000],
        replicas=50,
        start=start,
        tests=2000,
    )
    before, after = run.error.values.T
    assert (after < before).mean() > 0.9
    assert np.median(after) < 0.2 * np.median(before)


@pytest.mark.parametrize("machine", MACHINES, ids=in_words)
def test_exact_errors_of_machines_are_measured_ones(machine):
    """50000 inputs: 5 standard errors of a fraction."""
    rng = np.random.default_rng(2)
    stream = rb.streams.Normal(machine.inputs)
    target = rng.standard_normal(machine.parameters)
    weights = target + 0.5 * rng.standard_normal((3, machine.parameters))
    exact = machine.error(weights, target, stream)
    if exact is None:
        pytest.skip("not known exactly")
    f, spare = compiled(machine), np.empty(machine.parameters)
    S = rng.standard_normal((50_000, machine.inputs))
    signs = [np.array([f(s, w, spare) > 0 for s in S]) for w in (target, *weights)]
    for row, found in zip(exact, signs[1:], strict=True):
        spread = np.sqrt(row * (1 - row) / len(S))
        assert abs((found != signs[0]).mean() - row) < 5 * spread
