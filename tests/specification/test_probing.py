import math

import numpy as np
import pytest

from rosenblatt.core import Machine
from rosenblatt.machines import Ball, Smooth
from rosenblatt.numerics.random import uniform
from rosenblatt.specification.parts import probe, probe_stream
from rosenblatt.streams import Normal, Sampled


def line(s, w):
    return s[0] * w[0] + w[1]


def slopes(s, w, out):
    out[0] = s[0]
    out[1] = 1.0


def beyond(s, w):
    return s[0] * w[0] + w[2]


def beyond_slopes(s, w, out):
    out[0] = s[0]
    out[2] = 1.0


def forgetful(s, w, out):
    out[0] = s[0]


def adding(s, w, out):
    out[0] = s[0]
    out[1] += 1.0


class Row(Machine):
    inputs = parameters = 1

    def bind(self):
        def row(s, w, out):
            out[0] = s[0]
            return s * w

        return row


def not_a_number(s, w, out):
    out[0] = math.nan
    out[1] = 1.0


@pytest.mark.parametrize("gradient", [slopes, not_a_number])
def test_what_writes_its_gradient_passes(gradient):
    start = np.ones(2)
    for machine in (Smooth(line, gradient, 1, 2), Ball()):
        probe(machine, start)
        np.testing.assert_array_equal(start, 1)


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        (Smooth(beyond, slopes, 1, 2), "not there, of its 1 inputs or 2 parameters"),
        (Smooth(line, beyond_slopes, 1, 2), "uses an entry that is not there"),
        (Smooth(line, forgetful, 1, 2), "leaves entry 1 of its gradient as it was"),
        (Smooth(line, adding, 1, 2), "leaves entry 1 .* or adds to it; all 2 must be"),
        (Row(), "must return one number, got "),
    ],
)
def test_reading_and_writing_elsewhere_is_refused(machine, message):
    with pytest.raises(ValueError, match=message):
        probe(machine, np.ones(machine.parameters))


def pair(rng, s):
    s[0] = uniform(rng)
    s[1] = 0.0


def three(rng, s):
    s[0] = s[1] = s[2] = uniform(rng)


def one(rng, s):
    s[0] = uniform(rng)


def test_streams_fill_their_inputs():
    probe_stream(Sampled(2, pair))
    probe_stream(Normal(2))
    with pytest.raises(ValueError, match="uses a component that is not there, of 2"):
        probe_stream(Sampled(2, three))
    with pytest.raises(ValueError, match="leaves component 1 of an input as it was"):
        probe_stream(Sampled(2, one))


def test_a_gradient_that_is_not_that_of_f_is_pointed_out():
    def half(s, w, out):
        out[0] = 0.5 * s[0]
        out[1] = 1.0

    with pytest.warns(UserWarning, match="entry 0 of the gradient is .* slope of f is"):
        probe(Smooth(line, half, 1, 2), np.array([1.0, 2.0]))
    probe(Smooth(line, slopes, 1, 2), np.array([1.0, 2.0]))
