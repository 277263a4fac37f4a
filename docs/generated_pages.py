"""Pages that are made: of papers from their claims, of packages, of the commands.

Where ``make report`` has been run, the papers' pages also say what was measured, and
have its pictures.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import outputs
import typer
from line_breaks import breakable_formulas
from sphinx.application import Sphinx

from rosenblatt import papers
from rosenblatt.cli.app import app as commands
from rosenblatt.core.formulas import marked
from rosenblatt.models.schemas import record_tables, state_tables
from rosenblatt.papers.claims import Claim, Erratum, Kind
from rosenblatt.papers.paper import Figure, Paper
from rosenblatt.report.files import stem

_HERE = Path(__file__).parent
_PACKAGES = [
    "rosenblatt.estimators",
    "rosenblatt.river",
    "rosenblatt.models",
    "rosenblatt.training",
    "rosenblatt.sweeps",
    "rosenblatt.engines",
    "rosenblatt.filters",
    "rosenblatt.simulation",
    "rosenblatt.separation",
    "rosenblatt.theory",
    "rosenblatt.rules",
    "rosenblatt.schedules",
    "rosenblatt.teachers",
    "rosenblatt.drifts",
    "rosenblatt.streams",
    "rosenblatt.machines",
    "rosenblatt.networks",
    "rosenblatt.core",
    "rosenblatt.bits",
    "rosenblatt.plotting",
]
_REPORT = _HERE.parent / "report"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; bars inside it would end a cell."""
    cells = [[*map(str, head)], *([*map(str, row)] for row in rows)]
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in cells]
    rule = " | ".join("---" for _ in cells[0])
    return "\n".join(f"| {line} |" for line in [lines[0], rule, *lines[1:]])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"


def _result(published: Any, found: Mapping[str, Any] | None) -> list[str]:
    """Return a line of numbers: the paper's, and those of a report if any."""
    numbers = []
    if isinstance(published, float | int):
        numbers.append(f"published {_number(published)}")
    if found is not None:
        spread = f" ± {found['stderr']:.1g}" if found["stderr"] else ""
        numbers.append(f"expected {_number(found['expected'])}")
        numbers.append(f"measured {_number(found['measured'])}{spread}")
        numbers.append(f"**{found['verdict']}**")
    return [", ".join(numbers)] if numbers else []


def _claim(claim: Claim, found: Mapping[str, Any] | None) -> str:
    numbers = _result(claim.published, found)
    return _entry(
        claim.id, claim.where, [breakable_formulas(claim.statement), *numbers]
    )


def _erratum(erratum: Erratum, found: Mapping[str, Any] | None) -> str:
    both = [
        f"Printed: {breakable_formulas(erratum.printed)}",
        f"Correct: {breakable_formulas(erratum.corrected)}",
    ]
    evidence = _result(None if found is None else found["published"], found)
    return _entry(erratum.id, erratum.where, [*both, *evidence])


def _picture(figure: Figure) -> str:
    """Return a picture of the report, if there is one, and where it belongs."""
    name = f"{stem(figure.id)}.png"
    if not (_REPORT / name).exists():
        return ""
    shutil.copyfile(_REPORT / name, _HERE / "papers" / name)
    return f"{marked(figure.where)}, `{figure.id}`:\n\n![{figure.id}]({name})"


def _entry(name: str, where: str, lines: Iterable[str]) -> str:
    """Return an entry of a list of definitions."""
    head = f"`{name}`, {breakable_formulas(where)}"
    return "\n".join([head, *(f": {line}\n" for line in lines)])


