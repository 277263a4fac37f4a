"""Perceptron learning, a lecture.

S. Seung: Perceptron learning. 9.641 Lecture 3, September 12, 2002.

The lecture has no figures. These illustrate its statements:

======================  ============================================
section 3               :func:`figure_minima`
section 5               :func:`figure_digits`, :func:`figure_weights`
section 8               :func:`figure_mistakes`, :func:`table_cycles`
the learners            :class:`rosenblatt.estimators.GradientPerceptron`
the theorem as a tool   :func:`rosenblatt.separability`
======================  ============================================

The lecture states hardly a number. Claims make numbers of its statements, in cases
where they are known exactly. Not reproduced: that online learning is biologically more
plausible, and networks that are left for later lectures. Section 5 ends after its
second sentence; what it would have shown is in
:mod:`rosenblatt.papers.seung2002.digits`. Rates proportional to ``1/t`` cannot begin at
``t = 0``, as the sums of section 6 do.
"""

from rosenblatt.papers.seung2002 import online
from rosenblatt.papers.seung2002.digits import figure_digits, figure_weights
from rosenblatt.papers.seung2002.gradient import figure_minima
from rosenblatt.papers.seung2002.perceptron_rule import figure_mistakes, table_cycles
from rosenblatt.papers.seung2002.problems import PAPER

__all__ = [
    "PAPER",
    "figure_digits",
    "figure_minima",
    "figure_mistakes",
    "figure_weights",
    "online",
    "table_cycles",
]
