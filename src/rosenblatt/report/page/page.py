"""The page of a report: one file that needs nothing else and no network."""

from __future__ import annotations

from html import escape
from importlib.metadata import version
from importlib.resources import files

from rosenblatt.papers.claims import Claim, Erratum, Kind
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.formatting import duration, verdict_word
from rosenblatt.report.page.charts import bokeh_script
from rosenblatt.report.page.exhibits import exhibit
from rosenblatt.report.page.locations import index
from rosenblatt.report.page.markup import MARKS, kind
from rosenblatt.report.page.outcomes import claims, errata
from rosenblatt.report.page.reading_order import in_order
from rosenblatt.report.results import Exhibit, PaperReport, Report, Result

__all__ = ["page"]

_HERE = files("rosenblatt.report.page")
_STYLE = _HERE.joinpath("page.css").read_text(encoding="utf-8")
_SCRIPT = _HERE.joinpath("page.js").read_text(encoding="utf-8")
_WORDS = {
    Verdict.REPRODUCED: "claims reproduced",
    Verdict.ERRATUM: "errata found",
    Verdict.NOT_REPRODUCED: "not reproduced",
}
_CLAIMS = {"claims": Kind.REPRODUCTION, "regression checks": Kind.REGRESSION}
# The browser itself refuses whatever is not in the page.
_POLICY = (
    "default-src 'none'; img-src data: blob:; font-src data:; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)


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


def _paper(paper: PaperReport, report: Report) -> str:
    key = escape(paper.paper.key)
    parts = [
        f'<h2><a class="anchor" href="#{key}">{key}</a></h2>',
        f"<p>{escape(paper.paper.citation)}</p>",
        _index(paper),
    ]
    outline = paper.paper.outline
    exhibits = in_order(((one.item.where, one) for one in paper.exhibits), outline)
    outcomes = in_order(((one.item.where, one) for one in paper.outcomes), outline)
    if exhibits:
        parts.append(f'<h3 id="{key}:figures">Figures and tables</h3>')
    for shown in exhibits:
        cached = shown.item.id in report.cached
        parts.append(exhibit(shown, quick=report.quick, cached=cached))
    quick, cached_ids = report.quick, report.cached
    for name, claim_kind in _CLAIMS.items():
        if _has(paper, claim_kind):
            heading = name.capitalize()
            parts.append(f'<h3 id="{_anchor(key, name)}">{heading}</h3>')
            parts.append(
                claims(
                    outcomes, outline, kind=claim_kind, quick=quick, cached=cached_ids
                )
            )
    if any(isinstance(outcome.item, Erratum) for outcome in outcomes):
        parts.append(f'<h3 id="{key}:errata">Errata</h3>')
        parts.append(errata(outcomes, quick=quick, cached=cached_ids))
    return f'<section id="{key}">{"".join(parts)}</section>'


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
    listed.append(("none", duration(report.seconds), "for all of it"))
    return "".join(
        f'<li class="{name}"><b>{count}</b> {what}</li>' for name, count, what in listed
    )


def _contents(report: Report) -> str:
    """Return a table of the papers, with links to their parts."""
    rows = ""
    for paper in report.papers:
        key = escape(paper.paper.key)
        counts = "".join(
            f'<td class="number {kind(verdict) if count else "none"}">{count}</td>'
            for verdict, count in paper.counts.items()
        )
        kinds = {
            "figures": bool(paper.exhibits),
            **{name: _has(paper, one) for name, one in _CLAIMS.items()},
            "errata": any(isinstance(o.item, Erratum) for o in paper.outcomes),
        }
        links = " ".join(
            f'<a href="#{_anchor(key, name)}">{name}</a>'
            for name, there in kinds.items()
            if there
        )
        rows += (
            f'<tr><td><a href="#{key}">{key}</a></td>{counts}'
            f'<td class="number">{sum(paper.regressions)}</td>'
            f'<td class="number">{len(paper.exhibits)}</td>'
            f'<td class="number">{duration(paper.seconds)}</td>'
            f'<td class="links">{links}</td></tr>'
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
        f"</th>{heads}<th>parts</th></tr></thead><tbody>{rows}</tbody></table></div>"
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
        f'<li><a href="#{escape(name)}">{escape(name)}</a> {escape(why)}</li>'
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


def page(report: Report) -> str:
    """Return the page as HTML."""
    papers = "".join(_paper(paper, report) for paper in report.papers)
    bar = "".join(
        f'<a href="#{escape(p.paper.key)}">{escape(p.paper.key)}</a>'
        for p in report.papers
    )
    charts = any(isinstance(e, Exhibit) and e.drawing for e in report.exhibits)
    library = bokeh_script() if charts else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>Reproduction of papers</title><style>{_STYLE}</style>"
        '<script>document.documentElement.className = "scripted";</script></head><body>'
        f'<nav class="bar" aria-label="papers"><a href="#top">Summary</a>{bar}</nav>'
        '<header id="top"><h1>Reproduction of papers</h1>'
        f'<ul class="counts">{_counts(report)}</ul>'
        f'<p class="soft">{_mode(report)} A claim is reproduced if what is '
        "measured agrees with what is expected and with what is published, an erratum "
        "if it agrees with what is expected only. A regression check compares with an "
        "earlier run of the same code and is counted apart. Errors are standard "
        "errors. Each item has the command that runs it again.</p>"
        '<p class="soft">Figures, claims and errata are in the order of the paper. '
        "Under its title are its places, with a mark for each item about them: "
        f"{_KEY}.</p>"
        f"{_troubles(report)}{_contents(report)}</header><main>{papers}</main>"
        # not run before a chart comes into view
        f'<script type="text/plain" id="bokeh">{library}</script>'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )
