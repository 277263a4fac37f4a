import numpy as np
import pytest
from scipy import stats

from rosenblatt.papers.barkai1995 import section_4, section_4_plane
from rosenblatt.papers.barkai1995.harmonic import Harmonic

CLAIMS = (*section_4.CLAIMS, *section_4_plane.CLAIMS)


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
