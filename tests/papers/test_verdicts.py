import itertools
import math

import pytest

from rosenblatt.papers.claims import Erratum, Evidence, Measurement
from rosenblatt.papers.verdicts import Verdict, judge, settle
from tests.papers.examples import claim

REPRODUCED, ERRATUM, NOT = Verdict


def verdict(measured, stderr, expected, published, **options):
    given = None if published is None else Measurement(published, 0.0)
    fields = {"tolerance": 5.0, "catches": 1.0} | options
    return judge(
        Measurement(measured, stderr), Measurement(expected, 0.0), given, **fields
    )[0]


def erratum(printed, expected, measured, **changes):
    return Erratum(
        id="rosenblatt1958/erratum/x",
        where="here",
        printed="x is 2",
        corrected="x is 1",
        evidence=lambda quick: Evidence("x", printed, expected, measured),
        **changes,
    )


@pytest.mark.parametrize(
    ("measured", "stderr", "expected", "published", "wanted"),
    [
        (1.04, 0.01, 1.0, 1.0, REPRODUCED),
        (1.06, 0.01, 1.0, 1.0, NOT),  # 6 standard errors from both
        (1.04, 0.01, 1.0, None, REPRODUCED),
        (1.06, 0.01, 1.0, None, NOT),
        (1.0, 0.01, 1.0, 2.0, ERRATUM),
        (2.0, 0.01, 1.0, 2.0, NOT),  # the paper is right and we are wrong
        (1.5, 0.01, 1.0, 2.0, NOT),
        (1.0, 0.1, 1.0, 1.3, NOT),  # cannot tell the two
        (1.0, 0.0, 1.0, 1.0, REPRODUCED),
        (1.0 + 1e-15, 0.0, 1.0, 1.0, NOT),  # exact numbers must be exact
    ],
)
def test_verdicts(measured, stderr, expected, published, wanted):
    assert verdict(measured, stderr, expected, published) is wanted


def test_the_window_is_tolerance_times_error_plus_allowance():
    for off, wanted in ((0.0599, REPRODUCED), (0.0601, NOT)):
        assert verdict(1 + off, 0.01, 1.0, None, allowance=0.01) is wanted
    assert verdict(1.03, 0.01, 1.0, None, tolerance=2.0) is NOT


def test_standard_errors_of_both_sides_count():
    one = Measurement(1.0, 0.03), Measurement(1.2, 0.04), None
    assert judge(*one, tolerance=5.0, catches=1.0)[0] is REPRODUCED
    assert judge(*one, tolerance=3.9, catches=1.0)[0] is NOT


def test_a_rounded_number_is_not_an_erratum():
    exact = 4 / math.pi
    assert verdict(exact, 0.0, exact, 1.27, rounding=0.005) is REPRODUCED
    assert verdict(exact, 0.0, exact, 1.27) is ERRATUM
    assert verdict(exact, 0.0, exact, 1.28, rounding=0.005) is ERRATUM


def test_an_erratum_needs_published_and_expected_to_differ():
    # Measured is at one end of the window, published at the other, within allowances.
    options = {"allowance": 0.1}
    assert verdict(1.1, 0.0, 1.0, 0.9, **options) is NOT
    assert verdict(1.0, 0.0, 1.0, 0.9, **options) is REPRODUCED


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["measured", "stderr", "expected", "published"])
@pytest.mark.parametrize("allowance", [0.0, 0.5])
def test_no_number_that_is_not_finite_passes(bad, field, allowance):
    numbers = {"measured": 1.0, "stderr": 0.01, "expected": 1.0, "published": 1.0}
    numbers[field] = bad
    assert verdict(**numbers, allowance=allowance) is NOT


def test_a_negative_standard_error_does_not_pass():
    assert verdict(1.0, -0.01, 1.0, 1.0) is NOT


def test_a_measurement_too_noisy_to_catch_anything_does_not_pass():
    assert verdict(1.0, 0.1, 1.0, 1.0, catches=0.51) is REPRODUCED
    assert verdict(1.0, 0.1, 1.0, 1.0, catches=0.49) is NOT
    assert verdict(1.0, 0.0, 1.0, 1.0, allowance=0.5, catches=0.49) is NOT


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


