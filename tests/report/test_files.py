import json
import math

import pytest

from rosenblatt.papers.claims import Claim, Kind, Measurement, settle
from rosenblatt.report import results as files


def outcome(value, stderr, **changes):
    claim = Claim(
        id="minsky1969/x",
        where="here",
        statement="x is 1",
        quote="x = 1",
        published=None,
        expected=1.0,
        measure=lambda quick: Measurement(value, stderr),
        **changes,
    )
    return settle(claim, quick=True)


def test_claims_have_the_promised_fields():
    (row,) = json.loads(files.claims_json([outcome(1.001, 0.001)]))
    assert row.pop("seconds") >= 0
    assert row == {
        "id": "minsky1969/x",
        "paper": "minsky1969",
        "where": "here",
        "statement": "x is 1",
        "quote": "x = 1",
        "evidence": "",
        "published": None,
        "printed_formula_gives": None,
        "expected": 1.0,
        "measured": 1.001,
        "stderr": 0.001,
        "window": pytest.approx([0.995, 1.005]),
        "kind": "claim",
        "verdict": "reproduced",
        "reason": "as expected (+0.001, +1.0 standard errors)",
        "known_reason": "",
    }


def test_a_bound_has_one_end_and_an_extension_says_so():
    bound = outcome(1.2, 0.001, kind=Kind.EXTENSION, side=1)
    (row,) = json.loads(files.claims_json([bound]))
    assert row["window"] == [pytest.approx(1.005), None]
    assert (row["kind"], row["verdict"]) == ("extension", "reproduced")


def test_what_json_does_not_know_becomes_null():
    (row,) = json.loads(files.claims_json([outcome(math.nan, math.inf)]))
    assert row["measured"] is None
    assert row["stderr"] is None
    assert row["verdict"] == "not reproduced"
