import numpy as np

from rosenblatt.papers.seung2002 import online


def test_exact_curves_of_schedules_lie_between_gaps_in_one_series():
    *points, lines = online.figure_schedules(quick=True).series
    count = len(points[0].x)
    assert len(points) == 5
    assert np.isnan(lines.y).nonzero()[0].tolist() == [
        (count + 1) * k - 1 for k in range(1, 6)
    ]
    assert lines.x[:count] == points[0].x
