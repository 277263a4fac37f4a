"""Pages that are made: of papers from their claims, of packages, of the commands.

Where ``make report`` has been run, the papers' pages also say what was measured, and
have its pictures.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import outputs
import typer
from paper_pages import paper_page, table
from sphinx.application import Sphinx

from rosenblatt import papers
from rosenblatt.cli.app import app as commands
from rosenblatt.core.formulas import marked
from rosenblatt.models.schemas import record_tables, state_tables

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
        options = table(("option", "what it is for", "default"), rows)
        pieces += [f"## rosenblatt {name}", command.help, options]
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
    folder = _HERE / "papers"
    folder.mkdir(exist_ok=True)
    for key in papers.__all__:
        paper = getattr(papers, key).PAPER
        yield f"papers/{key}.md", paper_page(paper, results, _REPORT, folder)
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
