import itertools
import math
import subprocess
import sys

import pytest

from rosenblatt.core.figures import TableData
from rosenblatt.papers.claims import (
    Claim,
    Kind,
    Measurement,
    Paper,
    Verdict,
    judge,
    settle,
)

REPRODUCED, ERRATUM, NOT = Verdict


def claim(measure, **changes):
    given = {"published": 1.0, "expected": 1.0, "quote": "x is 1"} | changes
    return Claim(
        id="rosenblatt1958/x",
        where="here",
        statement="x is 1",
        measure=measure,
        **given,
    )


def verdict(measured, stderr, expected, published, **options):
    given = None if published is None else Measurement(published)
    fields = {"catches": 1.0} | options
    found = judge(Measurement(measured, stderr), Measurement(expected), given, **fields)
    return found[0]


EXACT = 4 / math.pi
LOOSE = {"allowance": 0.1}
ROUNDED = {"rounding": 0.005}


@pytest.mark.parametrize(
    ("measured", "stderr", "expected", "published", "options", "wanted"),
    [
        (1.04, 0.01, 1.0, 1.0, {}, REPRODUCED),
        (1.06, 0.01, 1.0, 1.0, {}, NOT),  # 6 standard errors from both
        (1.04, 0.01, 1.0, None, {}, REPRODUCED),
        (1.06, 0.01, 1.0, None, {}, NOT),
        (1.0, 0.01, 1.0, 2.0, {}, ERRATUM),
        (2.0, 0.01, 1.0, 2.0, {}, NOT),  # the paper is right and we are wrong
        (1.5, 0.01, 1.0, 2.0, {}, NOT),
        (1.0, 0.1, 1.0, 1.3, {}, NOT),  # cannot tell the two
        (1.0, 0.0, 1.0, 1.0, {}, REPRODUCED),
        (1.0 + 1e-15, 0.0, 1.0, 1.0, {}, NOT),  # exact numbers must be exact
        (1.0, -0.01, 1.0, 1.0, {}, NOT),
        # a rounded number is not an erratum
        (EXACT, 0.0, EXACT, 1.27, ROUNDED, REPRODUCED),
        (EXACT, 0.0, EXACT, 1.27, {}, ERRATUM),
        (EXACT, 0.0, EXACT, 1.28, ROUNDED, ERRATUM),
        # an erratum needs published and expected to differ: here they are at the ends
        (1.1, 0.0, 1.0, 0.9, LOOSE, NOT),
        (1.0, 0.0, 1.0, 0.9, LOOSE, REPRODUCED),
        # what is too noisy to catch anything does not pass
        (1.0, 0.1, 1.0, 1.0, {"catches": 0.51}, REPRODUCED),
        (1.0, 0.1, 1.0, 1.0, {"catches": 0.49}, NOT),
        (1.0, 0.0, 1.0, 1.0, {"catches": 0.49, "allowance": 0.5}, NOT),
    ],
)
def test_verdicts(measured, stderr, expected, published, options, wanted):
    assert verdict(measured, stderr, expected, published, **options) is wanted


def test_the_window_is_five_standard_errors_plus_allowance():
    for off, wanted in ((0.0599, REPRODUCED), (0.0601, NOT)):
        measured, reason = (1 + off, 0.01), {"because": "of rounding"}
        found = claim(lambda quick, m=measured: m, allowance=0.01, **reason)
        outcome = settle(found, quick=True)
        assert outcome.verdict is wanted
        assert outcome.window == pytest.approx((0.94, 1.06))


def test_standard_errors_of_both_sides_count():
    for off, wanted in ((0.249, REPRODUCED), (0.251, NOT)):
        both = Measurement(1.0, 0.03), Measurement(1.0 + off, 0.04)
        assert judge(*both, catches=1.0)[0] is wanted


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(("off", "holds"), [(0.051, True), (0.049, False)])
def test_a_bound_is_passed_by_five_standard_errors_only(side, off, holds):
    """On the right side of it; on the wrong one nothing passes."""
    bound = {"expected": 0.5, "published": None, "side": side}
    found = settle(claim(lambda quick: (0.5 + side * off, 0.01), **bound), quick=True)
    assert (found.verdict is REPRODUCED) is holds
    assert math.isinf(found.window[side > 0])
    assert found.window[side < 0] == pytest.approx(0.5 + side * 0.05)
    assert verdict(0.5 - side * off, 0.01, 0.5, None, side=side) is NOT


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["measured", "stderr", "expected", "published"])
@pytest.mark.parametrize("options", [{}, {"allowance": 0.5}, {"side": 1}, {"side": -1}])
def test_no_number_that_is_not_finite_passes(bad, field, options):
    numbers = {"measured": 1.0, "stderr": 0.01, "expected": 1.0, "published": 1.0}
    numbers[field] = bad
    assert verdict(**numbers, **options) is NOT


