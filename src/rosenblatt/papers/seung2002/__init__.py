"""Perceptron learning, a lecture.

S. Seung: Perceptron learning. 9.641 Lecture 3, September 12, 2002.

The lecture has no figures. These illustrate its statements:

======================  ============================================
section 2               :func:`figure_rates`, :func:`figure_conditioning`
section 3               :func:`figure_minima`, :func:`figure_saturation`
section 5               :func:`figure_digits`, :func:`figure_weights`,
                        :func:`table_readings`
sections 4 and 6        :func:`figure_schedules`
section 8               :func:`figure_mistakes`, :func:`table_cycles`
the learners            :class:`rosenblatt.estimators.GradientPerceptron`
the theorem as a tool   :func:`rosenblatt.separability`
======================  ============================================

The lecture states hardly a number. Claims make numbers of its statements, in cases
where they are known exactly. Not reproduced: that online learning is biologically more
plausible, and networks that are left for later lectures.
"""

from rosenblatt.papers.decorators import collected
from rosenblatt.papers.seung2002 import (
    cycles,
    digits,
    errata,
    presentations,
    section_2,
    section_3,
    section_4,
    section_6,
    section_7,
    section_8,
)
from rosenblatt.papers.seung2002.cycles import table_cycles
from rosenblatt.papers.seung2002.digits import figure_digits, figure_weights
from rosenblatt.papers.seung2002.figures_2 import figure_conditioning, figure_rates
from rosenblatt.papers.seung2002.readings import table_readings
from rosenblatt.papers.seung2002.section_3 import figure_minima, figure_saturation
from rosenblatt.papers.seung2002.section_6 import figure_schedules
from rosenblatt.papers.seung2002.section_8 import figure_mistakes

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_conditioning",
    "figure_digits",
    "figure_minima",
    "figure_mistakes",
    "figure_rates",
    "figure_saturation",
    "figure_schedules",
    "figure_weights",
    "table_cycles",
    "table_readings",
]

CLAIMS = (
    *section_2.CLAIMS,
    *section_3.CLAIMS,
    *section_4.CLAIMS,
    *presentations.CLAIMS,
    *digits.CLAIMS,
    *section_6.CLAIMS,
    *section_7.CLAIMS,
    *section_8.CLAIMS,
    *cycles.CLAIMS,
)

ERRATA = errata.ERRATA

PAPER = collected(
    "seung2002",
    __doc__,
    "section 1, section 2, section 3, eqs. (1) to (2), section 4, section 5, "
    "section 6, section 7, section 8, eqs. (3) to (6)",
    (
        figure_rates,
        figure_conditioning,
        figure_minima,
        figure_saturation,
        figure_digits,
        figure_weights,
        figure_schedules,
        figure_mistakes,
        table_readings,
        table_cycles,
        *CLAIMS,
        *ERRATA,
    ),
)
