"""Claims and errata on the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rosenblatt.papers.claims import Claim, Erratum, Kind
from rosenblatt.papers.verdicts import Outcome
from rosenblatt.report.page.markup import number, rerun, time_taken, verdict
from rosenblatt.report.page.reading_order import section

__all__ = ["claims", "errata"]


def _place(where: str, name: str) -> str:
    shown = escape(where[:1].upper() + where[1:])
    return f'<a class="anchor" href="#{escape(name)}">{shown}</a>'


def _about(outcome: Outcome, cached: bool) -> str:
    item = outcome.item
    reason = escape(outcome.reason[:1].upper() + outcome.reason[1:])
    if item.because:
        reason += escape(f". Allowance {item.allowance:.2g}: {item.because}")
    return (
        f'<p class="soft">{reason}.</p><p class="soft">{escape(item.id)} '
        f"&#183; {time_taken(outcome.seconds, cached)}</p>"
    )


def _numbers(outcome: Outcome, cell: str, published: str, expected: str) -> str:
    """Return cells of the three numbers of an outcome, with these labels."""
    found = (
        (published, outcome.published),
        (expected, outcome.expected),
        ("measured", outcome.measured),
    )
    return "".join(cell.format(label, number(value)) for label, value in found)


def _claim(outcome: Outcome, claim: Claim, quick: bool, cached: bool) -> str:
    cell = '<td class="number" data-label="{0}">{1}</td>'
    numbers = _numbers(outcome, cell, "published", "expected")
    return (
        f'<tr id="{escape(claim.id)}"><td>{verdict(outcome)}</td>'
        f'<td class="about"><p>{_place(claim.where, claim.id)} '
        f"{escape(claim.statement)}</p>{_about(outcome, cached)}"
        f"{rerun(claim, quick)}</td>{numbers}</tr>"
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
        rows += _claim(outcome, outcome.item, quick, outcome.item.id in cached)
    return (
        '<table class="cards"><thead><tr><th>verdict</th><th>claim</th>'
        '<th class="number">published</th><th class="number">expected</th>'
        '<th class="number">measured</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _erratum(outcome: Outcome, erratum: Erratum, quick: bool, cached: bool) -> str:
    words = (
        ("printed", escape(erratum.printed)),
        ("correct", escape(erratum.corrected)),
        ("evidence", escape(outcome.quantity or "none")),
    )
    said = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in words)
    cell = "<div><dt>{0}</dt><dd>{1}</dd></div>"
    forms = ("the printed form gives", "the correct form gives")
    numbers = _numbers(outcome, cell, *forms)
    return (
        f'<article id="{escape(erratum.id)}"><h4>{verdict(outcome)} '
        f"{_place(erratum.where, erratum.id)}</h4><dl>{said}</dl>"
        f'<dl class="three">{numbers}</dl>{_about(outcome, cached)}'
        f"{rerun(erratum, quick)}</article>"
    )


def errata(outcomes: Sequence[Outcome], *, quick: bool, cached: frozenset[str]) -> str:
    """Return errata, each with the evidence for it."""
    return "".join(
        _erratum(outcome, outcome.item, quick, outcome.item.id in cached)
        for outcome in outcomes
        if isinstance(outcome.item, Erratum)
    )
