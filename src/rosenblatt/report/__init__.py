"""Report: run claims, errata, figures and tables of papers, and write a page.

``selection`` finds what is asked for, ``running`` computes it in processes and stores
results, ``page`` writes the HTML, and ``reproduce`` does all three. Only the command
line and the documentation import this folder.
"""

import rosenblatt.charts.charts  # noqa: F401  # first: it names the extra for all of this
from rosenblatt.report.reproduce import reproduce
from rosenblatt.report.results import Report
from rosenblatt.report.running.run import run
from rosenblatt.report.selection import select

__all__ = ["Report", "reproduce", "run", "select"]
