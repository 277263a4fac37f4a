"""Report: run claims, errata, figures and tables of papers, and write a page.

``running`` finds what is asked for, computes it in processes and stores results.
``page`` writes the HTML, and ``reproduce`` does it all. Only the command line and the
documentation import this folder.
"""

import rosenblatt.charts.charts  # noqa: F401  # first: it names the extra for all of this
from rosenblatt.report.results import Report
from rosenblatt.report.running import reproduce, run, select

__all__ = ["Report", "reproduce", "run", "select"]
