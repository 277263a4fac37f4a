"""Claims and errata on the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rosenblatt.charts.labels import as_html
from rosenblatt.papers.claims import Claim, Erratum, Kind
from rosenblatt.papers.verdicts import Outcome
from rosenblatt.report.page.markup import facts, number, rerun, time_taken, verdict
from rosenblatt.report.page.reading_order import section

__all__ = ["claims", "errata"]


def _place(where: str, name: str) -> str:
    shown = as_html(where[:1].upper() + where[1:])
    return f'<a class="anchor" href="#{escape(name)}">{shown}</a>'


def _about(outcome: Outcome, quick: bool, cached: bool) -> str:
    item = outcome.item
    reason = escape(outcome.reason[:1].upper() + outcome.reason[1:])
    if item.because:
        reason += f". Allowance {item.allowance:.2g}: {as_html(item.because)}"
    return (
        f'<details class="more"><summary>{escape(item.id)}</summary>'
        f'<p class="soft">{reason}.</p>'
        f'<p class="soft">Computed in {time_taken(outcome.seconds, cached)}.</p>'
        f"{rerun(item, quick)}</details>"
    )


def _numbers(outcome: Outcome, cell: str, published: str, expected: str) -> str:
    """Return cells of the three numbers of an outcome, with these labels."""
    found = (
        (published, outcome.published),
        (expected, outcome.expected),
        ("measured", outcome.measured),
    )
    return "".join(cell.format(label, number(value)) for label, value in found)


def _claim(
    outcome: Outcome, claim: Claim, place: str, quick: bool, cached: bool
) -> str:
    cell = '<td class="number" data-label="{0}">{1}</td>'
    numbers = _numbers(outcome, cell, "published", "expected")
    return (
        f'<tr id="{escape(claim.id)}" {facts(outcome, place)}>'
        f'<td>{verdict(outcome)}</td><td class="about">'
        f"<p>{_place(claim.where, claim.id)} "
        f"{as_html(claim.statement)}</p>{_about(outcome, quick, cached)}"
        f"</td>{numbers}</tr>"
    )


def claims(
    outcomes: Sequence[Outcome],
    outline: str,
    *,
    kind: Kind,
    quick: bool,
    cached: frozenset[str],
) -> str:
    """Return a table of claims of one kind, with the paper's sections as headings."""
    rows, last = "", ""
    for outcome in outcomes:
        if not isinstance(outcome.item, Claim) or outcome.item.kind is not kind:
            continue
        heading = section(outcome.item.where, outline)
        if heading != last:
            rows += f'<tr class="place"><th colspan="5">{escape(heading)}</th></tr>'
        last = heading
        rows += _claim(outcome, outcome.item, heading, quick, outcome.item.id in cached)
    return (
        '<table class="cards"><thead><tr><th>verdict</th><th>claim</th>'
        '<th class="number">published</th><th class="number">expected</th>'
        '<th class="number">measured</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _erratum(
    outcome: Outcome, erratum: Erratum, place: str, quick: bool, cached: bool
) -> str:
    words = (
        ("printed", as_html(erratum.printed)),
        ("correct", as_html(erratum.corrected)),
        ("evidence", as_html(outcome.quantity or "none")),
    )
    entries = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in words)
    cell = "<div><dt>{0}</dt><dd>{1}</dd></div>"
    forms = ("the printed form gives", "the correct form gives")
    numbers = _numbers(outcome, cell, *forms)
    return (
        f'<article id="{escape(erratum.id)}" {facts(outcome, place)}>'
        f"<h3>{verdict(outcome)} "
        f"{_place(erratum.where, erratum.id)}</h3><dl>{entries}</dl>"
        f'<dl class="three">{numbers}</dl>{_about(outcome, quick, cached)}'
        "</article>"
    )


def errata(
    outcomes: Sequence[Outcome], outline: str, *, quick: bool, cached: frozenset[str]
) -> str:
    """Return errata, each with the evidence for it."""
    return "".join(
        _erratum(
            outcome,
            outcome.item,
            section(outcome.item.where, outline),
            quick,
            outcome.item.id in cached,
        )
        for outcome in outcomes
        if isinstance(outcome.item, Erratum)
    )
