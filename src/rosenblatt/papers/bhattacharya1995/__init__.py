"""On the rate of convergence of perceptron learning.

U. Bhattacharya, S. K. Parui: On the rate of convergence of perceptron learning. Pattern
Recognition Letters 16 (1995), 491-497.

=======================  ============================================
figures 1a, 1b, 1c       :func:`figure_1a`, :func:`figure_1b`, :func:`figure_1c`
figures 2a, 2b, 2c       :func:`figure_2a`, :func:`figure_2b`, :func:`figure_2c`
figures 3a, 3b, 3c       :func:`figure_3a`, :func:`figure_3b`, :func:`figure_3c`
tables 1 and 2           :func:`table_1`, :func:`table_2`
rate of convergence      :func:`table_speed`
why they are bimodal     :func:`figure_parts`
=======================  ============================================

The paper has one run of each problem; here are 200, with its 19 checkpoints and test
sets, beside exact errors. Its conclusions on the rate of convergence are judged by when
a gain is first below twice the Bayes error, in full runs. Not reproduced: the published
curves of its figures, which the text does not give as numbers. Section 5, other gains
and outputs, is in ``examples/other_gains.py``.
"""

from rosenblatt.papers.bhattacharya1995 import text
from rosenblatt.papers.bhattacharya1995.problems import PAPER
from rosenblatt.papers.bhattacharya1995.tables import (
    figure_1a,
    figure_1b,
    figure_1c,
    figure_2a,
    figure_2b,
    figure_2c,
    figure_3a,
    figure_3b,
    figure_3c,
    figure_parts,
    table_1,
    table_2,
    table_speed,
)

__all__ = [
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
    "figure_parts",
    "table_1",
    "table_2",
    "table_speed",
    "text",
]