def test_by_default_a_tenth_must_be_caught():
    for stderr, wanted in ((0.019, REPRODUCED), (0.021, NOT)):
        outcome = settle(claim(lambda quick, s=stderr: Measurement(1.0, s)), quick=True)
        assert outcome.verdict is wanted


def test_a_claim_of_zero_must_say_what_it_catches():
    def measure(quick):
        return Measurement(0.0, 0.01)

    zero = {"expected": 0.0, "published": None}
    assert settle(claim(measure, **zero), quick=True).verdict is NOT
    outcome = settle(claim(measure, **zero, catches=0.1), quick=True)
    assert outcome.verdict is REPRODUCED


def test_a_claim_that_raises_is_not_reproduced_and_says_why():
    def measure(quick):
        raise RuntimeError("out of luck")

    outcome = settle(claim(measure), quick=True)
    assert outcome.verdict is NOT
    assert outcome.reason == "RuntimeError: out of luck"
    assert outcome.measured is None


@pytest.mark.parametrize("returned", [None, 1.0, (1.0, 0.01)])
def test_a_claim_that_measures_nothing_is_not_reproduced(returned):
    assert settle(claim(lambda quick: returned), quick=True).verdict is NOT


def test_an_expected_number_that_raises_is_not_reproduced():
    broken = claim(lambda quick: Measurement(1.0, 0.0), expected=lambda quick: 1 / 0)
    assert settle(broken, quick=True).verdict is NOT


def test_an_expected_number_that_is_sampled_has_an_error_too():
    sampled = claim(
        lambda quick: Measurement(1.06, 0.01),
        expected=Measurement(1.0, 0.01),
        published=None,
    )
    assert settle(sampled, quick=True).verdict is REPRODUCED  # 4.2 standard errors
    exact = claim(lambda quick: Measurement(1.06, 0.01), published=None)
    assert settle(exact, quick=True).verdict is NOT


def test_interrupts_are_not_swallowed():
    def measure(quick):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        settle(claim(measure), quick=True)


def test_quick_reaches_measurement_and_expectation():
    both = claim(
        lambda quick: Measurement(1.0 if quick else 2.0, 0.0),
        expected=lambda quick: 1.0 if quick else 2.0,
        published=None,
    )
    for quick in (True, False):
        outcome = settle(both, quick=quick)
        assert outcome.verdict is REPRODUCED
        assert outcome.measured == Measurement(1.0 if quick else 2.0, 0.0)


def test_an_erratum_stands_if_only_the_correct_form_agrees():
    one, two = Measurement(1.0, 0.0), Measurement(2.0, 0.0)
    near = Measurement(1.01, 0.01)
    assert settle(erratum(two, one, near), quick=True).verdict is ERRATUM
    assert settle(erratum(one, two, near), quick=True).verdict is NOT  # other way round
    assert settle(erratum(one, one, near), quick=True).verdict is NOT  # no difference
    assert settle(erratum(two, one, two), quick=True).verdict is NOT
    assert settle(erratum(two, one, Measurement(1.5, 0.01)), quick=True).verdict is NOT


@pytest.mark.parametrize("stderr", [0.25, 1e6, math.inf, math.nan])
def test_a_noisy_measurement_is_no_evidence(stderr):
    one, two = Measurement(1.0, 0.0), Measurement(2.0, 0.0)
    noisy = Measurement(1.0, stderr)
    assert settle(erratum(two, one, noisy), quick=True).verdict is NOT


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_printed_form_without_a_number_is_no_evidence(bad):
    one = Measurement(1.0, 0.0)
    assert settle(erratum(Measurement(bad, 0.0), one, one), quick=True).verdict is NOT


def test_an_erratum_that_raises_or_has_no_evidence_does_not_stand():
    for evidence in (lambda quick: 1 / 0, lambda quick: None):
        broken = Erratum(
            id="rosenblatt1958/erratum/x",
            where="here",
            printed="x is 2",
            corrected="x is 1",
            evidence=evidence,
        )
        assert settle(broken, quick=True).verdict is NOT


def test_seconds_are_measured():
    outcome = settle(claim(lambda quick: Measurement(1.0, 0.0)), quick=True)
    assert 0 < outcome.seconds < 1
