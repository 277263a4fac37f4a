"""On-line learning in soft committee machines.

D. Saad and S. A. Solla, Phys. Rev. E 52, 4225 (1995); with M. Biehl and H. Schwarze,
J. Phys. A 28, 643 (1995).

These papers are not among the five that this project reproduces, and reports count
their claims apart. The numbers come from a second-hand source. Each is derived here
and nothing is quoted as published; there are no figures.
"""

from rosenblatt.papers.paper import Paper
from rosenblatt.papers.saad1995.plateau import CLAIMS

__all__ = ["CLAIMS", "ERRATA", "PAPER"]

ERRATA = ()

PAPER = Paper(
    key="saad1995",
    citation="D. Saad, S. A. Solla: On-line learning in soft committee machines. "
    "Physical Review E 52, 4225 (1995). Not one of the five papers; numbers are "
    "derived here.",
    outline="symmetric plateau, convergence of one unit",
    further=True,
    claims=CLAIMS,
    errata=ERRATA,
)
