"""Outputs of the documentation's code, printed under it.

``python docs/outputs.py`` runs the Python blocks of every page, one process a page, and
writes what each block printed to ``outputs.json``. The Sphinx build reads that file. A
page whose code has changed since shows no output until the script is run again. With
``--fresh`` it runs all pages: needed after a change of the package that changes digits.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
STORE = HERE / "outputs.json"
MEASURED = HERE / "measured.json"
_BLOCK = re.compile(r"```python\n(.*?)```\n", re.DOTALL)
_LONGEST = 300  # seconds that the code of a page may take


def digest(text: str) -> str:
    """Return a digest of all code of a page."""
    code = "\0".join(_BLOCK.findall(text))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def printed(blocks: list[str]) -> list[str]:
    """Run blocks one after the other, and return what each printed."""
    names: dict[str, object] = {"__name__": "__main__"}
    outputs = []
    for block in blocks:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(block, "<page>", "exec"), names)
        outputs.append(shown.getvalue())
    return outputs


def with_tables(text: str) -> str:
    """Return a page with the measured tables in the place of their marks."""
    known = json.loads(MEASURED.read_text(encoding="utf-8"))
    mark = re.compile(r"<!-- measured: (.+?) -->")
    return mark.sub(lambda found: "\n".join(known[found[1]]), text)


def with_outputs(page: str, text: str) -> str:
    """Return a page with the stored outputs under its code."""
    stored = json.loads(STORE.read_text()).get(page) if STORE.exists() else None
    if stored is None or stored["code"] != digest(text):
        return text
    outputs = iter(stored["outputs"])

    def add(found: re.Match[str]) -> str:
        shown = next(outputs).rstrip()
        if not shown:
            return found[0]
        return f"{found[0]}\n:::{{container}} output\n```text\n{shown}\n```\n:::\n"

    return _BLOCK.sub(add, text)


def _run(page: Path) -> list[str] | None:
    """Return the outputs of a page, computed in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, __file__, str(page)],
            cwd=folder,
            env=os.environ | {"MPLBACKEND": "agg"},
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return None
    return list(json.loads(done.stdout))


def main(*, fresh: bool = False) -> None:
    """Write the outputs of all pages, or of those whose code has changed."""
    stored = json.loads(STORE.read_text()) if STORE.exists() else {}
    made = {}
    for page in sorted(HERE.rglob("*.md")):
        name, text = str(page.relative_to(HERE).with_suffix("")), page.read_text()
        if name.startswith(
            ("api/", "examples/", "papers/", "_build")
        ) or not _BLOCK.search(text):
            continue
        code = digest(text)
        if stored.get(name, {}).get("code") == code and not fresh:
            made[name] = stored[name]
            continue
        try:
            outputs = _run(page)
        except subprocess.TimeoutExpired:
            outputs = None
        if outputs is not None:
            made[name] = {"code": code, "outputs": outputs}
        print(name, "failed" if outputs is None else "done", flush=True)
        STORE.write_text(json.dumps(stored | made, indent=1, sort_keys=True) + "\n")
    STORE.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--fresh"]:
        main(fresh=True)
    elif len(sys.argv) > 1:
        print(json.dumps(printed(_BLOCK.findall(Path(sys.argv[1]).read_text()))))
    else:
        main()
