"""On learning perceptrons with binary weights.

M. Golea, M. Marchand: On learning perceptrons with binary weights. Neural Computation
(1993); third draft, December 22, 1992.

======================  ============================================
figure 1 (algorithm)    :class:`rosenblatt.estimators.BinaryPerceptron`
figure 2a               :func:`figure_2a`
figure 2b               :func:`figure_2b`
figure 3                :func:`figure_3`
======================  ============================================

Figures have the paper's n, numbers of samples and noise, and beside them exact curves
at these n. Not reproduced: NP-completeness, and the phase transition of consistent
rules, for which the paper gives no number.
"""

from rosenblatt.papers.golea1993 import algorithm
from rosenblatt.papers.golea1993.clipped_hebb_rule import figure_2a, figure_2b, figure_3
from rosenblatt.papers.golea1993.samples import PAPER

__all__ = [
    "PAPER",
    "algorithm",
    "figure_2a",
    "figure_2b",
    "figure_3",
]
