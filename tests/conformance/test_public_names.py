"""A change of a public name or signature needs a line in the changelog."""

from importlib.metadata import version

import pytest

import rosenblatt as rb
from tests.public_names import CHANGELOG, STORED, STORED_CHANGELOG, public_names, silent


def test_changed_public_names_are_in_the_changelog():
    before, now = STORED.read_text().splitlines(), public_names()
    old, new = STORED_CHANGELOG.read_text(), CHANGELOG.read_text()
    missing = silent(before, now, old, new)
    assert not missing, "\n".join(["not in CHANGELOG.md:", *missing])


def test_only_new_lines_of_the_changelog_count():
    old = "- `fit` learns.\n- `Model` is there.\n"
    before = ["Model(rate=1)", "Model.fit(X, y)", "solve(rule)"]
    assert silent(before, before, old, old) == []
    changed = ["Model(rate=1)", "Model.fit(X, y, weight=None)"]
    lines = ["Model.fit(X, y)", "Model.fit(X, y, weight=None)", "solve(rule)"]
    assert silent(before, changed, old, old) == lines
    told = f"{old}- `fit` takes `weight`.\n"
    assert silent(before, changed, old, told) == ["solve(rule)"]
    assert silent(before, changed, old, f"{told}- `solve` is gone.\n") == []


def test_the_version_is_that_of_the_package():
    assert rb.__version__ == version("rosenblatt")
    with pytest.raises(AttributeError, match="nothing"):
        _ = rb.nothing
