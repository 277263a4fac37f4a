"""Claims of the paper refuse numbers that other readings of it give."""

from dataclasses import replace

import pytest

from rosenblatt.papers import barkai1995
from rosenblatt.papers.verdicts import Verdict, settle

CLAIMS = {claim.id.partition("/")[2]: claim for claim in barkai1995.CLAIMS}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("eq14/r-noise", 0.04),  # with the factor 1 - 2p of eq. (8)
        ("eq14/q-noise", 0.04),
        ("eq16/exponent", 0.2877),  # that between alpha = 300 and 1000
        ("eq16/fast-from-0.5", 0.1),  # that it converges to p
        ("eq16/fast-from-0.9", 0.1),
        ("inputs/exponential", 0.625),  # that of batch learning
        ("inputs/uniform-noise", 0.0),
        ("inputs/exponential-noise", 0.0),
        ("special/parallel", 0.1),  # p alone, which no run reaches
        ("balanced/convergence", -0.25),
        ("balanced/regular-limit", 0.0),  # that it finds the teacher
    ],
)
def test_a_wrong_number_is_rejected(name, wrong, settled):
    claim, found = CLAIMS[name], settled(CLAIMS[name])
    assert found.verdict is Verdict.REPRODUCED
    other = replace(
        claim,
        expected=wrong,
        published=None,
        catches=10.0,  # the window alone decides
        measure=lambda quick: found.measured,
    )
    assert settle(other, quick=True).verdict is Verdict.NOT_REPRODUCED
