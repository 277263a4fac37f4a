r"""Section 5.1: how fast the error falls, eq. (30) and the text after it.

The bound (30) has a sharp form. At finite n a late error is the chance of *one* wrong
weight, :math:`n\, p\, \epsilon(n, 1)`. It falls as :math:`e^{-\alpha/\pi}`, the square
of the exponential in eq. (30). The change comes where a sample has about one wrong
weight, at :math:`\alpha \approx \pi \ln n`.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.bits import count, fields, pack
from rosenblatt.core.figures import FigureData, Role
from rosenblatt.core.types import FloatArray
from rosenblatt.counting import clipped_hebb_weights
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import (
    allow,
    claim,
    expect,
    figure,
    fill,
    no_exceptions,
)
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.figures import SIZES, odd_examples
from rosenblatt.papers.golea1993.samples import TWO_MOMENTS, distances, drawn, target
from rosenblatt.papers.series import line
from rosenblatt.streams import UniformBits
from rosenblatt.theory import batch_asymptote, solve_batch
from rosenblatt.theory.closed import binary_error

__all__ = ["CLAIMS", "figure_error"]

_LATE = (51, 409, 613)  # n and m, at alpha = 8 and 12


@figure("golea1993/error", "eq. (30)")
def figure_error(*, quick: bool = False) -> FigureData:
    """Return errors on a logarithmic scale, with bound and asymptote."""
    alpha = np.linspace(0.25, 40, 21 if quick else 81)
    series = []
    for dim in (SIZES[0], SIZES[-1]):
        odd = odd_examples(dim, alpha)
        errors = [binary_error.mean_error(dim, m) for m in odd]
        series.append(line(f"theory, n = {dim}", [m / dim for m in odd], errors))
    lines: dict[str, tuple[FloatArray, Role]] = {
        "n to infinity": (binary_error.limit_error(alpha), "theory"),
        "its asymptote": (binary_error.asymptote(alpha), "theory"),
        "best with real weights": (
            solve_batch(alpha)["error"].sel(learner="bayes").values,
            "theory",
        ),
        "bound, eq. (30)": (binary_error.bound(alpha), "published"),
    }
    series += [
        line(name, alpha, values, role=role) for name, (values, role) in lines.items()
    ]
    return FigureData(
        title="Error of the clipped Hebb rule",
        caption=(
            "Means in theory at finite n; the limit of infinite n and its asymptote "
            "2^(1/2)/pi alpha^(-1/4) exp(-alpha/2pi); the bound of eq. (30); and the "
            "Bayes learner with real weights, which ends as 0.44/alpha. At finite n "
            "the error falls twice as fast in the end, as exp(-alpha/pi). It is the "
            "chance of one wrong weight, not the root of that."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"error $1 - G$",
        series=tuple(series),
        y_log=True,
    )


@claim("golea1993/eq30", "eq. (30)")
@no_exceptions
def _violations(quick: bool) -> Measurement:
    """The error is below exp(-alpha/2pi), for all alpha and at n = 51 too: number of
    exceptions.
    """
    alpha = np.geomspace(1e-3, 2000, 400)
    limit = binary_error.limit_error(alpha) >= binary_error.bound(alpha)
    examples = range(1, 1000, 100 if quick else 20)
    finite = [
        binary_error.mean_error(51, m) >= binary_error.bound(m / 51) for m in examples
    ]
    return Measurement(float(limit.sum() + sum(finite)), 0.0)


@claim("golea1993/eq30/exponent", "text after eq. (30)")
@expect(1.0, catches=0.01)
@allow(
    2 * math.pi * math.log(2) / 4 / 1000 * 1.01,
    "a factor alpha^(-1/4) falls too: between alpha = 1000 and 2000",
)
def _exponent(quick: bool) -> Measurement:
    """In the limit of infinite n examples for an error eps are of order n ln(1/eps).
    Fall of the logarithm of the error, in units of alpha/2pi.
    """
    early, late = binary_error.limit_error([1000.0, 2000.0])
    return Measurement(float(2 * math.pi * np.log(early / late) / 1000), 0.0)


def _late_ratio(errors: FloatArray) -> float:
    dim, early, late = _LATE
    return float(np.log(errors[0] / errors[1]) / (late - early) * dim)


@claim("golea1993/bayes", "text after eq. (30)", published=0.44, rounding=0.005)
@expect(batch_asymptote().bayes)
@allow(1e-4, "it is a limit, approached as 1/alpha")
def _bayes(quick: bool) -> Measurement:
    """With real weights the best error is 0.44/alpha: alpha times the error of the
    Bayes learner at alpha = 1e4.
    """
    curve = solve_batch(1e4)["error"].sel(learner="bayes")
    return Measurement(1e4 * float(curve.values[0]), 0.0)


@claim("golea1993/inconsistent", "text after eq. (30)")
@expect(0.0, catches=0.01)
def _consistent(quick: bool) -> Measurement:
    """The students do not agree with all of their examples: share of those that do, n =
    m = 101. None is expected.
    """
    dim, truth, found = 101, target(101), []
    for sample in range(50 if quick else 500):
        bits, labels = drawn(UniformBits(dim), truth, dim, sample)
        student = clipped_hebb_weights(count(bits, labels))
        guess = np.where(fields(bits, pack(student[None]))[:, 0] > 0, 1, -1)
        found.append(float((guess == labels).all()))
    return average(np.array(found))


@claim("golea1993/eq30/prefactor", "eq. (30)")
@expect(1.0, catches=0.01)
@allow(math.pi / 4 / 2000 * 1.01, "the next term is of relative order pi/4 alpha")
def _prefactor(quick: bool) -> Measurement:
    """The sharp form is 2^(1/2)/pi alpha^(-1/4) exp(-alpha/2pi): error over that, at
    alpha = 2000.
    """
    return Measurement(
        float(binary_error.limit_error(2000) / binary_error.asymptote(2000)), 0.0
    )


@claim("golea1993/eq30/finite-size", "eq. (30)")
@expect(
    lambda quick: _late_ratio(
        np.array([binary_error.mean_error(_LATE[0], m) for m in _LATE[1:]])
    ),
    catches=0.12,
)
@allow(1 / _LATE[0] ** 2, TWO_MOMENTS)
@fill(ratio=_late_ratio(binary_error.limit_error([8, 12])))
def _late_exponent(quick: bool) -> Measurement:
    """At finite n the error falls as exp(-alpha/pi) in the end, twice as fast: slope of
    its logarithm from alpha = 8 to 12 at n = 51. The limit of infinite n has
    {ratio:.3f} there.
    """
    dim, early, late = _LATE
    wrong = distances(dim, (early, late), 1500 if quick else 5000)
    errors = binary_error.error(dim, wrong)
    mean = errors.mean(axis=0)
    # of the logarithm, to first order; the late sample has the early one in it
    relative = average((errors / mean) @ (1, -1)).stderr
    return Measurement(_late_ratio(mean), relative * dim / (late - early))


CLAIMS = (_violations, _exponent, _prefactor, _late_exponent, _bayes, _consistent)
