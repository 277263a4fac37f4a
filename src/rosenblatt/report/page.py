"""Pages of a report: a front page, and one for each paper, from one template."""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Iterable, Sequence
from functools import cache, partial
from importlib.metadata import version
from importlib.resources import files
from typing import Any, TypeVar

from jinja2 import Environment
from markupsafe import Markup
from PIL import Image

from rosenblatt.charts.charts import bokeh_script, wipe_script
from rosenblatt.core.figures import BLACK, TableData, styles
from rosenblatt.core.formulas import as_html, as_text
from rosenblatt.papers.claims import Item, Kind, Measurement, Outcome, Verdict
from rosenblatt.report.results import (
    Exhibit,
    PaperReport,
    Report,
    Result,
    Tally,
    command,
    duration,
    stem,
    with_error,
)

__all__ = ["in_order", "locations", "pages", "position", "section"]


_KINDS = "section|condition|lemma|theorem|corollary|footnote|eq|figure|table"
_NUMBER = r"\(?(\d+(?:\.\d+)*[a-z]?)\)?"
_PLACE = re.compile(
    rf"\b({_KINDS})s?\.?((?:(?:,| and| to)? {_NUMBER})+)|\b(abstract)\b"
)
_EACH = re.compile(rf"( to)? {_NUMBER}")

Entry = TypeVar("Entry")

_LATE = re.compile(r"\b(end|last)\b")


def locations(where: str) -> list[tuple[str, str]]:
    """Return kinds and numbers of all locations in a text.

    Examples
    --------
    >>> locations("text after eqs. (20) to (22) and figure 2b")
    [('eq', '20'), ('eq', '21'), ('eq', '22'), ('figure', '2b')]
    """
    found: list[tuple[str, str]] = []
    for kind, numbers, _, alone in _PLACE.findall(where):
        if alone:
            found.append((alone, ""))
            continue
        for reaches, number in _EACH.findall(numbers):
            if reaches and number.isdigit() and found[-1][1].isdigit():
                between = range(int(found[-1][1]) + 1, int(number))
                found += [(kind, str(each)) for each in between]
            found.append((kind, number))
    return found


def position(where: str, outline: str) -> float:
    """Return the position in a paper that words describe; infinity if unknown.

    Parameters
    ----------
    where
        Words for a place, of which the first counts if there are several.
    outline
        The paper's places in their order.

    Examples
    --------
    >>> outline = "abstract, section 1, eqs. (1) to (3), section 2, figure 1"
    >>> [position(where, outline) for where in ("section 1", "text after eq. (2)",
    ...                                         "section 1, last paragraph")]
    [1.0, 3.5, 4.75]
    """
    anchors = locations(outline)
    named = locations(re.split(r",? and ", where)[0])  # the first of several places
    known = [place for place in named if place in anchors]
    if not known:
        return math.inf
    at = anchors.index(known[-1])  # "section 4, after figure 2": the closest one
    kind, number = anchors[at]
    if kind == "section" and _LATE.search(where):
        # just before the next section that is not part of this one
        for later, (other, its_number) in enumerate(anchors[at + 1 :], at + 1):
            if other == "section" and not its_number.startswith(f"{number}."):
                return later - 0.25
        return len(anchors) - 0.25
    if "before" in where:
        return at - 0.5
    return at + (0.5 if "after" in where else 0.0)


def in_order(entries: Iterable[tuple[str, Entry]], outline: str) -> list[Entry]:
    """Return entries, each given with words for its location, in reading order.

    Examples
    --------
    >>> in_order([("eq. (2)", "b"), ("abstract", "a")], "abstract, eqs. (1) to (2)")
    ['a', 'b']
    """
    given = list(entries)
    return [
        entry for _, entry in sorted(given, key=lambda one: position(one[0], outline))
    ]


