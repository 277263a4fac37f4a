r"""On-line learning of dichotomies.

N. Barkai, H. S. Seung, H. Sompolinsky: On-line learning of dichotomies. Advances in
Neural Information Processing Systems 7 (1995), 303-310.

======================  ============================================
figure 1                :func:`figure_1`, with 10 000 replicas
... for large N         :func:`figure_1_large`, to :math:`\alpha = 10^9`
... against N           :func:`figure_crossover`
figure 2                :func:`figure_2`
special case (ii)       :func:`figure_stability`
eq. (9)                 :func:`figure_excess`
balanced labels         :func:`figure_balanced`
eqs. (24) and (27)      :func:`figure_equilibrium`
section 4, noise        :func:`figure_noise`
section 4, schedules    :func:`figure_schedules`
section 5               :func:`figure_baum`, :func:`figure_parity`
======================  ============================================

All equations that state a result, all numbers and both figures are claims. The paper
tested the shifted rule "with several input distributions" and names one;
:mod:`~rosenblatt.papers.barkai1995.input_laws` tries two others. Not reproduced,
because nothing can be measured: the remarks on distribution-free learning in section 1.
"""

from rosenblatt.papers.barkai1995 import (
    batch,
    bistability,
    clusters,
    committee,
    crossover,
    errata,
    errata_3,
    errata_4,
    input_laws,
    parity,
    section_2,
    section_2_schedules,
    section_3,
    section_3_rates,
    section_3_shifted,
    section_4,
    section_4_plane,
    section_5,
    special_case,
)
from rosenblatt.papers.barkai1995.clusters import figure_balanced
from rosenblatt.papers.barkai1995.crossover import figure_crossover
from rosenblatt.papers.barkai1995.figure_1 import CLAIMS as _FIGURE_1
from rosenblatt.papers.barkai1995.figure_1 import figure_1, figure_1_large
from rosenblatt.papers.barkai1995.figure_2 import CLAIMS as _FIGURE_2
from rosenblatt.papers.barkai1995.figure_2 import figure_2
from rosenblatt.papers.barkai1995.figures_4 import (
    figure_equilibrium,
    figure_noise,
    figure_schedules,
)
from rosenblatt.papers.barkai1995.parity import figure_parity
from rosenblatt.papers.barkai1995.section_5 import figure_baum
from rosenblatt.papers.barkai1995.special_case import figure_excess, figure_stability
from rosenblatt.papers.decorators import collected

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_1",
    "figure_1_large",
    "figure_2",
    "figure_balanced",
    "figure_baum",
    "figure_crossover",
    "figure_equilibrium",
    "figure_excess",
    "figure_noise",
    "figure_parity",
    "figure_schedules",
    "figure_stability",
]

CLAIMS = (
    *_FIGURE_1,
    *section_2.CLAIMS,
    *section_2_schedules.CLAIMS,
    *crossover.CLAIMS,
    *batch.CLAIMS,
    *errata.CLAIMS,
    *section_3.CLAIMS,
    *special_case.CLAIMS,
    *section_3_shifted.CLAIMS,
    *section_3_rates.CLAIMS,
    *input_laws.CLAIMS,
    *_FIGURE_2,
    *bistability.CLAIMS,
    *clusters.CLAIMS,
    *section_4.CLAIMS,
    *section_4_plane.CLAIMS,
    *committee.CLAIMS,
    *section_5.CLAIMS,
    *parity.CLAIMS,
)

ERRATA = (
    *errata.ERRATA,
    *section_2.ERRATA,
    *section_2_schedules.ERRATA,
    *errata_3.ERRATA,
    *bistability.ERRATA,
    *errata_4.ERRATA,
)

PAPER = collected(
    "barkai1995",
    __doc__,
    "abstract, section 1, section 2, eqs. (1) to (6), figure 1, section 3, "
    "eqs. (7) to (18), figure 2, section 4, eqs. (19) to (27), section 5",
    (
        figure_1,
        figure_1_large,
        figure_crossover,
        figure_2,
        figure_stability,
        figure_excess,
        figure_balanced,
        figure_equilibrium,
        figure_noise,
        figure_schedules,
        figure_baum,
        figure_parity,
        *CLAIMS,
        *ERRATA,
    ),
)
