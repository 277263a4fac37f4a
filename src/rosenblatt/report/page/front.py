"""Front page of a report: counts, pictures of all figures, and a list of all items."""

from __future__ import annotations

import base64
import io
from html import escape
from importlib.metadata import version

from PIL import Image

from rosenblatt.charts.labels import as_html, as_text
from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Claim, Erratum
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.formatting import duration
from rosenblatt.report.page.frame import filters, frame
from rosenblatt.report.page.markup import facts, kind, verdict
from rosenblatt.report.results import Exhibit, Report, Result

__all__ = ["front_page"]

_WORDS = {
    Verdict.REPRODUCED: "claims reproduced",
    Verdict.ERRATUM: "errata found",
    Verdict.NOT_REPRODUCED: "not reproduced",
}
_WIDTH = 320  # pixels of a small picture


def _address(name: str) -> str:
    """Return the address of an item: the page of its paper, and its place there."""
    return escape(f"{name.partition('/')[0]}.html#{name}")


def _paper(found: Result) -> str:
    return found.item.id.partition("/")[0]


def _small(png: bytes) -> str:
    """Return a small copy of a picture, as data."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail((_WIDTH, _WIDTH), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.quantize(64).save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _tile(shown: Exhibit) -> str:
    """Return a small picture with a link to its figure."""
    assert isinstance(shown.data, FigureData)
    assert shown.drawing is not None
    paper, where = _paper(shown), shown.item.where
    return (
        f'<li {facts(shown, paper)}><a href="{_address(shown.item.id)}">'
        f'<img src="data:image/png;base64,{_small(shown.drawing.png)}" '
        f'alt="{escape(as_text(shown.data.title))}" loading="lazy" width="{_WIDTH}">'
        f"<span><b>{escape(paper)}</b>, {as_html(where)}</span></a></li>"
    )


def _wall(report: Report) -> str:
    """Return small pictures of all figures."""
    tiles = "".join(_tile(shown) for shown in report.exhibits if shown.drawing)
    if not tiles:
        return ""
    return (
        '<details class="part" open><summary><h2>Figures</h2></summary>'
        f'<ul class="wall">{tiles}</ul></details>'
    )


def _line(found: Result) -> str:
    """Return a row of the list of all items."""
    item = found.item
    name = escape(item.id)
    if isinstance(found, Outcome):
        cell = verdict(found)
        match item:
            case Claim():
                words = item.statement
            case Erratum():
                words = f"Misprint. Correct: {item.corrected}"
    else:
        cell = '<span class="verdict not-reproduced">failed</span>'
        cell = cell if found.failure else '<span class="none">shown</span>'
        words = found.failure if found.data is None else found.data.title
    return (
        f"<tr {facts(found, _paper(found))}><td>{cell}</td><td><p>{as_html(words)}</p>"
        f'<p class="soft"><a href="{_address(item.id)}">{name}</a>, '
        f"{as_html(item.where)}</p></td></tr>"
    )


def _list(report: Report) -> str:
    rows = ""
    for paper in report.papers:
        rows += "".join(map(_line, paper.exhibits)) + "".join(
            map(_line, paper.outcomes)
        )
    return (
        '<details class="part" id="items"><summary><h2>All items</h2></summary>'
        '<table class="cards list"><thead><tr><th>verdict</th><th>item</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></details>"
    )


def _counts(report: Report) -> str:
    listed = [
        (kind(verdict) if count else "none", str(count), _WORDS[verdict])
        for verdict, count in report.counts.items()
    ]
    unchanged, changed = report.regressions
    if unchanged or changed:
        listed.append(("none", str(unchanged), "regression checks unchanged"))
    if changed:
        listed.append(("not-reproduced", str(changed), "regression checks changed"))
    further = report.further
    if any(further.values()):
        right, wrong = further[Verdict.REPRODUCED], further[Verdict.NOT_REPRODUCED]
        name = "not-reproduced" if wrong else "none"
        count = f"{right} of {sum(further.values())}"
        listed.append((name, count, "reproduced in further papers"))
    failed = sum(bool(shown.failure) for shown in report.exhibits)
    if failed:
        listed.append(("not-reproduced", str(failed), "figures or tables failed"))
    listed.append(("none", duration(report.seconds), "computing time"))
    return "".join(
        f'<li class="{name}"><b>{count}</b> {what}</li>' for name, count, what in listed
    )


def _contents(report: Report) -> str:
    """Return a table of the papers, with links to their pages."""
    rows = ""
    for paper in report.papers:
        key = escape(paper.paper.key)
        counts = "".join(
            f'<td class="number {kind(verdict) if count else "none"}">{count}</td>'
            for verdict, count in paper.counts.items()
        )
        rows += (
            f'<tr><td><a href="{key}.html">{key}</a></td>{counts}'
            f'<td class="number">{sum(paper.regressions)}</td>'
            f'<td class="number">{len(paper.exhibits)}</td>'
            f'<td class="number">{duration(paper.seconds)}</td></tr>'
        )
    heads = "".join(
        f'<th class="number">{head}</th>'
        for head in (
            *_WORDS.values(),
            "regression checks",
            "figures, tables",
            "computing",
        )
    )
    return (
        f'<div class="wide" tabindex="0"><table class="contents"><thead><tr><th>paper'
        f"</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _troubles(report: Report) -> str:
    """Return a list of what failed or is not reproduced, each with the reason."""
    troubles = [
        (outcome.item.id, outcome.reason)
        for outcome in report.outcomes
        if outcome.verdict is Verdict.NOT_REPRODUCED
    ]
    troubles += [(e.item.id, e.failure) for e in report.exhibits if e.failure]
    if not troubles:
        return ""
    listed = "".join(
        f'<li><a href="{_address(name)}">{escape(name)}</a> {escape(why)}</li>'
        for name, why in troubles
    )
    return f'<div class="failure"><b>Look at these first</b><ul>{listed}</ul></div>'


def _mode(report: Report) -> str:
    mode = "Quick mode, with small simulations" if report.quick else "Full mode"
    total = sum(len(paper.paper.items()) for paper in report.papers)
    if report.cached:
        mode += (
            f"; {len(report.cached)} of {total} items come from an earlier run with "
            'the same sources and are marked "cached", with the time they took then'
        )
    return f"{mode}; rosenblatt {escape(version('rosenblatt'))}."


def front_page(report: Report) -> str:
    """Return the front page as HTML."""
    keys = [paper.paper.key for paper in report.papers]
    body = (
        "<header><h1>Reproduction of papers</h1>"
        f'<ul class="counts">{_counts(report)}</ul>'
        f'<p class="soft">{_mode(report)} A claim is reproduced if the measured value '
        "agrees with the expected and the published one. It is an erratum if it agrees "
        "with the expected one only. A regression check compares with an earlier run "
        "of the same code and is counted apart. Errors are standard errors. Each item "
        "has the command that runs it again.</p>"
        f"{_troubles(report)}{_contents(report)}</header>{filters('paper', keys)}"
        f'<main id="main" tabindex="-1">{_wall(report)}{_list(report)}</main>'
    )
    return frame(report, "Reproduction of papers", body, current="")
