"""Frame that all pages of a report share: head, navigation, filters, style, script.

Each page is one file that needs no other file and no network.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from rosenblatt.charts.charts import bokeh_script, wipe_script
from rosenblatt.charts.labels import MATH_STYLE
from rosenblatt.report.results import Report

__all__ = ["filters", "frame"]

_HERE = files("rosenblatt.report.page")
_STYLE = MATH_STYLE + _HERE.joinpath("page.css").read_text(encoding="utf-8")
_SCRIPT = wipe_script() + _HERE.joinpath("page.js").read_text(encoding="utf-8")
# The browser itself refuses whatever is not in the page.
_POLICY = (
    "default-src 'none'; img-src data: blob:; font-src data:; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)
_VERDICTS = {"": "all", "erratum": "errata", "not-reproduced": "not reproduced"}


def filters(by: str, values: Iterable[str]) -> str:
    """Return a search box and filters: by verdict, and by section or paper."""
    choices = "".join(
        f'<label><input type="radio" name="verdict" value="{value}"'
        f"{'' if value else ' checked'}> {words}</label>"
        for value, words in _VERDICTS.items()
    )
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return (
        '<form class="filters" role="search" aria-label="filters">'
        '<label>Search <input type="search" name="words" autocomplete="off"></label>'
        f'<fieldset><legend class="hidden">Verdict</legend>{choices}</fieldset>'
        f'<label>{by.capitalize()} <select name="section"><option value="">all'
        f"</option>{options}</select></label>"
        '<output aria-live="polite"></output></form>'
    )


def frame(
    report: Report, title: str, body: str, *, current: str, charts: bool = False
) -> str:
    """Return a whole page; ``current`` is the key of its paper, empty in front."""
    keys = [escape(paper.paper.key) for paper in report.papers]
    here = ' aria-current="page"'
    bar = "".join(
        f'<a href="{key}.html"{here if key == current else ""}>{key}</a>'
        for key in keys
    )
    summary = f'<a href="index.html"{"" if current else here}>Summary</a>'
    # BokehJS is not run before a chart comes into view.
    library = f'<script type="text/plain" id="bokeh">{bokeh_script()}</script>'
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{_STYLE}</style>"
        '<script>document.documentElement.className = "scripted";</script></head><body>'
        '<a class="skip" href="#main">Skip to the content</a>'
        f'<nav class="bar" aria-label="papers">{summary}{bar}</nav>{body}'
        f"{library if charts else ''}<script>{_SCRIPT}</script></body></html>\n"
    )
