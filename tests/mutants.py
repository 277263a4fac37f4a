"""Faults planted at random in the sources: ``python -m tests.mutants 60 --seed 1``.

Each fault changes one operator, comparison, sign or constant in a copy of the sources.
The examples in its docstrings, the tests that name its file, those of its folder, those
of all parts and those of other folders that use its public names are run on the copy;
of papers, first their claims.
Faults that no test notices are listed: each is to be explained or covered in
``tests/survivors.md``. A fault takes about a minute.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/rosenblatt")
SWAPS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">=", ">": "<=", "<=": ">"}
SWAPS |= {">=": "<", "==": "!=", "!=": "=="}
SKIPPED = ("cli", "lab", "report", "charts", "plotting", "system")  # not formulas
_SECONDS = 600  # after which tests are stopped, and say nothing
_PYTEST = ["pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=="}


def places(text):
    """Return where faults can be planted: (start, end, replacement) in the text."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def at(line, column):
        return lines[line - 1] + column

    found = []
    for node in ast.walk(ast.parse(text)):
        sign, left, right = None, None, None
        if isinstance(node, ast.BinOp):
            sign, left, right = _OPERATORS.get(type(node.op)), node.left, node.right
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            sign = _COMPARISONS.get(type(node.ops[0]))
            left, right = node.left, node.comparators[0]
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            start = at(node.lineno, node.col_offset)
            end = at(node.end_lineno, node.end_col_offset)
            found.append((start, end, f"({node.value!r} + 1)"))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            start = at(node.lineno, node.col_offset)
            found.append((start, start + 1, ""))
        if sign:
            first = at(left.end_lineno, left.end_col_offset)
            last = at(right.lineno, right.col_offset)
            where = text.find(sign, first, last)
            if where >= 0:
                found.append((where, where + len(sign), SWAPS[sign]))
    return found


def planted(random_, folder):
    """Plant one fault in the copy; return what was done, and how to undo it."""
    files = [
        path
        for path in sorted((folder / PACKAGE).rglob("*.py"))
        if path.relative_to(folder / PACKAGE).parts[0] not in SKIPPED
    ]
    # files are chosen by their size: a fault is as likely in every line
    sizes = [path.stat().st_size for path in files]
    while True:
        (path,) = random_.choices(files, sizes)
        text = path.read_text()
        options = places(text) if text.isascii() else []
        if options:
            break
    start, end, new = random_.choice(options)
    path.write_text(text[:start] + new + text[end:])
    line = text.count("\n", 0, start) + 1
    name = path.relative_to(folder / PACKAGE)
    return name, f"{name}:{line}: {text[start:end]!r} becomes {new!r}", (path, text)


def commands(name, folder):
    """Return commands that should notice a fault, those that know the file first."""
    own = folder / "tests" / name.parts[0]
    tests = [
        *sorted(own.rglob("test_*.py")),
        folder / "tests/conformance/test_parts.py",
    ]
    text = (folder / PACKAGE / name).read_text()
    word = name.parts[-2] if name.stem == "__init__" else name.stem
    about = [path for path in tests if word in path.name or word in path.read_text()]
    rest = [path for path in tests if path not in about]
    named = re.search(r"^__all__ = \[(.*?)\]", text, re.DOTALL | re.MULTILINE)
    public = re.findall(r'"(\w+)"', named[1]) if named else []
    users = re.compile(rf"\b({'|'.join(public) or word})\b")
    others = [
        path for path in (folder / "tests").rglob("test_*.py") if path not in tests
    ]
    using = [path for path in sorted(others) if users.search(path.read_text())]
    if name.parts[0] == "papers":
        key = name.parts[1] if len(name.parts) > 2 else "golea1993"
        yield ["rosenblatt", "claims", key, "--quick"]
    for some in (["--import-mode=prepend", PACKAGE / name], about, rest, using):
        if some:
            yield [*_PYTEST, *some]


def run(command, folder):
    """Run a module of Python on the copy; None if it does not end."""
    paths = os.pathsep.join([str(folder / "src"), str(folder)])
    cache = {"XDG_CACHE_HOME": str(folder / "cache")}  # machine code of faulty sources
    try:
        return subprocess.run(
            [sys.executable, "-m", *map(str, command)],
            cwd=folder,
            env=os.environ | cache | {"PYTHONPATH": paths},
            capture_output=True,
            check=False,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return None


def fate(name, folder, fault, broken):
    """Return what becomes of a fault, and whether a test notices it.

    ``fault`` is its file and that file's texts with and without it. Tests that fail
    without it too are added to ``broken``, and left out.
    """
    path, faulty, text = fault
    left = list(commands(name, folder))
    words = "survived"
    while left:
        command = left[0]
        skipped = [f"--deselect={test}" for test in broken]
        done = run(command + skipped if command[0] == "pytest" else command, folder)
        if done is None:
            words = "tests did not end"
        elif done.returncode not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            failed = _FAILED.search(done.stdout)
            again = [*_PYTEST, failed[1]] if failed else command
            path.write_text(text)
            fails = (without := run(again, folder)) is None or without.returncode
            path.write_text(faulty)
            if not fails:
                return f"noticed by {again[-1] if failed else again[:3]}", True
            if failed and failed[1] not in broken:
                broken.append(failed[1])
                continue
        left.pop(0)
    return words, False


def main(number, seed=0, first=1):
    """Plant faults one after the other and print those that survive."""
    random_, survivors, broken = random.Random(seed), [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "copy"
        skipped = shutil.ignore_patterns(".*", "build", "dist", "_build", "__pycache__")
        shutil.copytree(ROOT, folder, ignore=skipped)
        code = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if (code / "rosenblatt").is_dir():
            with suppress(shutil.Error):  # files that another process replaced
                shutil.copytree(code / "rosenblatt", folder / "cache/rosenblatt")
        for count in range(1, number + 1):
            where, words, (path, text) = planted(random_, folder)
            if count < first:
                path.write_text(text)
                continue
            found, noticed = fate(where, folder, (path, path.read_text(), text), broken)
            path.write_text(text)
            print(f"{count}: {words}, {found}", flush=True)
            if not noticed:
                survivors.append(f"{count}: {words}, {found}")
    print("To be explained:", *survivors, sep="\n")
    print("Tests that fail without a fault:", *broken, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=1, help="leave out those before")
    given = parser.parse_args()
    main(given.number, given.seed, given.first)
