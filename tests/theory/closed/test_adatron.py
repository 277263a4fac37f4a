import pytest

from rosenblatt.theory.closed import adatron


def test_the_segment_joins_its_series():
    below, above = (adatron.drift(a, 1.0)[1] for a in (0.25 - 1e-9, 0.25 + 1e-9))
    assert below == pytest.approx(above, rel=1e-7)
