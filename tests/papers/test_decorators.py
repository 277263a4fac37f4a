import subprocess
import sys

import pytest

from rosenblatt.papers import decorators, seung2002
from rosenblatt.papers.claims import Erratum, Evidence, Kind, Measurement
from rosenblatt.papers.decorators import allow, claim, erratum, expect, fill
from rosenblatt.papers.verdicts import Verdict, settle

ONE = Measurement(1.0, 0.0)


def test_decorators_give_a_claim_all_its_fields():
    def measure(quick):
        """A statement
        in two lines.

        A note.
        """
        return ONE

    paper = {"published": 1.0, "rounding": 0.1, "kind": Kind.REPRODUCTION}
    window = {"expected": 1.0, "catches": 0.5, "tolerance": 2.0}
    allowed = {"allowance": 0.2, "because": "why not"}
    made = expect(**window)(allow(**allowed)(measure))
    assert vars(claim("rosenblatt1958/x", "here", **paper)(made)) == {
        "id": "rosenblatt1958/x",
        "where": "here",
        "statement": "A statement in two lines.",
        "measure": measure,
        **paper,
        **window,
        **allowed,
    }


def test_the_order_of_expect_and_allow_does_not_matter():
    def measure(quick):
        """One."""
        return ONE

    expected, allowed = expect(1.0), allow(0.1, "of rounding")
    make = claim("rosenblatt1958/x", "here")
    assert make(expected(allowed(measure))) == make(allowed(expected(measure)))


def test_placeholders_are_filled():
    @claim("rosenblatt1958/x", "here")
    @expect(1.0)
    @fill(rate=0.5, name="Hebb")
    def measure(quick):
        """The error of {name} at {rate:g}."""
        return ONE

    assert measure.statement == "The error of Hebb at 0.5."


def test_braces_need_no_care_where_nothing_is_filled():
    @claim("rosenblatt1958/x", "here")
    @expect(1.0)
    def measure(quick):
        """The set {1, 2}."""
        return ONE

    assert measure.statement == "The set {1, 2}."


@pytest.mark.parametrize(
    ("found", "verdict"), [(0, Verdict.REPRODUCED), (1, Verdict.NOT_REPRODUCED)]
)
def test_a_single_exception_is_one_too_many(found, verdict):
    @claim("rosenblatt1958/never", "here")
    @decorators.no_exceptions
    def never(quick):
        """It never happens: exceptions."""
        return Measurement(float(found), 0.0)

    assert settle(never, quick=True).verdict is verdict


def test_an_erratum_says_what_is_printed_and_what_is_correct():
    @erratum("rosenblatt1958/erratum/x", "here")
    @allow(0.1, "of rounding")
    def evidence(quick):
        """Printed: x is
        2.

        Correct: x is 1.

        A note.
        """
        return Evidence("x", Measurement(2.0, 0.0), ONE, ONE)

    assert isinstance(evidence, Erratum)
    assert (evidence.printed, evidence.corrected) == ("x is 2", "x is 1")
    assert evidence.allowance == 0.1
    assert settle(evidence, quick=True).verdict is Verdict.ERRATUM


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("Printed: x.", "Correct"),
        ("Printed: x.\n\nWrong: y.", "Correct"),
        ("It says x.\n\nCorrect: y.", "Printed"),
    ],
)
def test_an_erratum_that_does_not_say_both_is_refused(said, missing):
    def evidence(quick):
        return None

    evidence.__doc__ = said
    with pytest.raises(ValueError, match=f"paragraph must begin with '{missing}: '"):
        erratum("rosenblatt1958/erratum/x", "here")(evidence)


def test_a_claim_without_a_statement_is_refused():
    def measure(quick):
        return ONE

    with pytest.raises(ValueError, match="measure must have a docstring"):
        claim("rosenblatt1958/x", "here")(expect(1.0)(measure))


def test_papers_do_without_docstrings():
    """They have no words then, and the same numbers."""
    script = "from rosenblatt.papers import seung2002; print(len(seung2002.CLAIMS))"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", script], capture_output=True, text=True
    )
    assert done.stdout.strip() == str(len(seung2002.CLAIMS)), done.stderr
