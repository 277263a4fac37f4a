from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from rosenblatt.papers.barkai1995 import section_4, section_4_plane
from rosenblatt.papers.barkai1995.harmonic import Harmonic
from rosenblatt.papers.verdicts import Verdict, settle

CLAIMS = (*section_4.CLAIMS, *section_4_plane.CLAIMS)


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


def test_the_law_of_another_schedule_would_be_noticed():
    law = next(claim for claim in CLAIMS if claim.id == "barkai1995/eq24/law")
    x, right = section_4.at_constant_rate(True), law.measure(True)
    # the largest distance is that of scipy
    triangle = stats.triang(0.5, loc=-1, scale=2)
    assert right.value == pytest.approx(stats.kstest(x, triangle.cdf).statistic)
    other = stats.kstest(x, Harmonic(section_4.SCALE).distribution).statistic
    assert other > law.expected(True) + law.tolerance * right.stderr


def test_kurtosis_has_the_error_of_its_spread():
    rng = np.random.default_rng(1)
    found = [section_4.kurtosis(rng.uniform(-1, 1, 500)) for _ in range(1000)]
    # a uniform law has 9/5; the spread of 1000 has an error of 2.2%
    off = np.array([(f.value - 1.8) / f.stderr for f in found])
    assert abs(off.std() - 1) < 5 / np.sqrt(2000) + 0.02
