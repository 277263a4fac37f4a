import math

import numpy as np
import pytest

from rosenblatt.numerics.evidence import evidence
from rosenblatt.numerics.evidence_table import ACCURACY, REACH, tabulated


@pytest.mark.parametrize("noise", [0.0, 1e-12, 0.001, 0.1, 0.4])
def test_the_table_is_as_accurate_as_it_says(noise):
    # between and at the ends of cells, up to the end of the table
    for u in np.linspace(-REACH, REACH, 4099)[1:-1]:
        wanted = evidence(u, 1.0, 1.0, noise)
        chance, factor = tabulated(u, noise)
        assert chance == pytest.approx(math.exp(wanted.log_probability), rel=ACCURACY)
        assert factor == pytest.approx(wanted.slope, rel=ACCURACY)


def test_a_cell_ends_where_the_next_begins():
    ends = np.arange(1, 128) / 16
    for end in ends:
        below, above = tabulated(-end * (1 - 1e-12), 0.0), tabulated(-end, 0.0)
        assert np.allclose(below, above, rtol=1e-9, atol=0)