def test_each_verdict_means_what_it_says_whatever_the_numbers():
    values = [0.0, 0.3, 0.6, 1.2]
    for m, e, p in itertools.product(values, values, values):
        found = verdict(m, 0.1, e, p, rounding=0.35, catches=0.6)
        as_expected = abs(m - e) <= 0.5
        as_published = abs(m - p) <= 0.85
        agreed = abs(e - p) <= 0.35
        if found is REPRODUCED:
            assert as_expected
            assert as_published
            assert agreed
        if found is ERRATUM:
            assert as_expected
            assert not as_published
            assert not agreed
        if not as_expected:
            assert found is NOT


def fails(quick):
    raise RuntimeError("out of luck")


@pytest.mark.parametrize("broken", [{"measure": fails}, {"expected": fails}])
def test_what_raises_is_not_reproduced_and_says_why(broken):
    given = {"measure": lambda quick: 1.0} | broken
    outcome = settle(claim(**given), quick=True)
    assert outcome.verdict is NOT
    assert outcome.reason == "RuntimeError: out of luck"
    assert (outcome.measured, outcome.window) == (None, None)


ZERO = {"expected": 0.0, "published": None}


@pytest.mark.parametrize(
    ("changes", "measured", "wanted"),
    [
        ({}, (1.0, 0.019), REPRODUCED),  # a tenth must be caught
        ({}, (1.0, 0.021), NOT),
        (ZERO, (0.0, 0.01), NOT),  # of nothing: it must say what it catches
        (ZERO | {"catches": 0.1}, (0.0, 0.01), REPRODUCED),
        *(({}, nothing, NOT) for nothing in (None, "x", ())),
        # it says that the paper is right, which it is not
        ({"published": 2.0, "kind": Kind.CLAIM}, 1.0, NOT),
        ({"published": 2.0, "kind": Kind.ERROR}, 1.0, ERRATUM),
        ({"published": 2.0, "kind": Kind.WORDING}, 1.0, ERRATUM),
        ({"published": 2.0, "kind": Kind.ERROR}, 2.0, NOT),  # the paper is right
        ({"published": 2.0, "kind": Kind.ERROR}, 1.5, NOT),  # neither is
    ],
)
def test_claims_and_errata_stand_if_they_are_right(changes, measured, wanted):
    found = claim(lambda quick: measured, **changes)
    assert settle(found, quick=True).verdict is wanted


def test_an_erratum_whose_printed_form_is_right_does_not_stand():
    found = settle(claim(lambda quick: 1.0, kind=Kind.ERROR), quick=True)
    assert found.verdict is NOT
    assert "cannot be told" in found.reason


@pytest.mark.parametrize("measured", [1.0, 2.0])
def test_what_the_ledger_does_not_expect_is_a_surprise(measured):
    """Also that something is reproduced which it says is not."""
    for fails, surprising in (("", measured == 2.0), ("one run", measured == 1.0)):
        found = claim(lambda quick: measured, fails=fails)
        assert settle(found, quick=True).surprising == surprising


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "x"}, "id must be like"),
        ({"allowance": 1.0}, "because must give the reason"),
        ({"allowance": math.nan}, "allowance must be finite"),
        ({"rounding": -1.0}, "rounding must be finite"),
        ({"catches": 0.0}, "catches must be finite and > 0"),
        ({"side": 2}, "side must be"),
        ({"quote": "word " * 16}, "quote must have at most 15 words"),
        ({"kind": Kind.ERROR}, "must have published or formula"),
    ],
)
def test_a_claim_checks_its_fields(changes, message):
    given = {"id": "rosenblatt1958/x", "where": "", "statement": "", "expected": 1.0}
    with pytest.raises(ValueError, match=message):
        Claim(**(given | {"measure": lambda quick: 1.0} | changes))


