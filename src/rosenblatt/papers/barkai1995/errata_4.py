r"""Misprints and gaps of section 4, each with a measurement that decides.

All are about one parameter, where :mod:`~rosenblatt.papers.barkai1995.equilibrium` and
:mod:`~rosenblatt.papers.barkai1995.harmonic` derive the corrected forms.

**Eq. (24), a bar.** Of the two around :math:`f_0' + \sigma x` only the second is
printed. It matters: for :math:`f_0' < 0`, such as -1 for
:math:`f = s - w`, the step function leaves only the negative values. What should enter
then leaves, too: integrated over x the equation says
:math:`-2 \langle |x| \rangle = 0`. The text also has F vanish for :math:`x > |f_0'|`
where :math:`|x| > |f_0'|` is meant.

**Noise.** With a wrong label the student moves by :math:`\nabla f` wherever the input
is, on average by :math:`-\eta p\, \langle \mathrm{sgn}(f_0) \nabla f \rangle` at the
target. For :math:`f = s - w` this is 0 only if both labels are equally frequent.
Otherwise the rule goes to where the student answers as often with +1 as the labels do,
noise included. The shift of eq. (12) does not help: it is
:math:`T = \langle \sigma_0 \nabla f \rangle / \langle \sigma_0 \rangle = -1 =
\nabla f`, so that nothing would move at all.
"""

from __future__ import annotations

import functools

import numpy as np
from scipy import stats

from rosenblatt.core.types import FloatArray
from rosenblatt.machines import Smooth, Threshold
from rosenblatt.papers.barkai1995.equations import simulated_machine
from rosenblatt.papers.barkai1995.equilibrium import aging, moment_ratio
from rosenblatt.papers.barkai1995.harmonic import Harmonic
from rosenblatt.papers.barkai1995.section_4 import (
    SCALE,
    SLOW,
    at_constant_rate,
    cubic,
    harmonic,
    slow,
)
from rosenblatt.papers.barkai1995.students import (
    EVEN,
    FIRST,
    KAPPA,
    NOISE,
    constant_rate,
    noisy_rate,
    spread,
)
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import Evidence, allow, erratum
from rosenblatt.papers.estimates import average, power_law, ratio
from rosenblatt.schedules import Constant, Power

__all__ = ["ERRATA", "bent"]

_START = 0.1  # x of all students, which then stay in the class of 0.1
_TILT = 0.45  # of the gradient: 1 + tilt s stays positive for inputs from -2 to 2
_RATE = 0.2
_AGE = 1000.0  # eta lambda n
_TARGET = 0.5  # a threshold that parts the inputs unevenly


def _exactly(value: float) -> Measurement:
    return Measurement(value, 0.0)


@erratum("barkai1995/erratum/eq24-bars", "eq. (24)")
def _bars(quick: bool) -> Evidence:
    """Printed: students come to x at the rate f0' + sigma x, and F vanishes for x >
    |f0'|.

    Correct: the rate is |f0' + sigma x|, and F vanishes for |x| > |f0'|.
    """
    return Evidence(
        quantity="<|dw|>/eta at a constant rate, for f = s - w",
        printed=_exactly(0.0),
        expected=_exactly(1 / 3),
        measured=average(np.abs(at_constant_rate(quick))),
    )


@erratum("barkai1995/erratum/eq24-unique", "eqs. (23) and (24)")
def _unique(quick: bool) -> Evidence:
    """Printed: at a constant rate there is one equilibrium distribution.

    Correct: in one dimension with a constant gradient every h(x)/|x| with h of period
    |f0'| is one; the start decides.
    """
    x = constant_rate(0.01, 3000, start=_START)
    return Evidence(
        quantity="<|dw|>/eta at a constant rate, for f = s - w, started at dw/eta = "
        "0.1; from spread-out starts it is 1/3",
        printed=average(np.abs(at_constant_rate(quick))),
        expected=_exactly(2 * _START * (1 - _START)),
        measured=average(np.abs(x)),
    )


def _value(s: FloatArray, w: FloatArray) -> float:
    return (s[0] - w[0]) * (1.0 + 0.45 * s[0])  # type: ignore[no-any-return]


def _gradient(s: FloatArray, w: FloatArray, out: FloatArray) -> None:
    out[0] = -1.0 - 0.45 * s[0]


@functools.cache
def bent(replicas: int, ages: tuple[float, ...]) -> FloatArray:
    """Return x at a constant rate for f = (s - w) (1 + 0.45 s), one column per age."""
    run = simulated_machine(
        Smooth(_value, _gradient, inputs=1, parameters=1),
        Constant(_RATE),
        [0.0],
        EVEN,
        examples=[round(age / (_RATE * KAPPA)) for age in ages],
        replicas=replicas,
        start=spread(replicas, 2 * _RATE),
        tests=1,
    )
    return np.asarray(run["weights"].values[:, :, 0]) / _RATE


