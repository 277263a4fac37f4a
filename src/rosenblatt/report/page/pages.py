"""Pages of a report: a front page, and one for each paper."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader
from markupsafe import Markup
from PIL import Image

from rosenblatt.charts.charts import bokeh_script, wipe_script
from rosenblatt.charts.labels import MATH_STYLE, as_html, as_text
from rosenblatt.core.curve_styles import BLACK, styles
from rosenblatt.core.figures import TableData
from rosenblatt.papers.claims import Item, Kind, Measurement, Outcome, Verdict
from rosenblatt.report.files import stem
from rosenblatt.report.formatting import command, duration, with_error
from rosenblatt.report.page.places import in_order, index, section
from rosenblatt.report.results import Exhibit, PaperReport, Report, Result, Tally

__all__ = ["front_page", "paper_page"]

_HERE = files("rosenblatt.report.page")
_WIDTH = 320  # pixels of a small picture
_STROKES = {"solid": "", "dashed": "6 4", "dotted": "2 3"}
_MARKS = {
    Verdict.REPRODUCED: "\u2713",
    Verdict.ERRATUM: "\u2260",
    Verdict.NOT_REPRODUCED: "\u2717",
}
_FIGURE, _TABLE = "\u223f", "\u25a6"
_SIGNS = f"{_FIGURE} a figure, {_TABLE} a table, " + ", ".join(
    f"{mark} {verdict.value}" for verdict, mark in _MARKS.items()
)
_PARTS = {
    "claims": "Claims",
    "errata": "Errata",
    "extensions": "Extensions, which are ours",
}
_TALLY_CLASSES = ("none", "reproduced", "erratum", "erratum", "not-reproduced", "none")


def _read(name: str) -> str:
    return _HERE.joinpath(name).read_text(encoding="utf-8")


def _css(verdict: Verdict) -> str:
    """Return the CSS class of a verdict."""
    return verdict.value.replace(" ", "-")


def _state(found: Result) -> str:
    """Return what search, filters and colours go by."""
    if isinstance(found, Outcome):
        return _css(found.verdict)
    return "not-reproduced" if found.failure else "none"


def _word(outcome: Outcome) -> str:
    """Return the verdict; an erratum that stands has the name of its kind."""
    if outcome.verdict is Verdict.ERRATUM:
        return outcome.item.kind.value
    return outcome.verdict.value


def _sign(found: Result) -> str:
    if isinstance(found, Outcome):
        return _MARKS[found.verdict]
    if found.failure:
        return _MARKS[Verdict.NOT_REPRODUCED]
    return _TABLE if isinstance(found.data, TableData) else _FIGURE


def _title(found: Result) -> str:
    words = f": {_word(found)}" if isinstance(found, Outcome) else ""
    return f"{found.item.id}{words}"


def _parts(given: Measurement | None) -> tuple[str, str]:
    """Return a number and its error, with typographic minus signs."""
    if given is None:
        return "\u2013", ""
    value, _, error = with_error(given).partition(" +- ")
    return value.replace("-", "\u2212"), error.replace("-", "\u2212")


def _window(outcome: Outcome) -> str:
    low, high = outcome.window or (-math.inf, math.inf)
    if math.isinf(high):
        return f"above {low:.5g}"
    if math.isinf(low):
        return f"below {high:.5g}"
    return f"{low:.5g} to {high:.5g}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _heading(shown: Exhibit) -> str:
    """Return the title without the place, which stands before it."""
    title, where = "" if shown.data is None else shown.data.title, shown.item.where
    if title.lower().startswith(f"{where}: "):
        title = _sentence(title[len(where) + 2 :])
    return title


def _small(png: bytes) -> str:
    """Return a small copy of a picture, as data."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail((_WIDTH, _WIDTH), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.quantize(64).save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _numeric(data: TableData, column: int) -> bool:
    return any(isinstance(row[column], int | float) for row in data.cells)


def _chart_data(shown: Exhibit) -> Markup:
    assert shown.drawing is not None
    return Markup(shown.drawing.chart.replace("</", "<\\/"))  # no text ends the script


def _tally(tally: Tally) -> str:
    """Return the counts of a paper in words."""
    words = (
        f"{tally.checked} statements checked: {tally.hold} hold, {tally.remarks} hold "
        f"with a remark, {tally.errors} are errors, {tally.missing} are not reproduced."
    )
    return words + (f" {tally.extensions} extensions." if tally.extensions else "")


_FILTERS: dict[str, Callable[..., Any]] = {
    "address": lambda item: f"{item.id.partition('/')[0]}.html#{item.id}",
    "base64": lambda png: base64.b64encode(png).decode(),
    "chart_data": _chart_data,
    "css": _css,
    "duration": duration,
    "heading": _heading,
    "key": lambda found: found.item.id.partition("/")[0],
    "math": lambda words: Markup(as_html(words)),
    "numeric": _numeric,
    "paper": lambda found: found.published or found.formula,
    "parts": _parts,
    "plain": as_text,
    "sentence": _sentence,
    "sentence_of": _tally,
    "sign": _sign,
    "small": _small,
    "state": _state,
    "stem": stem,
    "styles": styles,
    "title": _title,
    "window": _window,
    "word": _word,
}