def section(where: str, outline: str) -> str:
    """Return the heading of the section that words describe; empty if there is none.

    Examples
    --------
    >>> section("text after eq. (2)", "abstract, section 1, eqs. (1) to (2)")
    'Section 1'
    """
    at, found = position(where, outline), ""
    if math.isinf(at):
        return ""
    for index, (kind, number) in enumerate(locations(outline)):
        if index > at:
            break
        if kind == "abstract":
            found = "Abstract"
        if kind == "section":
            found = f"Section {number}"
    return found


_WIDTH = 480  # pixels of a small picture
_STROKES = {"solid": "", "dashed": "6 4", "dotted": "2 3"}
_MARKS = {
    Verdict.REPRODUCED: "\u2713",
    Verdict.ERRATUM: "\u2260",
    Verdict.NOT_REPRODUCED: "\u2717",
}
# Columns of the front page: which count, and its colour.
_COUNTS = {
    "statements": ("checked", ""),
    "hold": ("hold", "reproduced"),
    "with a remark": ("remarks", "erratum"),
    "errors": ("errors", "erratum"),
    "not reproduced": ("missing", "not-reproduced"),
}


def _read(name: str) -> str:
    return files("rosenblatt.report").joinpath(name).read_text(encoding="utf-8")


def _state(found: Result) -> str:
    """Return the verdict, as used by the search, the filters and the colours."""
    if isinstance(found, Outcome):
        return found.verdict.replace(" ", "-")
    return "not-reproduced" if found.failure else "none"


def _parts(given: Measurement | None) -> tuple[str, str]:
    """Return a number and its error, with typographic minus signs."""
    if given is None:
        return "\u2013", ""
    value, _, error = with_error(given).replace("-", "\u2212").partition(" +\u2212 ")
    return value, error


def _window(outcome: Outcome) -> str:
    low, high = outcome.window or (-math.inf, math.inf)
    if math.isinf(high):
        return f"above {low:.5g}"
    if math.isinf(low):
        return f"below {high:.5g}"
    return f"{low:.5g} to {high:.5g}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _first_sentence(words: str) -> str:
    return re.split(r"(?<=\.) (?=[A-Z])", words)[0]


def _heading(shown: Exhibit) -> str:
    """Return the title without the place, which stands before it."""
    title, where = "" if shown.data is None else shown.data.title, shown.item.where
    if title.lower().startswith(f"{where}: "):
        title = _sentence(title[len(where) + 2 :])
    return title


@cache
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


def _summary(tally: Tally) -> str:
    """Return counts in words."""
    words = (
        f"{tally.checked} statements checked: {tally.hold} hold, {tally.remarks} hold "
        f"with a remark. Errors: {tally.errors}. Not reproduced: {tally.missing}."
    )
    return words + (f" Extensions: {tally.extensions}." if tally.extensions else "")


_FILTERS: dict[str, Any] = {
    "address": lambda item: f"{item.id.partition('/')[0]}.html#{item.id}",
    "base64": lambda png: base64.b64encode(png).decode(),
    "chart_data": _chart_data,
    "first_sentence": _first_sentence,
    "heading": _heading,
    "key": lambda found: found.item.id.partition("/")[0],
    "math": lambda words: Markup(as_html(words)),
    "numeric": _numeric,
    "paper": lambda found: found.published or found.formula,
    "parts": _parts,
    "plain": as_text,
    "sentence": _sentence,
    "small": _small,
    "state": _state,
    "stem": stem,
    "styles": styles,
    "window": _window,
}


def _page(report: Report, **given: Any) -> str:
    """Return the template, filled."""
    environment = Environment(autoescape=True, trim_blocks=True)

    def time_taken(found: Result) -> str:
        cached = ", cached" if found.item.id in report.cached else ""
        return duration(found.seconds) + cached

    environment.filters |= _FILTERS | {
        "command": partial(command, quick=report.quick),
        "time": time_taken,
        "section": lambda found: section(found.item.where, given.get("outline", "")),
    }
    filled = environment.from_string(_read("page.html")).render(
        keys=[one.paper.key for one in report.papers],
        style=Markup(_read("page.css")),
        script=Markup(wipe_script() + _read("page.js")),
        bokeh=lambda: Markup(bokeh_script()),
        marks=_MARKS,
        strokes=_STROKES,
        black=BLACK,
        **given,
    )
    return filled.lstrip()  # the macros come first


