import functools
from dataclasses import replace

import pytest

from rosenblatt.papers.claims import Evidence
from rosenblatt.papers.verdicts import settle


@pytest.fixture(scope="session")
def settled():
    """Settle each claim once, in quick mode."""
    return functools.cache(lambda item: settle(item, quick=True))


@pytest.fixture(scope="session")
def misjudged(settled):
    """Settle a claim as if twice what it says to catch were wrong."""

    def settle_wrong(claim):
        outcome = settled(claim)
        catches = claim.catches or 0.1 * abs(outcome.expected.value)
        wrong = replace(
            claim,
            expected=outcome.expected.value + 2 * catches,
            published=None,
            measure=lambda quick: outcome.measured,
        )
        return settle(wrong, quick=True)

    return settle_wrong


@pytest.fixture(scope="session")
def acquitted(settled):
    """Settle an erratum as if the measurement had found what is printed."""

    def settle_right(erratum):
        outcome = settled(erratum)
        evidence = Evidence("x", outcome.published, outcome.expected, outcome.published)
        return settle(replace(erratum, evidence=lambda quick: evidence), quick=True)

    return settle_right
