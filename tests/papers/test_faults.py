"""Faults in formulas of the five papers change a verdict: signs, factors, exponents."""

import importlib
import math

import pytest

from rosenblatt.papers.claims import settle
from rosenblatt.report import select

THEORY = "rosenblatt.theory.closed"


def times(factor):
    return lambda right: lambda *a, **k: factor * right(*a, **k)


def power(exponent):
    return lambda right: (
        lambda *a, **k: math.copysign(abs(right(*a, **k)) ** exponent, 1)
    )


def doubled_influence(right):
    def wrong(*args, **given):
        found = right(*args, **given)
        return found._replace(influence=2 * found.influence)

    return wrong


def doubled_step(right):
    def compiled(rule):
        step = right(rule)

        def wrong(states, *given):
            before = states.copy()
            step(states, *given)
            states += states - before

        return wrong

    return compiled


def without_noise(right):
    return lambda *a, noise, stream: noise + right(*a, noise=0.0, stream=stream)


def noise_of_other_sign(right):
    return lambda n, noise=0.0: right(n) * (1 + 2 * noise)


def root_of_bound(right):
    """Return results whose bound on the mistakes is R/M instead of R^2/M^2."""

    class Wrong(right):
        @property
        def mistake_bound(self):
            return super().mistake_bound ** 0.5

    return Wrong


# A statement that must notice, what is spoilt, and how.
FAULTS = {
    "barkai1995/eq5/limit": (f"{THEORY}.perceptron.fixed_point", times(2)),
    "barkai1995/eq5/relaxation": (f"{THEORY}.perceptron.drift", times(-1)),
    "barkai1995/erratum/eq8": ("barkai1995.regular_rule.error_at", without_noise),
    "barkai1995/eq11/condition": ("barkai1995.shifted_rule.printed_shift", times(-1)),
    "barkai1995/erratum/eq26": (
        "barkai1995.one_parameter.moment_ratio",
        lambda right: lambda exponent, scale, n: right(exponent, scale, n**2),
    ),
    "barkai1995/baum/effective-rate": ("barkai1995.section_5.residual_error", times(2)),
    "golea1993/eq6": ("golea1993.algorithm.influences", doubled_influence),
    "golea1993/erratum/section4": ("golea1993.algorithm.rewritten", times(2)),
    "golea1993/eq25": (f"{THEORY}.clipped_hebb.bias", power(0.9)),
    "golea1993/eq32": (f"{THEORY}.clipped_hebb.bias", noise_of_other_sign),
    "bhattacharya1995/limit/length": (
        "bhattacharya1995.text.GAINS",
        lambda right: right | {"eta2": right["eta1"]},
    ),
    "bhattacharya1995/bayes/column": ("bhattacharya1995.text.exact_error", times(2)),
    "winther1997/eq9/best-q0.5-noise0": (
        "winther1997.spherical.best_growth",
        times(0.5),
    ),
    "winther1997/eq5/counted": (
        "winther1997.spherical.ndtr",
        lambda right: lambda x: right(-x),
    ),
    "winther1997/eq10/enumerated": ("winther1997.binary.compiled", doubled_step),
    "seung2002/section2/speed-10": ("seung2002.gradient.factor", power(0.5)),
    "seung2002/section3/saturation-4": ("seung2002.gradient._duration", times(2)),
    "seung2002/section4/constant-0.5": (
        "seung2002.online.Constant",
        lambda right: lambda rate: right(2 * rate),
    ),
    "seung2002/section6/sum-converges": (
        "seung2002.online.exact",
        lambda right: lambda *a: right(*a, sign=1.0),
    ),
    "seung2002/section7/cost": ("seung2002.perceptron_rule.cost", times(-1)),
    "seung2002/theorem/bound": (
        "rosenblatt.linear.separation.Separability",
        root_of_bound,
    ),
}


def forget(module):
    """Forget what functions of a module have computed."""
    for value in list(vars(module).values()):
        if hasattr(value, "cache_clear"):
            value.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("statement", FAULTS)
def test_a_fault_in_a_formula_changes_a_verdict(monkeypatch, statement):
    place, spoil = FAULTS[statement]
    path = place if place.startswith("rosenblatt") else f"rosenblatt.papers.{place}"
    where, _, name = path.rpartition(".")
    module = importlib.import_module(where)
    (paper,) = select([statement])
    (item,) = paper.statements
    user = importlib.import_module(item.measure.__module__)
    assert settle(item, quick=True).verdict is item.due
    forget(user)
    monkeypatch.setattr(module, name, spoil(getattr(module, name)))
    spoilt = settle(item, quick=True)
    forget(user)
    assert spoilt.verdict is not item.due, spoilt.reason
    assert spoilt.measured is not None  # it was computed, and did not just break
