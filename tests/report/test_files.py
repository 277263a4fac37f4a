import json
import math

from rosenblatt.papers.claims import Claim, Kind, Measurement
from rosenblatt.papers.verdicts import settle
from rosenblatt.report import files


def outcome(value, stderr, **changes):
    claim = Claim(
        id="minsky1969/x",
        where="here",
        statement="x is 1",
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
        "published": None,
        "expected": 1.0,
        "measured": 1.001,
        "stderr": 0.001,
        "kind": "reproduction",
        "verdict": "reproduced",
        "reason": "as expected (+0.001, +1.0 standard errors)",
    }


def test_a_regression_check_says_so_beside_its_verdict():
    check = outcome(1.001, 0.001, kind=Kind.REGRESSION)
    (row,) = json.loads(files.claims_json([check]))
    assert (row["kind"], row["verdict"]) == ("regression", "reproduced")


def test_what_json_does_not_know_becomes_null():
    (row,) = json.loads(files.claims_json([outcome(math.nan, math.inf)]))
    assert row["measured"] is None
    assert row["stderr"] is None
    assert row["verdict"] == "not reproduced"
