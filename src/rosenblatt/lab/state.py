"""State of the page: all choices of a visitor, which are its address.

Names are those of the options of ``rosenblatt simulate``. All values of an address are
checked here. A wrong value is reported, and the default is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from rosenblatt.core import BeliefRule, Motion, Rule, Schedule
from rosenblatt.core.arguments import number as finite
from rosenblatt.specification.codec import kebab, number, parse, spell, whole

__all__ = [
    "LONGEST",
    "OWN",
    "State",
    "changed",
    "from_query",
    "offer",
    "part_of",
    "query",
]

LONGEST = 200  # letters of a part; more is no description of one
_LONGEST_POINTS = 6000  # letters: browsers take about 8000 in an address
_SEEDS = 2**63 - 1
OWN: dict[str, str] = {}  # rules in files of the server's owner: file.py:Name, by name


def offer(rules: Iterable[str]) -> None:
    """Offer rules in files, ``file.py:Name``; visitors cannot name other files."""
    for text in rules:
        OWN[kebab(type(parse(Rule, text, BeliefRule)).__name__)] = text


def part_of(text: str, kind: Any, *others: Any) -> Any:
    """Return the part that a text of a visitor describes.

    Examples
    --------
    >>> part_of("perceptron:margin=2", Rule)
    Perceptron(margin=2.0)
    """
    name, colon, rest = text.partition(":")
    if kind is Rule and name in OWN:
        return parse(kind, f"{OWN[name]}{colon}{rest}", *others)
    return parse(kind, text, *others, files=False)


@dataclass(frozen=True)
class State:
    """Every choice on the page; the defaults are what a first visit shows.

    Examples
    --------
    >>> query(State(dim=50, noise=0.1))
    'noise=0.1&dim=50'
    """

    tab: str = "curves"
    units: int = 0  # hidden units of a committee, which is shown instead of a rule
    rule: str = "perceptron"
    normalised: bool = True
    decay: float | None = None
    shifted: str = "none"
    opening: float = 20.0
    # 2 sqrt(2 pi) / alpha, the best rate: barkai1995, text after eq. (6)
    schedule: str = f"power:scale={2 * math.sqrt(2 * math.pi):.6g}"
    noise: float = 0.0
    mean: float = 0.0
    overlap: float = 0.0
    motion: str = "none"  # or the teacher's motion
    dim: int = 1000
    alpha: float = 1000.0
    replicas: int = 50
    seed: int = 0
    axes: str = "logarithmic"
    figure: str = ""  # of a paper, by its id, instead of a run
    data: str = "iris"
    learner: str = "perceptron"
    order: int = 0  # seed of the order in which examples are shown
    points: str = ""  # drawn ones: x,y,class;...


def _one_of(*words: str) -> Callable[[str, str], str]:
    def read(name: str, text: str) -> str:
        if text not in words:
            raise ValueError(f"{name} must be one of {', '.join(words)}, got {text!r}")
        return text

    return read


def _number(low: float, high: float) -> Callable[[str, str], float]:
    return lambda name, text: finite(name, number(name, text), low=low, high=high)


def _whole(low: int, high: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        found = whole(name, text)
        if not low <= found <= high:
            raise ValueError(f"{name} must be from {low} to {high:g}, got {found:g}")
        return found

    return read


def _part(*kinds: Any) -> Callable[[str, str], str]:
    def read(name: str, text: str) -> str:
        return spell(part_of(text, *kinds))

    return read


def _short(name: str, text: str) -> str:
    """Raise ValueError if a text is too long."""
    most = _LONGEST_POINTS if name == "points" else LONGEST
    if len(text) > most:
        raise ValueError(f"{name} must have {most} letters at most, got {len(text)}")
    return text.strip()


def _text(longest: int) -> Callable[[str, str], str]:
    def read(name: str, text: str) -> str:
        if len(text) > longest or not text.isprintable():
            raise ValueError(f"{name} must be at most {longest} printable letters")
        return text

    return read


def _flag(name: str, text: str) -> bool:
    return _one_of("true", "false")(name, text) == "true"


def _decay(name: str, text: str) -> float | None:
    return None if text in ("", "none") else _number(0, 1e6)(name, text)


def _motion(name: str, text: str) -> str:
    return "none" if text in ("", "none") else _part(Motion)(name, text)


_READERS: dict[str, Callable[[str, str], Any]] = {
    "tab": _one_of("curves", "data"),
    "units": _whole(0, 3),
    "rule": _part(Rule, BeliefRule),
    "normalised": _flag,
    "decay": _decay,
    "shifted": _one_of("none", "average", "field", "known"),
    "opening": _number(0, 1e6),
    "schedule": _part(Schedule),
    "noise": _number(0, 0.5),
    "mean": _number(0, 100),
    "overlap": _number(-100, 100),
    "motion": _motion,
    "dim": _whole(1, 10**9),
    "alpha": _number(1e-3, 1e12),
    "replicas": _whole(1, 1000),
    "seed": _whole(0, _SEEDS),
    "axes": _one_of("logarithmic", "linear"),
    "figure": _text(60),
    "data": _text(40),
    "learner": _text(40),
    "order": _whole(0, _SEEDS),
    "points": _text(_LONGEST_POINTS),
}


def changed(state: State, **texts: str) -> State:
    """Return the state with other values, given as text; raise ValueError if wrong.

    Examples
    --------
    >>> changed(State(), dim="1e6").dim
    1000000
    >>> changed(State(), noise="0.7")
    Traceback (most recent call last):
    ValueError: noise must be a number from 0 to 0.5, got 0.7
    """
    return replace(
        state,
        **{
            name: _READERS[name](name, _short(name, text))
            for name, text in texts.items()
        },
    )


def from_query(given: Mapping[str, str]) -> tuple[State, list[str]]:
    """Return the state of an address, and what is wrong with the address.

    Examples
    --------
    >>> from_query({"dim": "50", "noise": "much"})[1]
    ["noise must be a number, got 'much'"]
    """
    state, wrong = State(), []
    for name, text in given.items():
        if name not in _READERS:
            wrong.append(f"there is nothing called {name[:LONGEST]!r} here")
            continue
        try:
            state = changed(state, **{name: text})
        except (ValueError, TypeError) as failure:
            wrong.append(str(failure))
    return state, wrong


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def query(state: State) -> str:
    """Return the address of a state: all that differs from a first visit."""
    first = State()
    given = {
        field.name: _written(getattr(state, field.name))
        for field in fields(State)
        if getattr(state, field.name) != getattr(first, field.name)
    }
    return urlencode(given, safe=":,()=;")
