"""Statistical mechanics of on-line learning of drifting concepts.

R. Vicente, O. Kinouchi and N. Caticha, Machine Learning 32, 179 (1998); with
M. Biehl and H. Schwarze, J. Phys. A 26, 2651 (1993), and O. Kinouchi and N. Caticha,
J. Phys. A 26, 6161 (1993).

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

from rosenblatt.papers.paper import Figure, Paper
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

PAPER = Paper(
    key="vicente1998",
    citation="R. Vicente, O. Kinouchi, N. Caticha: Statistical mechanics of online "
    "learning of drifting concepts: a variational approach. Machine Learning 32, 179 "
    "(1998). Not one of the five papers; laws are derived here.",
    outline="abstract",
    further=True,
    claims=CLAIMS,
    errata=ERRATA,
    figures=(
        Figure("vicente1998/random", "abstract, random drift", figure_random),
        Figure("vicente1998/steady", "abstract, steady drift", figure_steady),
        Figure("vicente1998/abrupt", "abstract, sudden changes", figure_abrupt),
        Figure("vicente1998/half-lives", "abstract, half-lives", figure_half_lives),
    ),
)
