"""On-line learning of dichotomies.

N. Barkai, H. S. Seung and H. Sompolinsky, Advances in Neural Information Processing
Systems 7 (1995), 303-310.

========  ==================
figure 1  :func:`figure_1`
========  ==================

Reproduced is section 2, a realisable rule: eqs. (3) to (6), all exponents, figure 1 and
two misprints. Not yet: sections 3 to 5 (output noise, biased inputs, shifted inputs,
smooth functions, weights without normalisation) and with them figure 2. The batch
result 0.625/alpha, which section 2 quotes for comparison, belongs to another paper.
"""

from rosenblatt.papers.barkai1995 import errata, section_2
from rosenblatt.papers.barkai1995.errata import ERRATA
from rosenblatt.papers.barkai1995.figure_1 import CLAIMS as _FIGURE_1
from rosenblatt.papers.barkai1995.figure_1 import figure_1
from rosenblatt.papers.paper import Figure, Paper

__all__ = ["CLAIMS", "ERRATA", "PAPER", "figure_1"]

CLAIMS = (*_FIGURE_1, *section_2.CLAIMS, *errata.CLAIMS)

PAPER = Paper(
    key="barkai1995",
    citation="N. Barkai, H. S. Seung, H. Sompolinsky: On-line learning of dichotomies. "
    "Advances in Neural Information Processing Systems 7 (1995), 303-310.",
    claims=CLAIMS,
    errata=ERRATA,
    figures=(Figure("barkai1995/fig1", "figure 1", figure_1),),
)
