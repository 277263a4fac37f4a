"""A user's own file, forgotten again after each test."""

import sys

import pytest

OWN = """
from dataclasses import dataclass

from own_helper import HALF
from rosenblatt.core import Percept, Rule, Schedule, Teacher, Update


@dataclass(frozen=True)
class Timid(Rule):
    strength: float = 1.0
    steps: int = 1
    name: str = "timid"
    brave: bool = False

    def bind(self):
        strength = HALF * self.strength

        def step(p):
            wrong = p.label * p.field <= 0.0
            return Update(gain=strength * p.rate * p.label if wrong else 0.0, decay=0.0)

        return step


@dataclass(frozen=True)
class Broken(Rule):
    def bind(self):
        def step(p):
            return Update(gain=p.nothing, decay=0.0)

        return step


@dataclass(frozen=True)
class Wild(Rule):
    def bind(self):
        def step(p):
            return Update(gain=1e400, decay=0.0)

        return step


@dataclass(frozen=True)
class Guess(Teacher):
    def bind(self):
        def positive(b):
            return 0.5

        return positive


def late(clock):
    return 1.0 / (1.0 + clock.time)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return a function that gives the name of something in the file."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = set(sys.modules)
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own_helper.py").write_text("HALF = 0.5\n")
    (folder / "own_parts.py").write_text(OWN)
    yield lambda name: f"{folder / 'own_parts.py'}:{name}"
    for name in set(sys.modules) - known:
        if name.startswith("own_"):
            del sys.modules[name]
