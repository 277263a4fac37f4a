import math

import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995.section_2 import RULE, schedule, spread2


@pytest.mark.parametrize("scale", [1.5, 3.0])
def test_the_spread_at_finite_size_is_that_of_simulations(scale):
    dim, replicas = 200, 1500
    run = rb.simulate(
        RULE,
        schedule(scale),
        dim=dim,
        alpha=1e4 if scale > 2 else 1e6,  # the start is forgotten as alpha^(1 - eta0)
        replicas=replicas,
        seed=11,
        progress=False,
    )
    errors = run["error"].values[:, 0]
    found = dim * errors.var() / errors.mean() ** 2
    # sampling error of a variance, and the next order in 1/N; catches 21%
    allowed = spread2(scale) * (5 * math.sqrt(2 / replicas) + 5 / dim)
    assert abs(found - spread2(scale)) < allowed
