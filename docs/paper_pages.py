"""Pages of papers, made from their claims and from the results of a report."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rosenblatt import papers
from rosenblatt.core.formulas import as_text
from rosenblatt.papers.claims import Claim, Figure, Kind, Measurement, Paper
from rosenblatt.report.results import stem, with_error

_INITIAL = re.compile(r"\A([A-Z])\. ")  # of an author; "S. " would begin a list
_ESCAPED = r"\\\1. "


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; bars inside it would end a cell."""
    cells = [[*map(str, head)], *([*map(str, row)] for row in rows)]
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in cells]
    rule = " | ".join("---" for _ in cells[0])
    return "\n".join(f"| {line} |" for line in [lines[0], rule, *lines[1:]])


def spelled(text: str) -> str:
    """Return a text with its formulas in letters and signs, for Markdown."""
    return as_text(text).replace("*", "\\*")


def _typeset(number: str) -> str:
    r"""Return a number with a minus sign, and a power of ten in TeX.

    Examples
    --------
    >>> _typeset("-1 +- 0.5"), _typeset("1.25e-07")
    ('\u22121 \xb1 0.5', '$1.25 \\times 10^{-7}$')
    """
    power = re.sub(r"(\S+)e([+-]\d+)", _power, number)
    return power if "$" in power else power.replace("+-", "±").replace("-", "\u2212")


def _power(found: re.Match[str]) -> str:
    return rf"${found[1]} \times 10^{{{int(found[2])}}}$"


def _number(value: float | None) -> str:
    return "" if value is None else _typeset(f"{value:.6g}")


def _measured(found: Mapping[str, Any]) -> str:
    """Return the measured number with the digits that its standard error leaves."""
    if found["measured"] is None:
        return ""
    number = Measurement(found["measured"], found["stderr"] or 0.0)
    return _typeset(with_error(number))


def _result(found: Mapping[str, Any] | None) -> list[str]:
    """Return a line of numbers of a report, if there is one."""
    if found is None:
        return []
    numbers = [
        f"{words} {_number(found[name])}"
        for name, words in (
            ("published", "published"),
            ("printed_formula_gives", "the printed formula gives"),
            ("expected", "expected"),
        )
        if found.get(name) is not None
    ]
    numbers += [f"measured {_measured(found)}", f"**{found['verdict']}**"]
    return [", ".join(numbers)]


def _statement(item: Claim, found: Mapping[str, Any] | None) -> str:
    lines = [f'"{spelled(item.quote)}"'] if item.quote else []
    lines.append(spelled(item.statement))
    if item.erratum:
        lines[-1] = f"Correct: {lines[-1]}"
        lines.append(f"Kind: {item.kind.value}. {spelled(item.evidence)}")
    if item.fails:
        lines.append(f"Not reproduced: {spelled(item.fails)}")
    return _entry(item.id, item.where, [*lines, *_result(found)])


def _picture(figure: Figure, report: Path, folder: Path) -> str:
    """Copy a picture of the report, if there is one; return it with its place."""
    name = f"{stem(figure.id)}.png"
    if not (report / name).exists():
        return ""
    shutil.copyfile(report / name, folder / name)
    where = spelled(figure.where)
    where = where[:1].upper() + where[1:]
    return f"**{where}**, `{figure.id}`\n\n![{figure.id}]({name})"


def _entry(name: str, where: str, lines: Iterable[str]) -> str:
    """Return an entry of a list of definitions."""
    head = f"`{name}`, {spelled(where)}"
    return "\n".join([head, *(f": {line}\n" for line in lines)])


def _section(
    heading: str, items: Iterable[Claim], results: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return a section of statements, nothing if there are none."""
    entries = [_statement(item, results.get(item.id)) for item in items]
    return [f"## {heading}", *entries] if entries else []


def paper_page(
    paper: Paper, results: Mapping[str, Mapping[str, Any]], report: Path, folder: Path
) -> str:
    """Return the page of a paper, in Markdown.

    Parameters
    ----------
    paper
        The paper.
    results
        Results of a report by the id of a claim; none if there is no report.
    report, folder
        The folders of the report and of the page; pictures are copied.
    """
    docstring = inspect.getdoc(getattr(papers, paper.key)) or ""
    title, _, about = docstring.partition("\n\n")
    exhibits = (
        [f"`{x.id}`", spelled(x.where)] for x in (*paper.figures, *paper.tables)
    )
    return "\n\n".join(
        [
            f"({paper.key})=\n# {paper.key}: {title.rstrip('.')}",
            f"```{{eval-rst}}\n{_INITIAL.sub(_ESCAPED, about)}\n```",
            f"`rosenblatt reproduce {paper.key}` runs everything on this page again. "
            "Give it the name of a figure or table to run only that. "
            "`rosenblatt claims` and a name run one claim or erratum. "
            "[The report](../tutorials/reader.md) has the verdicts and pictures. This "
            "page shows them too if the report was made before the documentation.",
            "## Figures and tables",
            table(("name", "where"), exhibits),
            *filter(None, (_picture(one, report, folder) for one in paper.figures)),
            *_section(
                "Claims", (c for c in paper.claims if c.kind is Kind.CLAIM), results
            ),
            *_section("Errata", paper.errata, results),
            *_section(
                "Extensions",
                (c for c in paper.claims if c.kind is Kind.EXTENSION),
                results,
            ),
            "",
        ]
    )
