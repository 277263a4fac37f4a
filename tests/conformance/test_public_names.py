"""A change of a public name or signature needs a line in the changelog."""

import re
from pathlib import Path

from tests.public_names import STORED, public_names

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def test_changed_public_names_are_in_the_changelog():
    """The list is that of the last release; the first section is the next one."""
    changed = {*public_names()} ^ {*STORED.read_text().splitlines()}
    section = CHANGELOG.read_text().split("\n## ")[1]
    named = {*re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", section)))}
    silent = [
        line
        for line in sorted(changed)
        if named.isdisjoint(re.match(r"[\w.]+", line)[0].split(".")[-2:])
    ]
    assert not silent, "\n".join(["not in CHANGELOG.md:", *silent])