@pytest.fixture
def paper():
    return Paper(key="rosenblatt1958", citation="F. Rosenblatt")


RATE = 0.25  # filled into a docstring


def test_a_statement_registers_itself_with_all_its_cases(paper):
    @paper.claim(
        "error/{rule}-{n:g}",
        "section {n:g}",
        quote="small errors",
        formula=lambda n: n,
        expect=lambda quick, rule: 1.0 + quick,
        catches=lambda n: 10.0 * n,
        allow=(lambda n: n / 100, "it is a limit"),
        each={"rule": ("hebb", "perceptron"), "n": (1, 2)},
    )
    def _error(quick, n):
        """Error of {rule} at n = {n:g},
        rate {RATE:g}.

        Only the first paragraph is the statement.
        """
        return n + quick, 0.1

    assert [one.id.removeprefix("rosenblatt1958/error/") for one in paper.claims] == [
        *("hebb-1", "hebb-2", "perceptron-1", "perceptron-2")
    ]
    last = paper.claims[-1]
    assert last.statement == "Error of perceptron at n = 2, rate 0.25."
    assert (last.where, last.catches, last.allowance) == ("section 2", 20.0, 0.02)
    assert (last.kind, last.quote, last.evidence) == (Kind.CLAIM, "small errors", "")
    outcome = settle(last, quick=True)
    assert outcome.formula.value == 2
    assert outcome.expected.value == 2.0
    assert outcome.measured == Measurement(3.0, 0.1)
    assert last.measure.__module__ == __name__  # results are stored by sources
    assert _error(False, 1) == (1, 0.1)  # the function stays what it is


def test_cases_may_be_tuples_of_several_values(paper):
    @paper.claim("x/{a}", "here", expect=0.0, each={"a,b": [(1, 2), (3, 4)], "c": "d"})
    def _x(a, b):
        """The number {b}{c}."""
        return a + b

    statements = [one.statement for one in paper.claims]
    assert statements == ["The number 2d.", "The number 4d."]
    assert {one.kind for one in paper.claims} == {Kind.EXTENSION}  # nothing is quoted


def test_errata_have_a_kind_a_correct_form_and_the_evidence(paper):
    @paper.erratum(
        "sum", "eq. (1)", quote="1 + 1 = 3", kind=Kind.MISPRINT, formula=3, expect=2
    )
    def _sum():
        """1 + 1 = 2.

        One and one.
        """
        return 1 + 1

    (made,) = paper.errata
    assert paper.claims == []
    assert (made.id, made.kind) == ("rosenblatt1958/erratum/sum", Kind.MISPRINT)
    assert (made.statement, made.evidence) == ("1 + 1 = 2.", "One and one.")
    assert settle(made, quick=True).verdict is ERRATUM


def test_bounds_and_published_numbers_stand_for_what_is_expected(paper):
    for name, given in {
        "above": {"above": 0.5},
        "below": {"below": 0.5},
        "published": {"published": 0.5},
        "formula": {"formula": lambda: 0.5},
    }.items():

        @paper.claim(name, "here", **given)
        def _one(name=name):
            """A number."""
            return {"above": 0.6, "below": 0.4}.get(name, 0.5)

    found = [settle(one, quick=True) for one in paper.claims]
    assert [one.verdict for one in found] == [REPRODUCED] * 4
    assert [one.expected.value for one in found] == [0.5] * 4
    with pytest.raises(ValueError, match="must have expect, above, below or published"):
        paper.claim("nothing", "here")


def test_ids_differ_and_functions_have_docstrings(paper):
    @paper.table("x", "here")
    def _table(*, quick):
        return TableData("Units", "None.", ("unit",), ())

    with pytest.raises(ValueError, match="ids must differ"):

        @paper.claim("x", "here", expect=1)
        def _x():
            """One."""
            return 1

    with pytest.raises(ValueError, match="must have a docstring"):

        @paper.claim("y", "here", expect=1)
        def _y():
            return 1

    assert paper.items() == (_table,)
    assert _table(quick=True).title == "Units"


def test_papers_can_be_imported_without_docstrings():
    code = "from rosenblatt.papers import winther1997 as w; print(len(w.PAPER.claims))"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 20
