import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt import papers
from rosenblatt.system import code

ROOT = Path(rosenblatt.__file__).parent


def names(module):
    return {str(path.relative_to(ROOT)) for path in code.sources(module)}


@pytest.mark.parametrize("key", papers.__all__)
def test_a_paper_depends_on_itself_and_what_it_uses_and_on_no_other(key):
    found = names(f"rosenblatt.papers.{key}")
    own = {str(path.relative_to(ROOT)) for path in (ROOT / "papers" / key).glob("*.py")}
    assert own <= found
    assert "papers/claims.py" in found
    assert "core/parts.py" in found
    for other in set(papers.__all__) - {key}:
        assert not any(name.startswith(f"papers/{other}/") for name in found)
    assert not any(name.startswith(("cli/", "report/", "lab/")) for name in found)


def test_no_module_that_papers_load_is_missing():
    """Compare with what Python itself loads for all papers."""
    script = (
        "import sys\n"
        "from rosenblatt import papers\n"
        "from rosenblatt.papers.claims import settle\n"
        "for key in papers.__all__:\n"
        "    settle(getattr(papers, key).PAPER.claims[0], quick=True)\n"
        "for name, module in sorted(sys.modules.items()):\n"
        "    if name.startswith('rosenblatt.'): print(module.__file__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    loaded = {str(Path(line).relative_to(ROOT)) for line in done.stdout.split()}
    assert len(loaded) > 50
    known = set().union(*(names(f"rosenblatt.papers.{key}") for key in papers.__all__))
    unknown = loaded - known
    # folders above what is imported hold imports and no code; Python loads them too
    folders = {name for name in unknown if name.endswith("/__init__.py")}
    above = (f"rosenblatt.{name[:-12].replace('/', '.')}" for name in folders)
    assert unknown <= folders.union(*map(names, above))


def forget():
    for value in vars(code).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def test_a_module_without_sources_has_no_digest():
    with pytest.raises(ValueError, match="must be of this package, got nobody"):
        code.code_digest("nobody")


def parsed_imports(file):
    """The slow twin: names of modules that the parser finds in a file."""
    found = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if code._files(name)}


def test_regular_expressions_find_what_the_parser_finds():
    files = list(ROOT.rglob("*.py"))
    assert len(files) > 100
    for file in files:
        assert parsed_imports(file) <= code._imports(file), file


def test_all_public_names_are_part_of_the_version_and_no_page_is():
    found = {name.split("/")[0] for name in names("rosenblatt")}
    assert {"bayes", "simulation", "linear", "theory", "estimators"} <= found
    assert not {"cli", "report", "lab"} & found


def test_settings_of_the_compiler_and_versions_are_part_of_the_version(monkeypatch):
    before = code.code_digest("rosenblatt.system.code")
    forget()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    other = code.code_digest("rosenblatt.system.code")
    forget()
    monkeypatch.setattr(code, "version", lambda name: "another")
    assert len({before, other, code.code_digest("rosenblatt.system.code")}) == 3
    forget()
