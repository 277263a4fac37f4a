"""Conditions of fields: what fits, what is refused, and in which words."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from rosenblatt.core.schema import (
    Array,
    Entries,
    Flag,
    Labels,
    Nested,
    Number,
    Relation,
    Schema,
    SchemaError,
    Text,
    Texts,
    Whole,
)

UNIT = Array((("columns",),), low=0.0, high=1.0)
POSITIVE = Number(low=0.0, above=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (Number(low=0.0, high=1.0), 0.0), (Number(low=0.0, high=1.0), 1.0),
        (Number(infinite=True), np.inf), (Number(optional=True), None),
        (Whole(), 3), (Flag(), True), (Text(("a", "b")), "a"),
        (Entries((str,), (int,)), {"a": 1}), (UNIT, np.array([0.0, 0.5, 1.0])),
        (Array((("n",),), gaps=True), np.array([np.nan])),
        (Labels(), np.array([1, 2])), (Labels(), np.array(["a", "b"])),
        (Texts("columns"), np.array(["a", "b", "c"], object)),
    ],
)  # fmt: skip
def test_what_fits_is_accepted(field, value):
    schema = Schema("record", {"x": field})
    assert schema.check(SimpleNamespace(x=value), {"columns": 3})["columns"] == 3


@pytest.mark.parametrize(
    ("field", "values", "words"),
    [
        (Number(), [1, True, "1", None, np.float64(1), np.nan, -np.inf], "a finite nu"),
        (POSITIVE, [0.0], "above 0, got 0.0"),
        (Number(high=1.0), [1.5], "at most 1, got 1.5"),
        (Number(infinite=True), [-np.inf], "a number"),
        (Whole(), [-1, 2**63, 1.0, True, "1"], "whole number at least 0"),
        (Whole(size="columns"), [4], "whole number"),
        (Flag(), [1], "True or False, got 1"),
        (Text(("a", "b")), ["c", 1], "one of 'a', 'b'"),
        (Entries((str,), (int,)), [{"a": "b"}, [1]], "dictionary from str to int"),
        (UNIT, [np.zeros(3, np.float32), np.zeros((3, 1)), np.zeros(2), [0.0] * 3,
                np.ma.zeros(3), np.array([0.0, np.nan, 0.0]),
                np.array([0.0, np.inf, 0.0]), np.array([0.0, -1.0, 0.0]),
                np.array([0.0, 2.0, 0.0])], "finite float64 (columns,) at least 0, at"),
        (Labels(), [np.array([1, 1]), np.array([2, 1]), np.array([1.0, np.nan]),
                    np.array([1]), np.array([[1, 2]]), np.array(["a", 1], object),
                    np.array([(1,), (2,)], object), np.array([1j, 2j]), [1, 2],
                    np.array([2**31, 2**31 + 1], np.uint32).view("U1")],
         "two or more, rising"),
        (Texts("columns"), [np.array(["a", 1, "b"], object), np.array(["a"], object)],
         "text (columns,)"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(field, values, words):
    for value in values:
        with pytest.raises(SchemaError, match=f"x must be .*{re.escape(words)}"):
            field.check("x", value, {"columns": 3}, True)


def test_entries_of_arrays_are_looked_at_if_asked_for():
    array = Schema("array", {"x": Array((("n",),))})
    nothing = SimpleNamespace(x=np.array([np.nan]))
    assert array.check(nothing, values=False) == {"n": 1}
    with pytest.raises(SchemaError, match=r"array\.x must be finite"):
        array.check(nothing)


def test_sizes_are_shared_by_fields_and_records():
    inner = Schema("inner", {"a": Array((("n",),))})
    outer = Schema("outer", {"first": Nested(inner), "rest": Nested(inner, size="m")})
    one, two = SimpleNamespace(a=np.zeros(1)), SimpleNamespace(a=np.zeros(2))
    assert outer.check(SimpleNamespace(first=one, rest=[one])) == {"n": 1, "m": 1}
    with pytest.raises(
        SchemaError, match=r"outer\.rest\.1\.a must be .* with .*'n': 1"
    ):
        outer.check(SimpleNamespace(first=one, rest=[one, two]))
    with pytest.raises(SchemaError, match=r"outer\.rest must be a list"):
        outer.check(SimpleNamespace(first=one, rest=[]))


def test_relations_and_missing_fields():
    pair = Schema(
        "pair",
        {"low": Number(), "high": Number(), "note": Flag()},
        (Relation("low <= high", lambda pair, _: pair.low <= pair.high),),
        missing=frozenset({"note"}),
    )
    pair.check(SimpleNamespace(low=1.0, high=2.0))
    with pytest.raises(SchemaError, match="pair must have low <= high"):
        pair.check(SimpleNamespace(low=3.0, high=2.0))
    with pytest.raises(SchemaError, match="pair must have the field high"):
        pair.check(SimpleNamespace(low=3.0))
