r"""On-line learning of dichotomies.

N. Barkai, H. S. Seung, H. Sompolinsky: On-line learning of dichotomies. Advances in
Neural Information Processing Systems 7 (1995), 303-310.

======================  ==============================================
figure 1                :func:`figure_1`, with 10 000 replicas
figure 2                :func:`figure_2`
special case (ii)       :func:`figure_stability`
eqs. (24) and (27)      :func:`figure_equilibrium`
section 5               :func:`figure_baum`
======================  ==============================================

The paper tested the shifted rule "with several input distributions" and names one,
which is used here. Not reproduced: the remarks on distribution-free learning in section
1, which nothing can be measured of. Rules for balanced labels are compared in
``examples/balanced_labels.py``.
"""

from rosenblatt.papers.barkai1995.plane import figure_equilibrium
from rosenblatt.papers.barkai1995.regular_rule import figure_stability
from rosenblatt.papers.barkai1995.section_2 import PAPER, figure_1
from rosenblatt.papers.barkai1995.section_5 import figure_baum
from rosenblatt.papers.barkai1995.shifted_rule import figure_2

__all__ = [
    "PAPER",
    "figure_1",
    "figure_2",
    "figure_baum",
    "figure_equilibrium",
    "figure_stability",
]
