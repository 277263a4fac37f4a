"""On the rate of convergence of perceptron learning.

U. Bhattacharya, S. K. Parui: On the rate of convergence of perceptron learning. Pattern
Recognition Letters 16 (1995), 491-497.

=======================  ============================================
figures 1a, 1b, 1c       :func:`figure_1a`, :func:`figure_1b`, :func:`figure_1c`
figures 2a, 2b, 2c       :func:`figure_2a`, :func:`figure_2b`, :func:`figure_2c`
figures 3a, 3b, 3c       :func:`figure_3a`, :func:`figure_3b`, :func:`figure_3c`
tables 1 and 2           :func:`table_1`, :func:`table_2`
why they are bimodal     :func:`figure_parts`
conclusions              :func:`table_conclusions_linear`, ``..._nonlinear``
conditions (4) to (6)    :func:`figure_limits`
section 5, other gains   :func:`figure_future`
section 5, sigmoid       :func:`figure_sigmoid`
=======================  ============================================

The paper has one run of each problem; here are 200, with its 19 checkpoints and test
sets, beside exact errors. Each of the 32 values of its tables is a claim, or an
erratum. Its conclusions in words are claims where a majority of runs shows them, and
errata where not. Not reproduced: the published curves of its figures, which
the text does not give as numbers.
"""

from rosenblatt.papers.bhattacharya1995 import (
    future,
    limits,
    linear,
    nonlinear,
    table_cells,
    text,
)
from rosenblatt.papers.bhattacharya1995.figures_1_2 import (
    figure_1a,
    figure_1b,
    figure_1c,
    figure_2a,
    figure_2b,
    figure_2c,
    figure_parts,
    table_1,
    table_conclusions_linear,
)
from rosenblatt.papers.bhattacharya1995.future import figure_future, figure_sigmoid
from rosenblatt.papers.bhattacharya1995.limits import figure_limits
from rosenblatt.papers.bhattacharya1995.nonlinear import (
    figure_3a,
    figure_3b,
    figure_3c,
    table_2,
    table_conclusions_nonlinear,
)
from rosenblatt.papers.decorators import collected

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_1a",
    "figure_1b",
    "figure_1c",
    "figure_2a",
    "figure_2b",
    "figure_2c",
    "figure_3a",
    "figure_3b",
    "figure_3c",
    "figure_future",
    "figure_limits",
    "figure_parts",
    "figure_sigmoid",
    "table_1",
    "table_2",
    "table_conclusions_linear",
    "table_conclusions_nonlinear",
]

CLAIMS = (
    *text.CLAIMS,
    *table_cells.CLAIMS,
    *linear.CLAIMS,
    *nonlinear.CLAIMS,
    *limits.CLAIMS,
    *future.CLAIMS,
)

ERRATA = (
    *text.ERRATA,
    *table_cells.ERRATA,
    *linear.ERRATA,
    *nonlinear.ERRATA,
    *limits.ERRATA,
)

PAPER = collected(
    "bhattacharya1995",
    __doc__,
    "abstract, section 1, eq. (1), section 2, eqs. (2) to (3), "
    "conditions (4) to (6), section 3, eqs. (7) to (10), section 4, section 4.1, "
    "figures 1, 1a, 1b, 1c, 2, 2a, 2b, 2c, table 1, section 4.2, "
    "figures 3, 3a, 3b, 3c, table 2, section 5",
    (
        figure_1a,
        figure_1b,
        figure_1c,
        figure_2a,
        figure_2b,
        figure_2c,
        figure_parts,
        figure_3a,
        figure_3b,
        figure_3c,
        figure_limits,
        figure_future,
        figure_sigmoid,
        table_1,
        table_2,
        table_conclusions_linear,
        table_conclusions_nonlinear,
        *CLAIMS,
        *ERRATA,
    ),
)
