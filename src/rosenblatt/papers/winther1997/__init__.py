"""Bayesian on-line learning in the perceptron.

O. Winther, S. A. Solla: Bayesian online learning in the perceptron. Connect, The Niels
Bohr Institute (1997).

======================  ============================================
figure 1                :func:`figure_1`, :func:`figure_trapped`
eq. (7)                 :func:`figure_calibration`
======================  ============================================

Learners: eq. (9) is :class:`rosenblatt.rules.SphericalBayes`, eqs. (10) and (11) are
:class:`rosenblatt.rules.BinaryBayes`. What section 4 leaves to the future, a criterion
for filters and the learning curve of the binary prior, is in
``examples/bayesian_online_learning.py``. Multilayer networks are not carried out.
"""

from rosenblatt.papers.winther1997.binary import figure_1, figure_trapped
from rosenblatt.papers.winther1997.spherical import PAPER, figure_calibration

__all__ = ["PAPER", "figure_1", "figure_calibration", "figure_trapped"]
