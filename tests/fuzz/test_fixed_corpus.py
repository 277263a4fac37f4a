"""A fixed corpus of hostile inputs, and longer runs with ``make slow``."""

import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.session import opened

FEW, MANY = 20, 1000  # cases of each format


def faults(name, folder, seed, cases):
    """Return the faults of that many cases, and check that some inputs are refused."""
    with opened(name, FORMATS[name], seed, folder) as session:
        counts, found = session.many(cases)
    assert counts.total() == cases
    assert counts["refused"] > 0
    return found


@pytest.mark.parametrize("name", list(FORMATS))
def test_hostile_inputs_of_the_fixed_corpus_are_accepted_or_refused(name, tmp_path):
    assert faults(name, tmp_path, 0, FEW) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FORMATS))
def test_many_hostile_inputs_are_accepted_or_refused(name, tmp_path):
    assert faults(name, tmp_path, 1, MANY) == {}
