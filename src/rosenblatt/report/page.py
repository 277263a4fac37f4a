"""The page of a report: one file that needs nothing else and no network."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape
from importlib.metadata import version
from importlib.resources import files

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Claim, Erratum, Measurement
from rosenblatt.papers.paper import Item
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.files import stem
from rosenblatt.report.running import Exhibit, PaperReport, Report
from rosenblatt.report.words import command, duration, shown

__all__ = ["page"]

_STYLE = files("rosenblatt.report").joinpath("page.css").read_text(encoding="utf-8")
_MARKS = {
    Verdict.REPRODUCED: "&#10003;",
    Verdict.ERRATUM: "&#8800;",
    Verdict.NOT_REPRODUCED: "&#10007;",
}


def _kind(verdict: Verdict) -> str:
    """Return the name that the style sheet has for a verdict."""
    return verdict.value.replace(" ", "-")


def _verdict(verdict: Verdict) -> str:
    mark, name = _MARKS[verdict], verdict.value
    return f'<span class="verdict {_kind(verdict)}">{mark} {name}</span>'


def _rerun(item: Item, quick: bool) -> str:
    return f'<code class="command">{escape(command(item, quick=quick))}</code>'


def _number(number: Measurement | None) -> str:
    return escape(shown(number)).replace("+-", "&#177;")


def _table(data: TableData) -> str:
    heads = "".join(f"<th>{escape(column)}</th>" for column in data.columns)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape('' if cell is None else str(cell))}</td>" for cell in row
        )
        + "</tr>"
        for row in data.cells
    )
    return (
        f'<div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _exhibit(exhibit: Exhibit, picture: bytes, quick: bool) -> str:
    name, data = exhibit.item.id, exhibit.data
    rerun = _rerun(exhibit.item, quick)
    head = (
        f'<span class="id">{escape(name)}</span> '
        f'<span class="soft">{escape(exhibit.item.where)}, {duration(exhibit.seconds)}'
        "</span>"
    )
    if exhibit.failure or data is None:
        failure = escape(exhibit.failure)
        return (
            f'<figure id="{escape(name)}"><p class="failure"><b>failed</b> '
            f"{failure}</p><figcaption>{head}{rerun}</figcaption></figure>"
        )
    caption = escape(data.caption)
    endings = ["csv"]
    if isinstance(data, FigureData):
        code = base64.b64encode(picture).decode()
        body = f'<img src="data:image/png;base64,{code}" alt="{escape(data.title)}">'
        endings = ["png", "pdf", "csv"]
    else:
        body = _table(data)
    links = " ".join(
        f'<a href="{escape(stem(name))}.{ending}">{ending.upper()}</a>'
        for ending in endings
    )
    return (
        f'<figure id="{escape(name)}">{body}<figcaption>{head}<p>{caption}</p>'
        f'<p class="soft">{links}</p>{rerun}</figcaption></figure>'
    )


def _claim(outcome: Outcome, claim: Claim, quick: bool) -> str:
    about = (
        f'<span class="id">{escape(claim.id)}</span> '
        f'<span class="soft">{escape(claim.where)}, {duration(outcome.seconds)}</span>'
        f"<p>{escape(claim.statement)}</p>"
        f'<p class="soft">{escape(outcome.reason)}</p>'
    )
    if claim.because:
        allowance = f"Allowance {claim.allowance:.2g}: {claim.because}."
        about += f'<p class="soft">{escape(allowance)}</p>'
    about += _rerun(claim, quick)
    numbers = "".join(
        f'<td class="number" data-label="{label}">{_number(number)}</td>'
        for label, number in (
            ("published", outcome.published),
            ("expected", outcome.expected),
            ("measured", outcome.measured),
        )
    )
    return (
        f'<tr id="{escape(claim.id)}"><td>{_verdict(outcome.verdict)}</td>'
        f"<td>{about}</td>{numbers}</tr>"
    )


def _claims(rows: str) -> str:
    return (
        '<h3>Claims</h3><table class="cards"><thead><tr><th>verdict</th><th>claim</th>'
        '<th class="number">published</th><th class="number">expected</th>'
        '<th class="number">measured</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _erratum(outcome: Outcome, erratum: Erratum, quick: bool) -> str:
    entries = (
        ("printed", escape(erratum.printed)),
        ("correct", escape(erratum.corrected)),
        ("evidence", escape(outcome.quantity or "none")),
        ("the printed form gives", _number(outcome.published)),
        ("the correct form gives", _number(outcome.expected)),
        ("measured", _number(outcome.measured)),
    )
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in entries)
    return (
        f'<article id="{escape(erratum.id)}">{_verdict(outcome.verdict)} '
        f'<span class="id">{escape(erratum.id)}</span> <span class="soft">'
        f"{escape(erratum.where)}, {duration(outcome.seconds)}</span><dl>{listed}</dl>"
        f'<p class="soft">{escape(outcome.reason)}</p>'
        f"{_rerun(erratum, quick)}</article>"
    )


def _paper(paper: PaperReport, pictures: Mapping[str, bytes], quick: bool) -> str:
    parts = [
        f"<h2>{escape(paper.paper.key)}</h2>",
        f"<p>{escape(paper.paper.citation)}</p>",
    ]
    if paper.exhibits:
        parts.append("<h3>Figures and tables</h3>")
    for exhibit in paper.exhibits:
        parts.append(_exhibit(exhibit, pictures.get(exhibit.item.id, b""), quick))
    claims, errata = "", ""
    for outcome in paper.outcomes:
        if isinstance(outcome.item, Claim):
            claims += _claim(outcome, outcome.item, quick)
        else:
            errata += _erratum(outcome, outcome.item, quick)
    if claims:
        parts.append(_claims(claims))
    if errata:
        parts.append(f"<h3>Errata</h3>{errata}")
    return "<section>" + "".join(parts) + "</section>"


def page(report: Report, pictures: Mapping[str, bytes]) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    report
        What became of all papers.
    pictures
        PNG files of the figures, by id.
    """
    counts = "".join(
        f'<li class="{_kind(verdict) if count else "none"}"><b>{count}</b>'
        f"{verdict.value}</li>"
        for verdict, count in report.counts.items()
    )
    failed = sum(bool(exhibit.failure) for exhibit in report.exhibits)
    if failed:
        counts += (
            f'<li class="not-reproduced"><b>{failed}</b>figures or tables failed</li>'
        )
    mode = "quick mode, with small simulations" if report.quick else "full mode"
    papers = "".join(_paper(paper, pictures, report.quick) for paper in report.papers)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Reproduction of papers</title><style>{_STYLE}</style></head><body>"
        f'<header><h1>Reproduction of papers</h1><ul class="counts">{counts}</ul>'
        f'<p class="soft">{mode}, {duration(report.seconds)}, '
        f"rosenblatt {escape(version('rosenblatt'))}. A claim is reproduced if what is "
        "measured agrees with what is expected and with what is published, an erratum "
        "if it agrees with what is expected only. Errors are standard errors.</p>"
        f"</header><main>{papers}</main></body></html>\n"
    )
