"""Page of one paper: figures, claims and errata in reading order."""

from __future__ import annotations

from html import escape

from rosenblatt.papers.claims import Claim, Erratum, Kind
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.formatting import verdict_word
from rosenblatt.report.page.exhibits import exhibit
from rosenblatt.report.page.frame import filters, frame
from rosenblatt.report.page.locations import index
from rosenblatt.report.page.markup import MARKS, kind
from rosenblatt.report.page.outcomes import claims, errata
from rosenblatt.report.page.reading_order import in_order, section
from rosenblatt.report.results import PaperReport, Report, Result

__all__ = ["paper_page"]

_COUNTED = {Verdict.ERRATUM: "errata"}  # as a number of them is called
_CLAIMS = {"claims": Kind.REPRODUCTION, "regression checks": Kind.REGRESSION}
_FIGURE, _TABLE, _FAILED = "&#8767;", "&#9638;", MARKS[Verdict.NOT_REPRODUCED]
_KEY = ", ".join(
    f"{mark} {name}"
    for mark, name in (
        (_FIGURE, "a figure"),
        (_TABLE, "a table"),
        *((MARKS[verdict], verdict.value) for verdict in Verdict),
    )
)


def _mark(found: Result) -> str:
    """Return a link to an item, with a mark for its result."""
    name = escape(found.item.id)
    if isinstance(found, Outcome):
        verdict = found.verdict
        return (
            f'<a class="{kind(verdict)}" href="#{name}" title="{name}: '
            f'{verdict_word(found)}">{MARKS[verdict]}</a>'
        )
    if found.failure:
        return f'<a class="not-reproduced" href="#{name}" title="{name}">{_FAILED}</a>'
    sign = _FIGURE if found.drawing is not None else _TABLE
    return f'<a href="#{name}" title="{name}">{sign}</a>'


def _index(paper: PaperReport) -> str:
    """Return an index of locations, each with links to its items."""
    all_found: tuple[Result, ...] = (*paper.exhibits, *paper.outcomes)
    lines = []
    for heading, named in index((found.item.where, found) for found in all_found):
        entries = " ".join(
            f"<span>{place} {''.join(_mark(found) for found in there)}</span>"
            for place, there in named
        )
        lines.append(f"<dt>{heading}</dt><dd>{entries}</dd>")
    if not lines:
        return ""
    return (
        '<nav class="places" aria-label="places in the paper">'
        f"<dl>{''.join(lines)}</dl></nav>"
    )


def _has(paper: PaperReport, claim_kind: Kind) -> bool:
    """Return whether a paper has claims of a kind."""
    return any(
        isinstance(outcome.item, Claim) and outcome.item.kind is claim_kind
        for outcome in paper.outcomes
    )


def _anchor(key: str, name: str) -> str:
    return f"{key}:{name.replace(' ', '-')}"


def _part(name: str, heading: str, body: str) -> str:
    """Return a part of the page, which a click on its heading folds."""
    return (
        f'<details class="part" id="{name.replace(" ", "-")}" open><summary><h2>'
        f"{heading}</h2></summary>{body}</details>"
    )


def paper_page(paper: PaperReport, report: Report) -> str:
    """Return the page of a paper as HTML."""
    key, outline = escape(paper.paper.key), paper.paper.outline
    quick, cached = report.quick, report.cached
    exhibits = in_order(((one.item.where, one) for one in paper.exhibits), outline)
    outcomes = in_order(((one.item.where, one) for one in paper.outcomes), outline)
    parts = ""
    if exhibits:
        figures = "".join(
            exhibit(
                shown,
                section(shown.item.where, outline),
                quick=quick,
                cached=shown.item.id in cached,
            )
            for shown in exhibits
        )
        parts += _part("figures", "Figures and tables", figures)
    for name, claim_kind in _CLAIMS.items():
        if _has(paper, claim_kind):
            table = claims(
                outcomes, outline, kind=claim_kind, quick=quick, cached=cached
            )
            parts += _part(name, name.capitalize(), table)
    if any(isinstance(outcome.item, Erratum) for outcome in outcomes):
        shown = errata(outcomes, outline, quick=quick, cached=cached)
        parts += _part("errata", "Errata", shown)
    everything: list[Result] = [*exhibits, *outcomes]
    places = in_order(((one.item.where, one) for one in everything), outline)
    sections = dict.fromkeys(section(one.item.where, outline) for one in places)
    counts = ", ".join(
        f'<b class="{kind(verdict) if count else "none"}">{count}</b> '
        f"{_COUNTED.get(verdict, verdict.value)}"
        for verdict, count in paper.counts.items()
    )
    body = (
        f"<header><h1>{key}</h1><p>{escape(paper.paper.citation)}</p><p>{counts}</p>"
        f'<details class="more"><summary>Places in the paper</summary>{_index(paper)}'
        f'<p class="soft">{_KEY}</p></details></header>'
        f"{filters('section', [name for name in sections if name])}"
        f'<main id="main" tabindex="-1">{parts}</main>'
    )
    charts = any(shown.drawing for shown in paper.exhibits)
    return frame(report, f"{key}: reproduction", body, current=key, charts=charts)
