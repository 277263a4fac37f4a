from dataclasses import replace

import pytest

from rosenblatt.papers.barkai1995.section_3_rates import (
    CLAIMS,
    NOISE,
    PRINTED,
    asymptote,
    best,
)
from rosenblatt.papers.verdicts import Verdict, settle


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, settled):
    outcome = settled(claim)
    catches = claim.catches or 0.1 * abs(outcome.expected.value)
    off = replace(
        claim,
        expected=outcome.expected.value + 2 * catches,
        published=None,
        measure=lambda quick: outcome.measured,
    )
    assert settle(off, quick=True).verdict is Verdict.NOT_REPRODUCED


def test_eq18_is_right_with_t_learned_and_not_with_t_known():
    assert asymptote(True, 2.0) == pytest.approx(PRINTED, rel=1e-3)
    assert asymptote(False, 2.0) == pytest.approx((1 - 2 * NOISE) * PRINTED, rel=1e-3)


def test_the_best_scale_is_larger_with_t_learned():
    scale = best(True).value
    assert scale > best(False).value + 0.4
    # and it is better, by what the theory says for it: at 2 and 4 it is worse
    assert asymptote(True, 2.46) < min(asymptote(True, 2.0), asymptote(True, 4.0))
