"""Pages that are made: of papers from their claims, of examples, packages, commands.

Where ``make report`` has been run, the papers' pages also say what was measured, and
have its pictures.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import outputs
import typer
from package_pages import PACKAGES, api_page, package_page
from paper_pages import paper_page, table
from sphinx.application import Sphinx

from rosenblatt import papers
from rosenblatt.cli.app import COMMANDS, loaded
from rosenblatt.cli.app import app as commands
from rosenblatt.core.formulas import as_text

_HERE = Path(__file__).parent
_REPORT = _HERE.parent / "report"
_TYPES = [  # long names of types in signatures, and short ones
    (r"~(?:\w+\.)+(\w+)", r"\1"),
    (r"TypeAliasForwardRef\('(\w+)'\)", r"\1"),
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[float64\]\]", "FloatArray"),
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[int64\]\]", "IntArray"),
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[uint64\]\]", "Words"),
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]", r"NDArray[\1]"),
    (r"\b(?:npt|np|xr)\.(?=\w)", ""),
]


def _option(option: Any) -> list[str]:
    """Return the row of an option or argument: how it is written, what it is for."""
    spelled = ", ".join(f for f in option.opts if f.startswith("-"))
    taken = option.metavar or (
        "" if getattr(option, "is_flag", False) else option.name.upper()
    )
    taken = taken.replace("|", " | ")  # a line may end there
    default = option.default
    shown = "" if default in (None, False) or not spelled else f" Default: `{default}`."
    help_ = re.sub(r"\b2\^(\d+)", r"$2^{\1}$", option.help) + shown
    return [f"`{' '.join(filter(None, [spelled, taken]))}`", help_]


def command_page() -> str:
    """Return the page of the command line: all that the commands say with --help."""
    group: Any = typer.main.get_command(commands)
    pieces = ["# The command line", group.help]
    for name in COMMANDS:
        command = loaded(name)
        rows = [_option(option) for option in command.params]
        options = table(("option", "purpose"), rows)
        pieces += [f"## rosenblatt {name}", command.help, options]
    return "\n\n".join([*pieces, ""])


def gallery_page() -> str:
    """Return a page with the pictures of all pages, each beside a link to its code."""
    tiles = []
    for page in sorted([*_HERE.glob("*.md"), *_HERE.glob("*/*.md")]):
        name = page.relative_to(_HERE).as_posix()
        if name in ("gallery.md", "index.md") or name.startswith(
            ("api/", "examples/", "papers/")
        ):
            continue
        text = page.read_text()
        title = re.search(r"^# (.*)$", text, re.MULTILINE)
        for words, picture in re.findall(r"!\[(.*?)\]\(([^)]+\.png)\)", text):
            path = (page.parent / picture).resolve().relative_to(_HERE).as_posix()
            head = f"**[{title[1] if title else name}]({name})**"
            picture_ = f"[![{words}]({path})]({name})"
            spelled = as_text(words)
            said = f"{picture_}\n\n{head}\n\n{spelled}"
            tiles.append(f":::{{container}} card\n{said}\n:::")
    return "\n".join(
        [
            "# Gallery",
            "",
            "Click a picture to open the page that explains it.",
            "",
            "::::{container} gallery",
            *tiles,
            "::::",
            "",
        ]
    )


def example_page(path: Path) -> str:
    """Return the page of an example: its docstring and its code."""
    code = path.read_text()
    title, _, about = (ast.get_docstring(ast.parse(code)) or "").partition("\n\n")
    return "\n\n".join(
        [
            f"# {title.rstrip('.')}",
            f"```{{eval-rst}}\n{about}\n```",
            f"```{{literalinclude}} ../../examples/{path.name}\n```",
            "",
        ]
    )


def _print_outputs(app: Sphinx, page: str, source: list[str]) -> None:
    """Put measured tables into a page, and the stored outputs under its code."""
    source[0] = outputs.with_outputs(page, outputs.with_tables(source[0]))


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
    for path in sorted((_HERE.parent / "examples").glob("*.py")):
        yield f"examples/{path.stem}.md", example_page(path)
    for package in PACKAGES:
        yield f"api/{package}.md", package_page(package)
    yield "api.md", api_page()
    yield "command_line.md", command_page()
    yield "gallery.md", gallery_page()


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
    foreign = (getattr(found, "__module__", None) or "").startswith("sklearn")
    hidden = name.endswith(("_", "_request", "_metadata_routing"))
    return skip or field or foreign or hidden


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
    texts = [text or "" for text in (signature, returns)]
    for pattern, short in _TYPES:
        texts = [re.sub(pattern, short, text) for text in texts]
    if is_dataclass(found):
        for one in fields(found):
            if one.default_factory is not MISSING:
                texts[0] = re.sub(
                    "= ?<factory>", f"= {one.default_factory()}", texts[0], count=1
                )
    return texts[0] or None, texts[1] or None


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to write the pages."""
    app.connect("builder-inited", _write)
    app.connect("autodoc-skip-member", _skipped)
    app.connect("autodoc-process-signature", _short_types)
    app.connect("source-read", _print_outputs)
    return {"parallel_read_safe": True}
