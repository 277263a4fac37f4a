"""Tables and picture of the architecture, made from the package itself.

``python docs/architecture.py`` writes them to ``docs/architecture.md``: the layers from
the import contracts, the walks from calls that are traced. A test fails if they are out
of date.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import rosenblatt as rb
from rosenblatt.cli.app import app

_HERE = Path(__file__).parent
_ROOT = _HERE.parent
PAGE = _HERE / "architecture.md"
PICTURE = _HERE / "images" / "layers.svg"
_ROLE = re.compile(r":\w+:`~?([^`]*)`")  # of Sphinx, which Markdown shows as text
_KERNEL = "compiling/jit.py", "call"  # the function that calls a kernel
_WIDTH, _HEIGHT, _GAP, _EDGE = 760, 34, 8, 10  # pixels


def layers() -> list[list[str]]:
    """Return the folders of each layer, the highest first."""
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (found,) = (one["layers"] for one in contracts if one["type"] == "layers")
    return [[name.strip() for name in layer.split("|")] for layer in found]


def summary(folder: str) -> str:
    """Return the first line of a folder's docstring."""
    package = _ROOT / "src" / "rosenblatt" / folder
    file = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert text, f"{file} has no docstring"
    return _ROLE.sub(r"`\1`", text.splitlines()[0])


def layer_table() -> str:
    """Return the layers as a table, with a line for each folder."""
    rows = ["| layer | folder | contents |", "|---|---|---|"]
    for number, layer in enumerate(reversed(layers()), start=1):
        rows += [f"| {number} | `{name}` | {summary(name)} |" for name in layer]
    return "\n".join(rows)


def picture() -> str:
    """Return the layers as a drawing: a folder may import those below it."""
    found = layers()
    height = len(found) * (_HEIGHT + _GAP) - _GAP + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="14">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for row, layer in enumerate(found):
        y = _EDGE + row * (_HEIGHT + _GAP)
        wide = (_WIDTH - 2 * _EDGE - (len(layer) - 1) * _GAP) / len(layer)
        for column, folder in enumerate(layer):
            x = _EDGE + column * (wide + _GAP)
            parts += [
                f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_HEIGHT}" '
                'rx="5" fill="#eef3f8" stroke="#5b7d9a"/>',
                f'<text x="{x + wide / 2:.1f}" y="{y + _HEIGHT / 2 + 5:.1f}" '
                f'text-anchor="middle" fill="#1d2b36">{escape(folder)}</text>',
            ]
    return "\n".join([*parts, "</svg>", ""])


class Walk(NamedTuple):
    """Files of the package that a call passes through."""

    down: list[str]  # those on the stack when the kernel, estimator or claim is called
    all: list[str]  # those in which any function runs, in order


def _file(code: CodeType) -> str | None:
    _, inside, name = code.co_filename.rpartition("/src/rosenblatt/")
    return name if inside and code.co_name != "<module>" else None


def _stack(frame: FrameType | None) -> list[str]:
    """Return the files on the stack, the outermost first."""
    found: list[str] = []
    while frame is not None:
        name = _file(frame.f_code)
        if name is not None and name not in found:
            found.append(name)
        frame = frame.f_back
    return found[::-1]


def walk(call: Callable[[], Any], end: tuple[str, str] = _KERNEL) -> Walk:
    """Return the files that a call passes through before it comes to an end.

    The end is a function in a file, by default that which calls a kernel. The call is
    made twice, so that nothing is compiled or loaded the second time.
    """
    call()
    seen: list[str] = []
    reached: dict[str, list[str]] = {}  # stacks of this thread, by file
    found = Walk([], [])

    def notice(frame: FrameType, event: str, _: Any) -> None:
        nonlocal found
        name = _file(frame.f_code)
        if event != "call" or name is None:
            return
        if name not in seen:
            seen.append(name)
        if threading.current_thread() is threading.main_thread():
            reached[name] = _stack(frame)
        if name.startswith(end[0]) and frame.f_code.co_name == end[1]:
            down = _stack(frame)
            before = reached.get(down[0], [])  # what has started another thread
            down = [*before, *(name for name in down if name not in before)]
            if len(down) > len(found.down):
                found = Walk(down, list(seen))

    threading.setprofile(notice)
    sys.setprofile(notice)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def walks() -> dict[str, Walk]:
    """Return the walk of each public call that the page names."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 5))
    y = (X[:, 0] > 0).astype(int)
    bayes = rb.BayesPerceptron().partial_fit(X, y, classes=[0, 1])
    online = rb.OnlinePerceptron().partial_fit(X, y, classes=[0, 1])
    given = rb.rules.Perceptron(), rb.schedules.Constant()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rows.csv"
        lines = [f"{x},{label}" for x, label in zip(X[:, 0], y, strict=True)]
        table.write_text("\n".join(["x,label", *lines]))
        train = ["train", str(table), "--target", "label"]
        reproduce = ["reproduce", "barkai1995/eq5/limit", "--quick", "--fresh"]
        reproduce += ["--out", folder]
        return {
            "BayesPerceptron.partial_fit": walk(lambda: bayes.partial_fit(X, y)),
            "OnlinePerceptron.partial_fit": walk(lambda: online.partial_fit(X, y)),
            "simulate": walk(lambda: rb.simulate(*given, dim=10, alpha=1, workers=1)),
            "rosenblatt train": walk(
                lambda: command(train), ("estimators/base.py", "taking")
            ),
            "rosenblatt reproduce": walk(
                lambda: command(reproduce), ("papers/claims.py", "settle")
            ),
        }


def command(words: list[str]) -> None:
    """Run a command of the command line, without what it prints."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        app(words, standalone_mode=False)


def walk_table() -> str:
    """Return the walks as a table."""
    rows = ["| call | down | the way down | files in all |", "|---|---|---|---|"]
    for name, (down, files) in walks().items():
        way = ", ".join(f"`{file}`" for file in down)
        rows.append(f"| `{name}` | {len(down)} | {way} | {len(files)} |")
    return "\n".join(rows)


def with_table(file: Path, name: str, table: str) -> str:
    """Return the text of a page with a new table between the marks of its name."""
    before, rest = file.read_text(encoding="utf-8").split(f"<!-- {name}: begin -->")
    _, after = rest.split(f"<!-- {name}: end -->")
    return f"{before}<!-- {name}: begin -->\n{table}\n<!-- {name}: end -->{after}"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(with_table(PAGE, "layers", layer_table()), encoding="utf-8")
    PAGE.write_text(with_table(PAGE, "walks", walk_table()), encoding="utf-8")
