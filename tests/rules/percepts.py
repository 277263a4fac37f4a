"""Percepts for tests of rules, with the usual numbers filled in."""

from rosenblatt.core import Percept


def percept(field, label=1.0, **other):
    given = {"norm2": 1.0, "input2": 1.0, "rate": 0.5, "dim": 10.0, **other}
    return Percept(field=field, label=label, **given)