def _page(template: str, report: Report, **given: Any) -> str:
    """Return a template, filled."""
    environment = Environment(
        loader=FunctionLoader(_read), autoescape=True, trim_blocks=True
    )

    def time_taken(found: Result) -> str:
        cached = ", cached" if found.item.id in report.cached else ""
        return duration(found.seconds) + cached

    environment.filters |= _FILTERS | {
        "command": partial(command, quick=report.quick),
        "time": time_taken,
        "section": lambda found: section(found.item.where, given.get("outline", "")),
    }
    return environment.get_template(template).render(
        keys=[one.paper.key for one in report.papers],
        style=Markup(MATH_STYLE + _read("page.css")),
        script=Markup(wipe_script() + _read("page.js")),
        bokeh=lambda: Markup(bokeh_script()),
        marks=_MARKS,
        strokes=_STROKES,
        black=BLACK,
        **given,
    )


def _ordered(found: Sequence[Result], outline: str) -> list[Any]:
    return in_order(((one.item.where, one) for one in found), outline)


def _part(outcome: Outcome) -> str:
    """Return the part of the page that an outcome belongs to."""
    if outcome.item.erratum:
        return "errata"
    return "extensions" if outcome.item.kind is Kind.EXTENSION else "claims"


def paper_page(one: PaperReport, report: Report) -> str:
    """Return the page of a paper as HTML."""
    outline = one.paper.outline
    everything = _ordered([*one.exhibits, *one.outcomes], outline)
    parts = [("figures", "Figures and tables", _ordered(one.exhibits, outline))]
    for name, heading in _PARTS.items():
        chosen = [o for o in one.outcomes if _part(o) == name]
        parts.append((name, heading, _ordered(chosen, outline)))
    sections = dict.fromkeys(section(found.item.where, outline) for found in everything)
    return _page(
        "paper.html",
        report,
        title=f"{one.paper.key}: reproduction",
        current=one.paper.key,
        charts=any(shown.drawing for shown in one.exhibits),
        filter_by="section",
        filter_values=[name for name in sections if name],
        outline=outline,
        paper=one.paper,
        tally=one.tally,
        places=index((found.item.where, found) for found in everything),
        key_of_signs=_SIGNS,
        parts=[part for part in parts if part[2]],
    )


def _counts(report: Report) -> list[tuple[str, str, str]]:
    """Return numbers, their words and their colours."""
    tally = report.tally
    listed = [
        (str(tally.checked), "statements of the papers checked", "none"),
        (str(tally.hold + tally.remarks), "hold", "reproduced"),
        (str(tally.errors), "errors of the papers", "erratum"),
        (str(tally.missing), "not reproduced", "not-reproduced"),
    ]
    if report.failed:
        failed = str(len(report.failed))
        listed.append((failed, "figures or tables failed", "not-reproduced"))
    return [*listed, (duration(report.seconds), "computing time", "none")]


def _mode(report: Report) -> str:
    mode = "Full mode"
    if report.quick:
        mode = "Quick mode: small simulations, without what only a full run decides"
    total = sum(len(one.paper.items()) for one in report.papers)
    if report.cached:
        mode += (
            f"; {len(report.cached)} of {total} items come from an earlier run with "
            'the same sources and are marked "cached", with the time they took then'
        )
    return f"{mode}; rosenblatt {version('rosenblatt')}."


def _troubles(report: Report) -> list[tuple[Item, str]]:
    """Return what failed or has an unexpected verdict, each with the reason."""
    found: list[tuple[Item, str]] = [(o.item, o.reason) for o in report.surprises]
    return found + [(x.item, x.failure) for x in report.exhibits if x.failure]


def _errors(report: Report) -> list[Outcome]:
    """Return the errors of the papers, each once however often it is measured."""
    found: dict[str, Outcome] = {}
    for outcome in report.outcomes:
        item = outcome.item
        if item.kind is Kind.ERROR and outcome.verdict is Verdict.ERRATUM:
            found.setdefault(item.quote or item.id, outcome)
    return list(found.values())


def front_page(report: Report) -> str:
    """Return the front page as HTML."""
    return _page(
        "front.html",
        report,
        title="Reproduction of papers",
        current="",
        charts=False,
        filter_by="paper",
        filter_values=[one.paper.key for one in report.papers],
        counts=_counts(report),
        mode=_mode(report),
        troubles=_troubles(report),
        papers=report.papers,
        tally_classes=_TALLY_CLASSES,
        errors=_errors(report),
        missing=[
            o
            for one in report.papers
            for o in one.outcomes
            if o.verdict is Verdict.NOT_REPRODUCED and o.item.kind is not Kind.EXTENSION
        ],
        wall=[shown for shown in report.exhibits if shown.drawing],
    )
