"""Records become plain values, and these are checked by type hints."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from rosenblatt.system.typed import describe_type, plain, typed


class Point(NamedTuple):
    x: float
    names: tuple[str, ...]


@dataclass
class Line:
    ends: tuple[Point, Point]
    color: str | None


POINT = {"x": 1.0, "names": ["a"]}


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (1, int), (1, float), (1.5, float), (True, bool), ("a", str),
        (None, str | None),
        ([1, 2], list[int]), ((1, "a"), tuple[int, str]), ({"a": 1}, dict[str, int]),
        (POINT, Point), ({"ends": [POINT, POINT], "color": None}, Line),
        ([1, object], tuple[int, Any]),
    ],
)  # fmt: skip
def test_values_that_fit_are_given_back(value, hint):
    found = typed("x", value, hint)
    assert plain(found) == plain(value)


@pytest.mark.parametrize(
    ("value", "hint", "message"),
    [
        (True, int, "x must be int, got True"),
        (1.0, int, "x must be int"),
        (True, float, "x must be float"),
        (float("nan"), float, "x must be float, got nan"),
        ("1", int | None, r"x must be int \| None"),
        ({1: 1}, dict[str, int], "a key of x must be str"),
        ([1, 2, 3], tuple[int, int], "x must be tuple"),
        ("ab", list[str], "x must be list"),
        (POINT | {"x": "a"}, Point, r"x\.x must be float"),
        (POINT | {"y": 1}, Point, "x must be {x: float, names: "),
        ({"ends": [POINT], "color": None}, Line, r"x\.ends must be"),
    ],
)
def test_values_that_do_not_fit(value, hint, message):
    with pytest.raises(ValueError, match=message):
        typed("x", value, hint)


def test_a_hint_that_cannot_be_checked_is_an_error():
    with pytest.raises(TypeError, match="cannot be checked"):
        typed("x", 1, set[int])


def test_types_in_words_have_all_fields():
    point = "{x: float, names: tuple[str, ...]}"
    assert describe_type(Point) == point
    assert (
        describe_type(Line) == f"{{ends: tuple[{point}, {point}], color: str | None}}"
    )