def _paper_page(one: PaperReport, report: Report) -> str:
    outline = one.paper.outline

    def ordered(found: Sequence[Result]) -> list[Any]:
        return in_order(((result.item.where, result) for result in found), outline)

    def of(kind: str) -> list[Any]:
        """Return claims, errata or extensions."""
        errata, ours = kind == "errata", kind == "extensions"
        return ordered(
            [
                o
                for o in one.outcomes
                if o.item.erratum == errata
                and (errata or (o.item.kind is Kind.EXTENSION) == ours)
            ]
        )

    everything = ordered([*one.exhibits, *one.outcomes])
    sections = dict.fromkeys(section(found.item.where, outline) for found in everything)
    parts = (
        ("figures", "Figures and tables", ordered(one.exhibits)),
        ("claims", "Claims", of("claims")),
        ("errata", "Errata", of("errata")),
        ("extensions", "Extensions, which are ours", of("extensions")),
    )
    return _page(
        report,
        title=f"{one.paper.key}: reproduction",
        current=one.paper.key,
        charts=any(shown.drawing for shown in one.exhibits),
        filter_by="section",
        filter_values=[name for name in sections if name],
        outline=outline,
        paper=one.paper,
        summary=_summary(one.tally),
        parts=[part for part in parts if part[2]],
    )


def _mode(report: Report) -> str:
    mode = f"Computed in {duration(report.seconds)}"
    if report.quick:
        mode = "Quick: small simulations, without what only a full run decides"
    if report.cached:
        total = sum(len(one.paper.items()) for one in report.papers)
        mode += (
            f"; {len(report.cached)} of {total} items come from an earlier run with "
            'the same sources and are marked "cached"'
        )
    return f"{mode}; rosenblatt {version('rosenblatt')}."


def _errors(report: Report) -> list[Outcome]:
    """Return the errors of the papers, each once however often it is measured."""
    found: dict[str, Outcome] = {}
    for one in report.papers:
        wrong = [
            (o.item.where, o)
            for o in one.outcomes
            if o.item.kind is Kind.ERROR and o.verdict is Verdict.ERRATUM
        ]
        for outcome in in_order(wrong, one.paper.outline):
            found.setdefault(outcome.item.quote, outcome)
    return list(found.values())


def _front_page(report: Report) -> str:
    troubles: list[tuple[Item, str]] = [(o.item, o.reason) for o in report.surprises]
    troubles += [(x.item, x.failure) for x in report.exhibits if x.failure]
    missing = [
        o
        for o in report.outcomes
        if o.verdict is Verdict.NOT_REPRODUCED and o.item.kind is not Kind.EXTENSION
    ]
    wall = [shown for shown in report.exhibits if shown.drawing]
    return _page(
        report,
        title="Papers, computed again",
        current="",
        charts=False,
        filter_by="paper",
        filter_values=[one.paper.key for one in report.papers],
        summary=_summary(report.tally),
        mode=_mode(report),
        troubles=troubles,
        findings=[shown for shown in wall if getattr(shown.item, "finding", "")],
        papers=report.papers,
        counts=_COUNTS,
        lists=(("Errors of the papers", _errors(report)), ("Not reproduced", missing)),
        wall=wall,
    )


def pages(report: Report) -> dict[str, str]:
    """Return the HTML of every page, by the name of its file."""
    found = {f"{one.paper.key}.html": _paper_page(one, report) for one in report.papers}
    return {"index.html": _front_page(report), **found}
