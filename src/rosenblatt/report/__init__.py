"""Reproduce papers: run their claims, errata, figures and tables, and write a page."""

from rosenblatt.report.found import Report
from rosenblatt.report.reproduce import reproduce
from rosenblatt.report.running import run
from rosenblatt.report.selection import select

__all__ = ["Report", "reproduce", "run", "select"]
