"""The pages of a report: a front page, and one page per paper."""

from __future__ import annotations

from rosenblatt.report.page.front import front_page
from rosenblatt.report.page.paper import paper_page
from rosenblatt.report.results import Report

__all__ = ["pages"]


def pages(report: Report) -> dict[str, str]:
    """Return the HTML of every page, by the name of its file."""
    found = {f"{one.paper.key}.html": paper_page(one, report) for one in report.papers}
    return {"index.html": front_page(report), **found}