@erratum("barkai1995/erratum/eq24-gradient", "eqs. (23) and (24)")
@allow(2.4 * aging(_AGE) ** 4, "the series for late times goes on with 2 zeta(3) / E^4")
def _varying(quick: bool) -> Evidence:
    """Printed: at a constant rate there is an equilibrium of width eta, for every
    smooth f.

    Correct: in one dimension with a gradient that varies there is none: the mass
    collapses onto w0, as 1/log n.
    """
    x = bent(1000 if quick else 3000, (_AGE,))
    return Evidence(
        quantity="<|dw|>/(eta |f0'|) at a constant rate, for f = (s - w)(1 + 0.45 s), "
        "at eta lambda n = 1000; later it is less and less",
        printed=_exactly(1 / 3),
        expected=_exactly(aging(_AGE)),
        measured=average(np.abs(x)),
    )


@erratum("barkai1995/erratum/eq26", "eq. (26)")
@allow(
    0.5 / (FIRST + SLOW[2]), "n moves in steps of 1, and the third order is left out"
)
def _eq26(quick: bool) -> Evidence:
    """Printed: z x F' + z F = eta0 L G.

    Correct: z x F' + z F = eta0 kappa L G, kappa = rho(s0) |f0' / f_s|. Here
    f_s is the derivative of f by s.
    """
    exponent, scale, examples = SLOW
    n = FIRST + examples
    return Evidence(
        quantity="<x^2>/<|x|> at z = 1/2 and n = 400, for f = s - w, kappa = 1/4",
        printed=_exactly(moment_ratio(exponent, scale / KAPPA, n)),
        expected=_exactly(moment_ratio(exponent, scale, n)),
        measured=ratio(slow(quick) ** 2, np.abs(slow(quick))),
    )


@erratum("barkai1995/erratum/eq27", "eq. (27)")
def _eq27(quick: bool) -> Evidence:
    """Printed: x F' + F = eta0 L F.

    Correct: x F' + F = eta0 kappa L F, kappa = rho(s0) |f0' / f_s|. Here
    f_s is the derivative of f by s.
    """
    return Evidence(
        quantity="n times the error for a rate 12/n, f = s - w, kappa = 1/4",
        printed=_exactly(SCALE * Harmonic(SCALE / KAPPA).mean),
        expected=_exactly(Harmonic(SCALE).prefactor),
        measured=average(SCALE * np.abs(harmonic(quick))),
    )


def _other(quick: bool) -> Evidence:
    eta0, measured = cubic(quick)
    return Evidence(
        quantity="n times the error for a rate 9/n, f = s^3 - 2 w, where f0' = -2 and "
        "kappa = 1/6",
        printed=_exactly(SCALE * Harmonic(2 * eta0).mean),
        expected=_exactly(Harmonic(SCALE).prefactor),
        measured=measured,
    )


@erratum("barkai1995/erratum/eq27-threshold", "text after eq. (27)")
@allow(0.005, "the spread of the students adds a part that falls as n^-1/2")
def _threshold(quick: bool) -> Evidence:
    """Printed: eta0 is to be sufficiently large, which for eq. (27) as printed means
    eta0 |f0'| > 1.

    Correct: eta0 times the smallest eigenvalue of <delta(f0) grad f grad f^T> is to be
    above 1. Below 1, the error falls with this power of 1/n.
    """
    eta0 = 2.0
    examples = np.array([1000, 10_000] if quick else [10_000, 100_000])
    run = simulated_machine(
        Threshold(),
        Power(eta0, 1.0, FIRST),
        [0.0],
        EVEN,
        examples=examples,
        replicas=100,
        start=[1.0],
    )
    errors = run["error"].values
    return Evidence(
        quantity="exponent of the error for a rate 2/n, f = s - w, kappa = 1/4",
        printed=_exactly(-1.0),
        expected=_exactly(-eta0 * KAPPA),
        measured=power_law(FIRST + examples, errors),
    )


@erratum("barkai1995/erratum/section4-noise", "last paragraph of section 4")
def _shifted(quick: bool) -> Evidence:
    """Printed: with output noise the results of section 3 hold for thresholded smooth
    functions, the law being Gaussian around w0.

    Correct: w0 is a fixed point only if <sgn(f0) grad f> = 0; the uniform shift of eq.
    (12) may take away the whole gradient.
    """
    w = _TARGET + noisy_rate(0.01, 1000 if quick else 4000, _TARGET)
    negative = float(stats.norm.cdf(_TARGET))
    return Evidence(
        quantity="share of inputs that the student calls negative, for f = s - w, "
        "w0 = 0.5, p = 0.2, constant rate 0.01",
        printed=_exactly(negative),
        expected=_exactly(NOISE + (1 - 2 * NOISE) * negative),
        measured=average(stats.norm.cdf(w)),
    )


ERRATA = (_bars, _unique, _varying, _eq26, _eq27, _threshold, _shifted)
