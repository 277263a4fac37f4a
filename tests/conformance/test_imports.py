"""Imports inside the package: papers use public names, nobody uses private ones.

Import contracts know modules but not names, so these tests read the sources.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "rosenblatt"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAPERS = [path for path in MODULES if (PACKAGE / "papers") in path.parents]


def name(path):
    return path.relative_to(PACKAGE).as_posix()


def imports(path):
    """Pairs of a module of the package and a name that a file imports from it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("rosenblatt"):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            modules = [alias.name.rpartition(".") for alias in node.names]
            yield from (
                (parent or module, module)
                for parent, _, module in modules
                if (parent or module).startswith("rosenblatt")
            )


@cache
def listed(module):
    """Names that a module lists in ``__all__``; a stub lists all that it imports."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    stub = path / "__init__.pyi"
    if stub.exists():
        found = ast.walk(ast.parse(stub.read_text()))
        return {
            alias.asname
            for node in found
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
            return set(ast.literal_eval(node.value))
    return set()


def public(module):
    """True for folders of the package, and modules that it or a public folder lists."""
    parent, _, last = module.rpartition(".")
    if parent in ("", "rosenblatt"):
        folder = PACKAGE.parent.joinpath(*module.split("."))
        return folder.is_dir() or last in listed("rosenblatt")
    return public(parent) and last in listed(parent)


@pytest.mark.parametrize("path", PAPERS, ids=name)
def test_papers_import_public_names_only(path):
    private = [
        f"{module}.{imported}"
        for module, imported in imports(path)
        if not module.startswith("rosenblatt.papers")
        and not (public(module) and imported in listed(module))
    ]
    assert private == []


def test_the_rule_for_public_names_is_strict():
    assert public("rosenblatt.core.types")
    assert "FloatArray" in listed("rosenblatt.core.types")
    assert "learn" in listed("rosenblatt.linear")  # from its stub
    assert not public("rosenblatt.linear.dense")
    assert not public("rosenblatt.theory.closed.nothing")


def test_private_names_stay_in_their_module():
    found = [
        f"{name(path)}: {module}.{imported}"
        for path in MODULES
        for module, imported in imports(path)
        if imported.startswith("_") or "._" in module
    ]
    assert found == []
