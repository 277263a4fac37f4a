r"""Verdicts on claims and errata.

Three numbers are compared: what was *published*, what is *expected* of a correct
program, and what this one *measured*. With :math:`s` their combined standard error,
two of them agree if

.. math:: |a - b| \le \text{tolerance} \cdot s + \text{allowance}.   \tag{1}

=====================  ======================  =======================  ==============
measured and expected  measured and published  published and expected   verdict
=====================  ======================  =======================  ==============
disagree                                                                not reproduced
agree                  (nothing published)                              reproduced
agree                  agree                   agree                    reproduced
agree                  disagree                disagree                 erratum
agree                  one of them only: the measurement cannot tell    not reproduced
=====================  ======================  =======================  ==============

Nothing passes by default. A number that is missing or not finite, a negative standard
error and an exception are "not reproduced". So is a measurement too noisy to detect the
deviation that it has to detect. An :class:`~rosenblatt.papers.claims.Erratum` stands
only in the row "erratum".
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from enum import StrEnum

from rosenblatt.papers.claims import Claim, Erratum, Evidence, Measurement, Value

__all__ = ["Outcome", "Verdict", "judge", "settle"]

_BLUR = 0.1  # how wide eq. (1) may be, relative to the number, if a claim says no more


class Verdict(StrEnum):
    """Verdict on a claim or an erratum."""

    REPRODUCED = "reproduced"
    ERRATUM = "erratum"
    NOT_REPRODUCED = "not reproduced"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Verdict on a claim or an erratum, with its reason and its numbers."""

    item: Claim | Erratum
    verdict: Verdict
    reason: str
    seconds: float = 0.0
    published: Measurement | None = None
    expected: Measurement | None = None
    measured: Measurement | None = None
    quantity: str = ""  # of an erratum's evidence


def _apart(a: Measurement, b: Measurement, tolerance: float, allowance: float) -> bool:
    """Return whether eq. (1) is violated."""
    window = tolerance * math.hypot(a.stderr, b.stderr) + allowance
    return abs(a.value - b.value) > window


def judge(
    measured: Measurement,
    expected: Measurement,
    published: Measurement | None,
    *,
    tolerance: float,
    allowance: float = 0.0,
    rounding: float = 0.0,
    catches: float,
) -> tuple[Verdict, str]:
    """Return the verdict of the table above, and the reason for it.

    Parameters
    ----------
    measured, expected, published
        The three numbers.
    tolerance, allowance, rounding, catches
        Those of a :class:`~rosenblatt.papers.claims.Claim`.

    Examples
    --------
    >>> judge(Measurement(2.01, 0.01), Measurement(2, 0), Measurement(3, 0),
    ...       tolerance=5, catches=0.1)
    (<Verdict.ERRATUM: 'erratum'>, 'as expected (+0.01, +1.0 standard errors), ...')
    """
    given = {"measured": measured, "expected": expected, "published": published}
    for name, number in given.items():
        if number is not None and not number.sound:
            return Verdict.NOT_REPRODUCED, f"{name} is {number}"
    error = math.hypot(measured.stderr, expected.stderr)
    window = tolerance * error + allowance
    if window > catches:
        return Verdict.NOT_REPRODUCED, (
            f"too noisy: a deviation of {catches:.2g} must be caught, "
            f"{window:.2g} would pass"
        )
    off = measured.value - expected.value
    size = f"{off:+.2g}" + (f", {off / error:+.1f} standard errors" if error else "")
    if _apart(measured, expected, tolerance, allowance):
        return Verdict.NOT_REPRODUCED, f"not as expected ({size})"
    if published is None:
        return Verdict.REPRODUCED, f"as expected ({size})"
    slack = allowance + rounding
    unlike = _apart(measured, published, tolerance, slack)
    conflict = _apart(expected, published, tolerance, slack)
    if unlike and conflict:
        return Verdict.ERRATUM, f"as expected ({size}), not as published"
    if unlike or conflict:
        return Verdict.NOT_REPRODUCED, "cannot tell what is published from what is not"
    return Verdict.REPRODUCED, f"as expected and published ({size})"


def _number(value: Value | Measurement, quick: bool) -> Measurement:
    found = value(quick) if callable(value) else value
    return found if isinstance(found, Measurement) else Measurement(float(found), 0.0)


def _claim(claim: Claim, quick: bool) -> Outcome:
    measured = claim.measure(quick)
    expected = _number(claim.expected, quick)
    published = None if claim.published is None else _number(claim.published, quick)
    catches = _BLUR * abs(expected.value) if claim.catches is None else claim.catches
    if not isinstance(measured, Measurement):
        raise TypeError(f"measure must return a Measurement, got {measured!r}")
    verdict, reason = judge(
        measured,
        expected,
        published,
        tolerance=claim.tolerance,
        allowance=claim.allowance,
        rounding=claim.rounding,
        catches=catches,
    )
    return Outcome(
        item=claim,
        verdict=verdict,
        reason=reason,
        published=published,
        expected=expected,
        measured=measured,
    )


def _erratum(erratum: Erratum, quick: bool) -> Outcome:
    evidence = erratum.evidence(quick)
    if not isinstance(evidence, Evidence):
        raise TypeError(f"evidence must return an Evidence, got {evidence!r}")
    verdict, reason = judge(
        evidence.measured,
        evidence.expected,
        evidence.printed,
        tolerance=erratum.tolerance,
        allowance=erratum.allowance,
        catches=math.inf,  # a noisy measurement agrees with the printed form as well
    )
    if verdict is Verdict.REPRODUCED:
        verdict = Verdict.NOT_REPRODUCED
        reason = f"the printed form cannot be told from the correct one: {reason}"
    return Outcome(
        item=erratum,
        verdict=verdict,
        reason=reason,
        published=evidence.printed,
        expected=evidence.expected,
        measured=evidence.measured,
        quantity=evidence.quantity,
    )


def settle(item: Claim | Erratum, *, quick: bool) -> Outcome:
    """Measure and judge; whatever goes wrong is an outcome too.

    Examples
    --------
    >>> def broken(quick):
    ...     raise ArithmeticError("no such curve")
    >>> claim = Claim(id="rosenblatt1958/x", where="nowhere", statement="x is 1",
    ...               published=1, expected=1, measure=broken)
    >>> outcome = settle(claim, quick=True)
    >>> outcome.verdict.value, outcome.reason
    ('not reproduced', 'ArithmeticError: no such curve')
    """
    began = time.perf_counter()
    try:
        if isinstance(item, Claim):
            outcome = _claim(item, quick)
        else:
            outcome = _erratum(item, quick)
    except Exception as failure:
        outcome = Outcome(
            item=item,
            verdict=Verdict.NOT_REPRODUCED,
            reason=f"{type(failure).__name__}: {failure}",
        )
    return replace(outcome, seconds=time.perf_counter() - began)
