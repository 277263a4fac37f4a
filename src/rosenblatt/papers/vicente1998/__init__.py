"""Statistical mechanics of on-line learning of drifting concepts.

R. Vicente, O. Kinouchi, N. Caticha: Statistical mechanics of online learning of
drifting concepts: a variational approach. Machine Learning 32, 179 (1998). Not one of
the five papers; laws are derived here.

Two more papers are M. Biehl and H. Schwarze, J. Phys. A 26, 2651 (1993), and O.
Kinouchi and N. Caticha, J. Phys. A 26, 6161 (1993).

==================  ==============================================
random drift        :func:`figure_random`
steady drift        :func:`figure_steady`
sudden changes      :func:`figure_abrupt`
half-lives          :func:`figure_half_lives`
==================  ==============================================

These papers are not among the five that this project reproduces, and reports count
their claims apart. Only their abstracts were read: all laws are derived here, and
nothing is quoted as published.
"""

from rosenblatt.papers.decorators import collected
from rosenblatt.papers.vicente1998.figures import (
    figure_abrupt,
    figure_random,
    figure_steady,
)
from rosenblatt.papers.vicente1998.half_lives import figure_half_lives
from rosenblatt.papers.vicente1998.stationary import CLAIMS

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_abrupt",
    "figure_half_lives",
    "figure_random",
    "figure_steady",
]

ERRATA = ()

PAPER = collected(
    "vicente1998",
    __doc__,
    "abstract",
    (figure_random, figure_steady, figure_abrupt, figure_half_lives, *CLAIMS, *ERRATA),
    further=True,
)
