"""Choices of a visitor: they are the address of the page, and all are checked here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from rosenblatt.core import BeliefRule, Motion, Rule, Schedule
from rosenblatt.core.arguments import number as finite
from rosenblatt.lab.points import BUNDLED, DRAWN, LEARNERS, read_points
from rosenblatt.specification.codec import kebab, number, parse, spell, whole

OWN: dict[str, str] = {}  # rules in files of the server's owner: file.py:Name, by name
_LONGEST = {"points": 6000}  # letters: browsers take about 8000 in an address
_LONG = 200  # letters of anything else
_PARTS: dict[str, tuple[Any, ...]] = {
    "rule": (Rule, BeliefRule),
    "schedule": (Schedule,),
    "motion": (Motion,),
}
_WORDS = {
    "tab": ("curves", "data"),
    "data": (*BUNDLED, DRAWN),
    "learner": tuple(LEARNERS),
    "normalised": ("true", "false"),
    "shifted": ("none", "average", "field", "known"),
    "axes": ("logarithmic", "linear"),
}
_LIMITS: dict[str, tuple[float, float]] = {
    "decay": (0, 1e6),
    "opening": (0, 1e6),
    "noise": (0, 0.5),
    "mean": (0, 100),
    "overlap": (-100, 100),
    "dim": (1, 10**9),
    "alpha": (1e-3, 1e12),
    "replicas": (1, 1000),
    "seed": (0, 2**53),
    "order": (0, 2**53),
}


def offer(rules: Iterable[str]) -> None:
    """Offer rules in files, ``file.py:Name``; visitors cannot name other files."""
    for text in rules:
        OWN[kebab(type(parse(Rule, text, BeliefRule)).__name__)] = text


def part_of(field: str, text: str) -> Any:
    """Return the part that a visitor's text describes; no file of his is run.

    Examples
    --------
    >>> part_of("rule", "perceptron:margin=2")
    Perceptron(margin=2.0)
    """
    kind, *others = _PARTS[field]
    name, colon, rest = text.partition(":")
    if field == "rule" and name in OWN:
        return parse(kind, f"{OWN[name]}{colon}{rest}", *others)
    return parse(kind, text, *others, files=False)


@dataclass(frozen=True)
class State:
    """All choices on the page; the defaults are those of a first visit.

    Examples
    --------
    >>> query(State(dim=50, noise=0.1))
    'noise=0.1&dim=50'
    """

    tab: str = "curves"
    rule: str = "perceptron"
    normalised: bool = True
    decay: float = 0.0
    shifted: str = "none"
    opening: float = 20.0
    # 2 sqrt(2 pi) / alpha, the best rate: barkai1995, text after eq. (6)
    schedule: str = f"power:scale={2 * math.sqrt(2 * math.pi):.6g}"
    noise: float = 0.0
    mean: float = 0.0
    overlap: float = 0.0
    motion: str = "none"  # of the teacher
    dim: int = 1000
    alpha: float = 1000.0
    replicas: int = 50
    seed: int = 0
    axes: str = "logarithmic"
    figure: str = ""  # id of a paper's figure, which is shown instead of a run
    data: str = "iris"
    learner: str = "perceptron"
    order: int = 0  # seed of the order in which examples are shown
    points: str = ""  # drawn points: x,y,class;...


def _value(name: str, text: str) -> Any:
    """Return the value of a choice; raise ValueError if it is wrong."""
    longest = _LONGEST.get(name, _LONG)
    if len(text) > longest or not text.isprintable():
        raise ValueError(
            f"{name} must have at most {longest} printable letters, got {len(text)}"
        )
    text = text.strip()
    if name in _WORDS:
        if text not in _WORDS[name]:
            raise ValueError(
                f"{name} must be one of {', '.join(_WORDS[name])}, got {text!r}"
            )
        return text == "true" if name == "normalised" else text
    if name in _LIMITS:
        low, high = _LIMITS[name]
        whole_number = isinstance(getattr(State, name), int)
        value = (whole if whole_number else number)(name, text)
        finite(name, value, low=low, high=high)
        return value
    if name in _PARTS and text != "none":
        return spell(part_of(name, text))
    if name == "points":
        read_points(text)
    return text


def changed(state: State, **texts: str) -> State:
    """Return the state with other values, given as text.

    Examples
    --------
    >>> changed(State(), dim="1e6").dim
    1000000
    >>> changed(State(), noise="0.7")
    Traceback (most recent call last):
    ValueError: noise must be a number from 0 to 0.5, got 0.7
    """
    return replace(state, **{name: _value(name, text) for name, text in texts.items()})


def from_query(given: Mapping[str, str]) -> tuple[State, list[str]]:
    """Return the state of an address, and what is wrong with the address.

    Examples
    --------
    >>> from_query({"dim": "50", "noise": "much"})[1]
    ["noise must be a number, got 'much'"]
    """
    state, wrong = State(), []
    known = {field.name for field in fields(State)}
    for name, text in given.items():
        if name not in known:
            wrong.append(f"there is nothing called {name[:_LONG]!r} here")
            continue
        try:
            state = changed(state, **{name: text})
        except (ValueError, TypeError) as failure:
            wrong.append(str(failure))
    return state, wrong


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def query(state: State) -> str:
    """Return the address of a state: all that differs from a first visit."""
    first = vars(State())
    given = {name: _text(v) for name, v in vars(state).items() if v != first[name]}
    return urlencode(given, safe=":,()=;")
