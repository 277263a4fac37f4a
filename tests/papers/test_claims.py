import math

import pytest

from rosenblatt.papers.claims import Erratum, Evidence, Kind, Measurement
from tests.papers.examples import claim


def erratum(**changes):
    one, two = Measurement(1.0, 0.0), Measurement(2.0, 0.0)
    fields = {
        "id": "rosenblatt1958/erratum/x",
        "where": "here",
        "printed": "x is 2",
        "corrected": "x is 1",
        "evidence": lambda quick: Evidence("x", two, one, one),
    }
    return Erratum(**(fields | changes))


@pytest.mark.parametrize("make", [claim, erratum])
@pytest.mark.parametrize(
    "name", ["", "x", "rosenblatt1958", "Rosenblatt1958/x", "a1958/"]
)
def test_ids_have_a_key_and_a_name(make, name):
    with pytest.raises(ValueError, match="id must be"):
        make(id=name)


def test_the_paper_is_the_first_part_of_the_id():
    assert claim().paper == erratum().paper == "rosenblatt1958"


@pytest.mark.parametrize("make", [claim, erratum])
@pytest.mark.parametrize("tolerance", [0, -1, 5.1, math.inf, math.nan])
def test_no_claim_can_choose_a_tolerance_that_is_wide(make, tolerance):
    with pytest.raises(ValueError, match="tolerance"):
        make(tolerance=tolerance)


@pytest.mark.parametrize("make", [claim, erratum])
@pytest.mark.parametrize("allowance", [-1, math.inf, math.nan])
def test_allowances_are_numbers(make, allowance):
    with pytest.raises(ValueError, match="allowance"):
        make(allowance=allowance, because="why not")


@pytest.mark.parametrize("make", [claim, erratum])
def test_an_allowance_needs_a_reason(make):
    with pytest.raises(ValueError, match="because"):
        make(allowance=0.1)
    assert make(allowance=0.1, because="of the next order").allowance == 0.1


@pytest.mark.parametrize("rounding", [-1, math.inf, math.nan])
def test_rounding_is_a_number(rounding):
    with pytest.raises(ValueError, match="rounding"):
        claim(rounding=rounding)


@pytest.mark.parametrize("catches", [0, -1, math.inf, math.nan])
def test_a_claim_must_catch_something(catches):
    with pytest.raises(ValueError, match="catches"):
        claim(catches=catches)


def test_a_regression_check_publishes_nothing():
    with pytest.raises(ValueError, match="published must be None in a regression"):
        claim(kind=Kind.REGRESSION)
    assert claim(kind=Kind.REGRESSION, published=None).kind is Kind.REGRESSION


def test_claims_and_errata_are_reproductions_unless_said_otherwise():
    assert claim().kind is erratum().kind is Kind.REPRODUCTION


@pytest.mark.parametrize(
    ("value", "stderr", "sound"),
    [
        (1.0, 0.0, True),
        (-1.0, 2.0, True),
        (math.nan, 0.1, False),
        (math.inf, 0.1, False),
        (1.0, math.nan, False),
        (1.0, math.inf, False),
        (1.0, -0.1, False),
    ],
)
def test_a_measurement_is_sound_if_it_is_finite(value, stderr, sound):
    assert Measurement(value, stderr).sound is sound