def _claims(
    paper: Paper, kind: Kind, results: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return entries of the claims of a kind."""
    chosen = (claim for claim in paper.claims if claim.kind is kind)
    return [_claim(claim, results.get(claim.id)) for claim in chosen]


def _regressions(paper: Paper, results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a section of regression checks, nothing if there are none."""
    entries = _claims(paper, Kind.REGRESSION, results)
    about = (
        "These compare with an earlier run of the same code. They find changes; they "
        "reproduce nothing."
    )
    return ["## Regression checks", about, *entries] if entries else []


def paper_page(paper: Paper, results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page of a paper, in Markdown."""
    docstring = inspect.getdoc(getattr(papers, paper.key)) or ""
    title, _, about = docstring.partition("\n\n")
    exhibits = ([f"`{x.id}`", marked(x.where)] for x in (*paper.figures, *paper.tables))
    return "\n\n".join(
        [
            f"({paper.key})=\n# {paper.key}: {title.rstrip('.')}",
            f"```{{eval-rst}}\n{about}\n```",
            f"Everything below is rerun by `rosenblatt reproduce {paper.key}`, a "
            "figure or table by its name in place of the paper's, and a claim or "
            "misprint by `rosenblatt claims` and its name. Verdicts and pictures are "
            "in [the report](../report.md), and here too if it was made first.",
            "## Figures and tables",
            _table(("name", "where"), exhibits),
            *filter(None, map(_picture, paper.figures)),
            "## Claims",
            *_claims(paper, Kind.REPRODUCTION, results),
            *_regressions(paper, results),
            *(["## Misprints"] if paper.errata else []),
            *(_erratum(erratum, results.get(erratum.id)) for erratum in paper.errata),
            "",
        ]
    )


def package_page(name: str) -> str:
    """Return the page of a package: all that it offers and that is its own."""
    package = importlib.import_module(name)
    entries = []
    for offered in sorted(package.__all__):
        found = getattr(package, offered)
        if getattr(found, "__module__", "").startswith(name):
            kind = "class" if inspect.isclass(found) else "function"
            members = "   :members:\n" * inspect.isclass(found)
            if name == "rosenblatt.estimators" and members:
                # what all estimators of scikit-learn have is documented there
                members += "   :inherited-members: BaseEstimator, ClassifierMixin\n"
            entries.append(f".. auto{kind}:: {name}.{offered}\n{members}")
    about = inspect.getdoc(package) or ""
    body = "\n".join([about, "", *entries])
    return f"# {name}\n\n```{{eval-rst}}\n{body}\n```\n"


def _option(option: Any) -> list[str]:
    """Return the row of an option or argument: how it is written, what it is for."""
    spelled = ", ".join(f for f in option.opts if f.startswith("-"))
    taken = option.metavar or (
        "" if getattr(option, "is_flag", False) else option.name.upper()
    )
    taken = taken.replace("|", " | ")  # a line may end there
    default = option.default
    shown = "" if default in (None, False) or not spelled else f"`{default}`"
    return [f"`{' '.join(filter(None, [spelled, taken]))}`", option.help, shown]


def command_page() -> str:
    """Return the page of the command line: all that the commands say with --help."""
    group: Any = typer.main.get_command(commands)
    pieces = ["# The command line", group.help]
    for name, command in group.commands.items():
        rows = [_option(option) for option in command.params]
        table = _table(("option", "what it is for", "default"), rows)
        pieces += [f"## rosenblatt {name}", command.help, table]
    return "\n\n".join([*pieces, ""])


def _typeset(tables: str) -> str:
    """Return tables of schemas with all headings, and powers as formulas."""
    tables = tables.replace("| field | |", "| field | value |")
    return re.sub(r"\b2\^(\d+)", r"$2^{\1}$", tables)


def schema_page() -> str:
    """Return the page on the schemas of model files."""
    introduction = (
        "Every field of a model file, and what it must be. Names of sizes, such as "
        "`columns`, stand for the same number throughout a file. Rows without a name "
        "are relations between fields."
    )
    return "\n\n".join(
        [
            "# The schemas of model files",
            introduction,
            "## Estimators",
            _typeset(state_tables()),
            "## Records",
            _typeset(record_tables()),
            "",
        ]
    )


def gallery_page() -> str:
    """Return a page with the pictures of all pages, each beside a link to its code."""
    tiles = []
    for page in sorted([*_HERE.glob("*.md"), *_HERE.glob("*/*.md")]):
        name = page.relative_to(_HERE).as_posix()
        if name in ("gallery.md", "index.md") or name.startswith(("api/", "papers/")):
            continue
        text = page.read_text()
        title = re.search(r"^# (.*)$", text, re.MULTILINE)
        for words, picture in re.findall(r"!\[(.*?)\]\(([^)]+\.png)\)", text):
            path = (page.parent / picture).resolve().relative_to(_HERE).as_posix()
            head = f"**[{title[1] if title else name}]({name})**"
            said = f"![{words}]({path})\n\n{head}\n\n{marked(words)}"
            tiles.append(f":::{{container}} card\n{said}\n:::")
    return "\n".join(
        [
            "# Gallery",
            "",
            "Each picture leads to the page with its code.",
            "",
            "::::{container} gallery",
            *tiles,
            "::::",
            "",
        ]
    )


def _print_outputs(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the stored outputs under the code of a page."""
    source[0] = outputs.with_outputs(page, source[0])


def _pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every page."""
    results = {}
    if (_REPORT / "claims.json").exists():
        rows = json.loads((_REPORT / "claims.json").read_text())
        results = {found["id"]: found for found in rows}
    (_HERE / "papers").mkdir(exist_ok=True)
    for key in papers.__all__:
        yield f"papers/{key}.md", paper_page(getattr(papers, key).PAPER, results)
    for package in _PACKAGES:
        yield f"api/{package}.md", package_page(package)
    yield "command_line.md", command_page()
    yield "gallery.md", gallery_page()
    yield "model_schemas.md", schema_page()


def _write(app: Sphinx) -> None:
    """Write the pages where Sphinx will find them."""
    for name, text in _pages():
        page = Path(app.srcdir) / name
        page.parent.mkdir(exist_ok=True)
        if not page.exists() or page.read_text() != text:  # else it is built again
            page.write_text(text)


def _skipped(
    app: Sphinx, what: str, name: str, found: object, skip: bool, options: Any
) -> bool:
    """Leave out fitted attributes, which classes list, and scikit-learn's own.

    Also fields of named tuples, which the signature has.
    """
    field = (inspect.getdoc(found) or "").startswith("Alias for field number")
    return skip or field or name.endswith(("_", "_request", "_metadata_routing"))


def _short_types(
    app: Sphinx,
    what: str,
    name: str,
    found: object,
    options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Print names of array types inside other types as names."""
    wrapped = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
    texts = (
        wrapped.sub(r"\1", text) if text else text for text in (signature, returns)
    )
    return next(texts), next(texts)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to write the pages."""
    app.connect("builder-inited", _write)
    app.connect("autodoc-skip-member", _skipped)
    app.connect("autodoc-process-signature", _short_types)
    app.connect("source-read", _print_outputs)
    return {"parallel_read_safe": True}
