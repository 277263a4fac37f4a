r"""Misprints and misleading sentences of the paper, with the evidence.

Not counted, since it is a matter of letters: eqs. (2) and (3) have
:math:`s^{\tau+1}` where the new example :math:`s^{m+1}` is meant. Eqs. (9) and (11) are
to be read with :math:`\rho` held fixed in the derivatives. Nor is "in some cases the
algorithm gets trapped": it does, and :mod:`~rosenblatt.papers.winther1997.binary` has
the share of these runs and what cures them.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import learning
from rosenblatt.core import Observation
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import Evidence, allow, erratum
from rosenblatt.papers.estimates import average, power_law
from rosenblatt.papers.winther1997.binary import PRINTED
from rosenblatt.papers.winther1997.filters import FULL, filtered
from rosenblatt.papers.winther1997.spherical import SEED
from rosenblatt.rules import BinaryBayes, FullBayes
from rosenblatt.theory import solve_online

__all__ = ["ERRATA"]

_SIZES = np.array([100, 400, 1600, 6400])


def _states(dim: int, sample: int) -> tuple[FloatArray, FloatArray]:
    """Return log-odds of weights as at alpha = 2, and an input."""
    rng = np.random.default_rng([SEED, dim, sample])
    return 1.0 + rng.standard_normal(dim), rng.standard_normal(dim) / math.sqrt(dim)


def _moved(rule: BinaryBayes, dim: int, sample: int) -> FloatArray:
    """Return the log-odds after one example with the label +1."""
    states, x = _states(dim, sample)
    means = np.tanh(states)
    variances = 1 - means**2
    seen = Observation(
        field=float(means @ x),
        label=1.0,
        norm2=float(np.mean(means**2)),
        input2=float(x @ x),
        rate=1.0,
        dim=float(dim),
        spread=float(x**2 @ variances),
        variance=float(variances.mean()),
    )
    learning(rule)(states, means, variances, x, seen)
    return states


@erratum("winther1997/erratum/order-of-step", "text after eq. (11)")
@allow(0.05, "the power law is fitted from N = 100 on")
def _explicit(quick: bool) -> Evidence:
    """Printed: taking the old mean on the right of eq. (11) makes an error of order
    1/N.

    Correct: of order N^(-3/2): the mean moves by 1/sqrt(N), and what it multiplies is
    1/N itself.
    """
    implicit = BinaryBayes(floor=0.0, implicit=True)
    apart = [
        [
            np.sqrt(np.mean((_moved(PRINTED, n, s) - _moved(implicit, n, s)) ** 2))
            for n in _SIZES.tolist()
        ]
        for s in range(100 if quick else 400)
    ]
    return Evidence(
        quantity="exponent of N in the difference that the old instead of the new mean "
        "on the right of eq. (11) makes to a weight in one step",
        printed=Measurement(-1.0, 0.0),
        expected=Measurement(-1.5, 0.0),
        measured=power_law(_SIZES.astype(np.float64), np.array(apart)),
    )


@erratum("winther1997/erratum/order-of-rho", "text before eq. (7)")
@allow(0.02, "the power law is fitted from N = 100 on")
def _spread(quick: bool) -> Evidence:
    """Printed: replacing s_i s_j by its mean in rho makes an error of order 1/N.

    Correct: of order 1/sqrt(N) for a given input; the mean of what it does to the
    learning curve is of order 1/N.
    """
    differences = []
    for sample in range(100 if quick else 400):
        row = []
        for dim in _SIZES.tolist():
            states, x = _states(dim, sample)
            open_ = 1 - np.tanh(states) ** 2
            row.append((float(x**2 @ open_) / float(open_.mean()) - 1) ** 2)
        differences.append(row)
    found = power_law(_SIZES.astype(np.float64), np.array(differences))
    return Evidence(
        quantity="exponent of N in the relative difference (root mean square) between "
        "rho of an input and its mean",
        printed=Measurement(-1.0, 0.0),
        expected=Measurement(-0.5, 0.0),
        measured=Measurement(found.value / 2, found.stderr / 2),
    )


@erratum("winther1997/erratum/full-covariance", "text before eq. (9)")
def _full(quick: bool) -> Evidence:
    """Printed: the off-diagonal of the covariance vanishes in the thermodynamic limit,
    so that a spherical posterior loses nothing.

    Correct: its N^2 entries of order 1/sqrt(N), relative to the diagonal, add up: a
    full-covariance filter has an error of 0.0274 at N = 100 where eq. (9) has 0.0394.
    """
    errors = np.asarray(filtered(FullBayes(), quick)["error"])[:, -1]
    eq9 = float(solve_online([20.0])["error"].sel(learner="bayes")[0])
    return Evidence(
        quantity="error at alpha = 20 of a filter that keeps the full covariance, "
        "N = 100",
        printed=Measurement(eq9, 0.0),
        expected=FULL,
        measured=average(errors),
    )


ERRATA = (_full, _spread, _explicit)
