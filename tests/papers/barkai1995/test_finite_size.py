import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995.section_2 import RULE, expansion


def one_step(overlap, rate, dim, samples, rng):
    """Draw changes of R by one example, from the input vectors themselves."""
    w = np.zeros(dim)
    w[:2] = overlap, math.sqrt(1 - overlap**2)
    x = rng.standard_normal((samples, dim))
    label = np.sign(x[:, 0])
    wrong = label * (x @ w) <= 0
    moved = w + (rate / dim * wrong * label)[:, None] * x
    return moved[:, 0] / np.linalg.norm(moved, axis=1) - overlap


@pytest.mark.parametrize(("rate", "overlap"), [(1.0, 0.3), (3.0, 0.6)])
def test_one_step_has_the_mean_and_the_variance_of_the_expansion(rate, overlap):
    dim, samples = 50, 200_000
    change = one_step(overlap, rate, dim, samples, np.random.default_rng(1))
    after = expansion(rate, overlap, [1 / dim])  # what one example takes
    mean, second = after.overlap[0] - overlap, after.shift[0] / dim
    error = change.std() / math.sqrt(samples)
    # the order after the second is smaller by about rate^2/N, 0.2 at most
    assert abs(change.mean() - mean - second) < 5 * error + 0.2 * abs(second)
    # the sampling error of a variance is some 1/sqrt(samples); the next order 1/N
    assert change.var() == pytest.approx(after.variance[0] / dim, rel=2 * rate / dim)


@pytest.mark.parametrize(
    ("rate", "time", "dim", "replicas"), [(1.0, 10.0, 10, 10_000), (4.0, 3.0, 40, 4000)]
)
def test_many_steps_have_them_too(rate, time, dim, replicas):
    run = rb.simulate(
        RULE,
        rb.schedules.Constant(rate),
        dim=dim,
        alpha=time,
        replicas=replicas,
        seed=3,
        start=rb.starts.Overlap(0.0),
        progress=False,
    )["overlap"].values[:, 0]
    (overlap,), (variance,), (shift,) = expansion(rate, 0.0, [time])
    error = run.std() / math.sqrt(replicas)
    off = run.mean() - overlap
    # the next order in 1/N is up to twice the first; this catches half of it
    allowed = 5 * error + 2 * abs(shift) / dim**2
    assert abs(off - shift / dim) < allowed < 0.5 * abs(shift) / dim
    sampling = 5 * np.std((run - run.mean()) ** 2) / math.sqrt(replicas)
    assert abs(run.var() - variance / dim) < sampling + 2 * variance / dim**2


def test_a_sharp_start_stays_sharp_at_time_zero():
    law = expansion(1.0, 0.4, [1e-9])
    assert law.overlap[0] == pytest.approx(0.4)
    assert abs(law.variance[0]) < 1e-8
    assert abs(law.shift[0]) < 1e-8
