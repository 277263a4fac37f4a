r"""On-line learning of dichotomies.

N. Barkai, H. S. Seung, H. Sompolinsky: On-line learning of dichotomies. Advances in
Neural Information Processing Systems 7 (1995), 303-310.

======================  ============================================
figure 1                :func:`figure_1`, with 10 000 replicas
... for large N         :func:`figure_1_large`, to :math:`\alpha = 10^9`
figure 2                :func:`figure_2`
special case (ii)       :func:`figure_stability`
eq. (9)                 :func:`figure_excess`
balanced labels         :func:`figure_balanced`
eqs. (24) and (27)      :func:`figure_equilibrium`
section 4, noise        :func:`figure_noise`
section 4, schedules    :func:`figure_schedules`
section 5               :func:`figure_baum`, :func:`figure_parity`
======================  ============================================

The paper tested the shifted rule "with several input distributions" and names one,
which is used here. Not reproduced: the remarks on distribution-free learning in section
1, which nothing can be measured of.
"""

from rosenblatt.papers.barkai1995.clusters import figure_balanced
from rosenblatt.papers.barkai1995.plane import (
    figure_equilibrium,
    figure_noise,
    figure_schedules,
)
from rosenblatt.papers.barkai1995.regular_rule import figure_excess, figure_stability
from rosenblatt.papers.barkai1995.section_2 import PAPER, figure_1, figure_1_large
from rosenblatt.papers.barkai1995.section_5 import figure_baum, figure_parity
from rosenblatt.papers.barkai1995.shifted_rule import figure_2

__all__ = [
    "PAPER",
    "figure_1",
    "figure_1_large",
    "figure_2",
    "figure_balanced",
    "figure_baum",
    "figure_equilibrium",
    "figure_excess",
    "figure_noise",
    "figure_parity",
    "figure_schedules",
    "figure_stability",
]
