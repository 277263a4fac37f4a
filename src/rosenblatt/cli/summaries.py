"""Summaries of commands, read from their sources without running them.

To load a command is to load all that it computes with. A list of commands should not
take as long as all of them together.
"""

from __future__ import annotations

import ast
from pathlib import Path

__all__ = ["summary"]

_HERE = Path(__file__).parent


def summary(module: str, function: str) -> str:
    """Return the docstring of a function in a module of this package, if it has one.

    Examples
    --------
    >>> summary("reproduce", "claims").partition(".")[0]
    'Rerun claims and errata of papers and print the verdicts'
    """
    path = _HERE.joinpath(*module.split(".")).with_suffix(".py")
    source = path.read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return ast.get_docstring(node) or ""
    raise LookupError(f"there is no function {function} in {module}.py")
