"""Pages of packages, made from their docstrings, and the list of all."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
import textwrap
from typing import Any

from paper_pages import table

PACKAGES = [
    "rosenblatt.estimators",
    "rosenblatt.river",
    "rosenblatt.models",
    "rosenblatt.training",
    "rosenblatt.sweeps",
    "rosenblatt.engines",
    "rosenblatt.bayes",
    "rosenblatt.simulation",
    "rosenblatt.linear",
    "rosenblatt.theory",
    "rosenblatt.rules",
    "rosenblatt.schedules",
    "rosenblatt.teachers",
    "rosenblatt.likelihoods",
    "rosenblatt.motions",
    "rosenblatt.streams",
    "rosenblatt.machines",
    "rosenblatt.committees",
    "rosenblatt.core",
    "rosenblatt.bits",
    "rosenblatt.plotting",
]
_BLOCK = re.compile(r"\.\. math::.*?(?=\n\S|\Z)", re.DOTALL)


def about(name: str) -> str:
    """Return the docstring of a package without what is for its developers."""
    text = inspect.getdoc(importlib.import_module(name)) or ""
    return "\n\n".join(
        part for part in text.split("\n\n") if not re.search(r"\bimports?\b", part)
    )


def _entry(package: str, offered: str, found: Any, explained: set[str]) -> str:
    """Return the entry of a name, with the equations of its file at the first one."""
    engine = isinstance(found, functools.partial)
    file = f"rosenblatt.simulation.{offered}" if engine else found.__module__
    if engine and offered == "coordinate":
        file = "rosenblatt.simulation.beliefs"
    text = inspect.getdoc(sys.modules[file]) or ""
    # MathJax has no numbers for formulas of several lines: they are written beside it
    text = _BLOCK.sub(
        lambda m: (
            re.sub(r"\\tag\{(\w+)\}", r"\\qquad \\text{(\1)}", m[0])
            if r"\\" in m[0]
            else m[0]
        ),
        text,
    )
    shown = "math:" in text and file not in explained
    explained.add(file)
    extra = textwrap.indent(text, "   ") if shown else ""
    if engine:
        text += (
            "\n\nThe arguments are those of :py:func:`~rosenblatt.simulation.simulate`."
        )
        called = f"{offered}{inspect.signature(found)}".replace("'", "")
        called = f"{called}\n   :module: {package}"
        return f".. py:function:: {called}\n\n{textwrap.indent(text, '   ')}\n"
    members = "   :members:\n" * inspect.isclass(found)
    if package == "rosenblatt.estimators" and members:
        # what all estimators of scikit-learn have is documented there
        members += "   :inherited-members: BaseEstimator, ClassifierMixin\n"
    kind = "class" if inspect.isclass(found) else "function"
    return f".. auto{kind}:: {package}.{offered}\n{members}\n{extra}\n"


def package_page(name: str) -> str:
    """Return the page of a package: all that it offers and that is its own."""
    package = importlib.import_module(name)
    explained = {name}  # files whose equations are on the page
    entries, elsewhere = [], []
    for offered in sorted(package.__all__):
        found = getattr(package, offered)
        home = getattr(found, "__module__", "")
        if isinstance(found, functools.partial):
            home = name
        if home.startswith(name):
            entries.append(_entry(name, offered, found, explained))
        elif home.startswith("rosenblatt."):
            package_of = ".".join(home.split(".")[:2])
            elsewhere.append(f":py:obj:`{offered} <{package_of}.{offered}>`")
    if elsewhere:
        entries.append(f"Documented elsewhere: {', '.join(elsewhere)}.\n")
    body = "\n".join([about(name), "", *entries])
    return f"# {name}\n\n```{{eval-rst}}\n{body}\n```\n"


def api_page() -> str:
    """Return the list of packages, each with a sentence about it."""
    rows = []
    for name in sorted(PACKAGES):
        first = about(name).partition("\n\n")[0].replace("\n", " ")
        first = re.sub("``(.*?)``", r"`\1`", first)
        rows.append([f"[{name}](api/{name}.md)", first])
    pages = "\n".join(f"api/{name}" for name in sorted(PACKAGES))
    return "\n\n".join(
        [
            "# API",
            "These packages contain the public names. The classifiers and functions "
            "such as `simulate`, `solve` and `rerun` are also in `rosenblatt` itself.",
            table(("package", "contents"), rows),
            "In signatures `FloatArray`, `IntArray` and `BoolArray` are NumPy arrays "
            "of double precision, of 64-bit integers and of Booleans. `Words` is an "
            "array of unsigned 64-bit integers. `ArrayLike` is anything that NumPy "
            "converts to an array.",
            f"```{{toctree}}\n:hidden:\n\n{pages}\n```",
            "",
        ]
    )
