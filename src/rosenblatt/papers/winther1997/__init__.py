"""Bayesian on-line learning in the perceptron.

O. Winther, S. A. Solla: Bayesian online learning in the perceptron. Connect, The Niels
Bohr Institute (1997).

======================  ============================================
figure 1                :func:`figure_1`, :func:`figure_trapped`,
                        :func:`figure_solved`
eq. (7)                 :func:`figure_calibration`
section 4, outlook      :func:`figure_filters`, :func:`figure_curve`
======================  ============================================

Learners: eq. (9) is :class:`rosenblatt.rules.SphericalBayes`, eqs. (10) and (11) are
:class:`rosenblatt.rules.BinaryBayes`. Of the outlook, the general criterion and the
learning curve of the binary prior are carried out; multilayer networks are not.

One claim, ``winther1997/trapped/fixpoint``, is a regression check: its expected number
is an earlier run of the same code.
"""

from rosenblatt.papers.decorators import collected
from rosenblatt.papers.winther1997 import (
    binary,
    binary_theory,
    filters,
    predictions,
    spherical,
)
from rosenblatt.papers.winther1997.errata import ERRATA
from rosenblatt.papers.winther1997.figures import (
    figure_1,
    figure_calibration,
    figure_curve,
    figure_filters,
    figure_solved,
    figure_trapped,
)

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_1",
    "figure_calibration",
    "figure_curve",
    "figure_filters",
    "figure_solved",
    "figure_trapped",
]

CLAIMS = (
    *spherical.CLAIMS,
    *predictions.CLAIMS,
    *binary.CLAIMS,
    *binary_theory.CLAIMS,
    *filters.CLAIMS,
)

PAPER = collected(
    "winther1997",
    __doc__,
    "abstract, section 1, section 2, eqs. (1) to (5), footnote 1, section 3, "
    "eqs. (6) to (11), figure 1, section 4",
    (
        figure_1,
        figure_trapped,
        figure_solved,
        figure_calibration,
        figure_filters,
        figure_curve,
        *CLAIMS,
        *ERRATA,
    ),
)
