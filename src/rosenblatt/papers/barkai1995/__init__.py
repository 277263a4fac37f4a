"""On-line learning of dichotomies.

N. Barkai, H. S. Seung and H. Sompolinsky, Advances in Neural Information Processing
Systems 7 (1995), 303-310.
"""

from rosenblatt.papers.barkai1995 import (
    bistability,
    clusters,
    errata,
    errata_3,
    section_2,
    section_3,
    section_3_rates,
    section_3_shifted,
    special_case,
)
from rosenblatt.papers.barkai1995 import figure_1 as first
from rosenblatt.papers.barkai1995 import figure_2 as second
from rosenblatt.papers.barkai1995.clusters import balanced
from rosenblatt.papers.barkai1995.figure_1 import figure_1
from rosenblatt.papers.barkai1995.figure_2 import figure_2
from rosenblatt.papers.paper import Figure, Paper

__all__ = ["CLAIMS", "ERRATA", "PAPER", "figure_1", "figure_2"]

CLAIMS = (
    *first.CLAIMS,
    *section_2.CLAIMS,
    *errata.CLAIMS,
    *section_3.CLAIMS,
    *section_3_shifted.CLAIMS,
    *section_3_rates.CLAIMS,
    *second.CLAIMS,
    *special_case.CLAIMS,
    *bistability.CLAIMS,
    *clusters.CLAIMS,
)
ERRATA = (*errata.ERRATA, *errata_3.ERRATA, *bistability.ERRATA)

PAPER = Paper(
    key="barkai1995",
    citation="N. Barkai, H. S. Seung, H. Sompolinsky: On-line learning of dichotomies. "
    "Advances in Neural Information Processing Systems 7 (1995), 303-310.",
    claims=CLAIMS,
    errata=ERRATA,
    figures=(
        Figure("barkai1995/fig1", "figure 1", figure_1),
        Figure("barkai1995/fig2", "figure 2", figure_2),
        Figure(
            "barkai1995/stability", "text after eq. (9)", special_case.figure_stability
        ),
        Figure("barkai1995/excess", "text after eq. (9)", special_case.figure_excess),
        Figure("barkai1995/balanced", "text after eq. (12)", balanced),
    ),
)
