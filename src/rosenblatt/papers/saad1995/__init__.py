"""On-line learning in soft committee machines.

D. Saad, S. A. Solla: On-line learning in soft committee machines. Physical Review E 52,
4225 (1995). Not one of the five papers; numbers are computed here.

A second paper is M. Biehl and H. Schwarze, J. Phys. A 28, 643 (1995).

======================  ==============================================
plateau and escape      :func:`figure_error`, :func:`figure_overlaps`
escape at finite N      :func:`figure_size`
many units              :func:`figure_units`
other activations       :func:`figure_activations`
======================  ==============================================

These papers are not among the five that this project reproduces, and reports count
their claims apart. The numbers come from a second-hand source. Fixed points and the
critical rate are derived in the guide. The closed form of the escape rate is not: it is
compared with the eigenvalues of the equations. Nothing is quoted as published. The last
three rows of the table are results that the papers do not have.
"""

from rosenblatt.papers.decorators import collected
from rosenblatt.papers.saad1995 import activations, escape, plateau, rectified
from rosenblatt.papers.saad1995.activations import figure_activations
from rosenblatt.papers.saad1995.curves import figure_error, figure_overlaps
from rosenblatt.papers.saad1995.escape import figure_size, figure_units

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_activations",
    "figure_error",
    "figure_overlaps",
    "figure_size",
    "figure_units",
]

CLAIMS = (*plateau.CLAIMS, *escape.CLAIMS, *activations.CLAIMS, *rectified.CLAIMS)
ERRATA = ()

PAPER = collected(
    "saad1995",
    __doc__,
    "symmetric plateau, escape at finite N, convergence of one unit",
    (
        figure_error,
        figure_overlaps,
        figure_size,
        figure_units,
        figure_activations,
        *CLAIMS,
        *ERRATA,
    ),
    further=True,
)
