"""A fixed corpus of hostile inputs, and longer runs with ``make slow``."""

import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.session import opened

SLOW = pytest.param(1, 1000, marks=pytest.mark.slow)


@pytest.mark.parametrize(("seed", "cases"), [(0, 20), SLOW])
@pytest.mark.parametrize("name", list(FORMATS))
def test_hostile_inputs_are_accepted_or_refused(name, seed, cases, tmp_path):
    with opened(name, FORMATS[name], seed, tmp_path) as session:
        counts, faults = session.many(cases)
    assert faults == {}
    assert counts.total() == cases
    assert counts["refused"] > 0
