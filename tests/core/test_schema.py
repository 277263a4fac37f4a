"""Schemas refuse what does not fit, and say what would."""

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


def refused(field, value, message, sizes=None):
    with pytest.raises(SchemaError, match=message) as error:
        field.check("x", value, {} if sizes is None else sizes, True)
    assert str(error.value).startswith("x must be ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("bad", [1, True, "1", None, np.float64(1), np.nan, -np.inf])
def test_numbers_are_finite_floats(bad):
    refused(Number(), bad, "finite number")


def test_the_ends_of_intervals():
    Number(low=0.0, high=1.0).check("x", 0.0, {}, True)
    Number(low=0.0, high=1.0).check("x", 1.0, {}, True)
    refused(Number(low=0.0, above=True), 0.0, "above 0, got 0.0")
    refused(Number(high=1.0), 1.5, "at most 1, got 1.5")
    Number(infinite=True).check("x", np.inf, {}, True)
    refused(Number(infinite=True), -np.inf, "a number")
    Number(optional=True).check("x", None, {}, True)


@pytest.mark.parametrize("bad", [-1, 2**63, 1.0, True, "1"])
def test_whole_numbers(bad):
    refused(Whole(), bad, "whole number at least 0")


def test_a_whole_number_can_tell_a_size():
    sizes = {}
    Whole(size="columns").check("x", 3, sizes, True)
    assert sizes == {"columns": 3}
    refused(Whole(size="columns"), 4, "columns = 3", sizes)


def test_flags_and_texts():
    refused(Flag(), 1, "True or False, got 1")
    refused(Text(("a", "b")), "c", "one of 'a', 'b', got c")
    Texts("columns").check("x", np.array(["a", "b"], object), {"columns": 2}, True)
    refused(Texts("columns"), np.array(["a", 1], object), "text")
    refused(Texts("columns"), np.array(["a"], object), "text", {"columns": 2})


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros(3, np.float32), np.zeros((3, 1)), np.zeros(2), [0.0, 0.0, 0.0],
        np.ma.zeros(3), np.array([0.0, np.nan, 0.0]), np.array([0.0, np.inf, 0.0]),
        np.array([0.0, -1.0, 0.0]), np.array([0.0, 2.0, 0.0]),
    ],
)  # fmt: skip
def test_arrays_have_type_shape_and_range(bad):
    field = Array((("columns",),), low=0.0, high=1.0)
    field.check("x", np.array([0.0, 0.5, 1.0]), {"columns": 3}, True)
    refused(
        field,
        bad,
        r"finite float64 \(columns,\), at least 0, at most 1",
        {"columns": 3},
    )


def test_entries_of_arrays_are_looked_at_if_asked_for():
    Array((("n",),)).check("x", np.array([np.nan]), {}, False)


def test_the_first_array_tells_the_size_of_all():
    pair = Schema("pair", {"a": Array((("n",),)), "b": Array((("n", "n"),))})
    found = pair.check(SimpleNamespace(a=np.zeros(2), b=np.zeros((2, 2))))
    assert found == {"n": 2}
    with pytest.raises(SchemaError, match=re.escape("with {'n': 2}, got shape (2, 3)")):
        pair.check(SimpleNamespace(a=np.zeros(2), b=np.zeros((2, 3))))


@pytest.mark.parametrize(
    "bad",
    [
        np.array([1, 1]), np.array([2, 1]), np.array([1.0, np.nan]), np.array([1]),
        np.array([[1, 2]]), np.array(["a", 1], object), np.array([(1,), (2,)], object),
        np.array([1j, 2j]), [1, 2],
    ],
)  # fmt: skip
def test_labels_rise(bad):
    refused(Labels(), bad, "two or more, rising")


def test_records_within_records_share_sizes():
    inner = Schema("inner", {"a": Array((("n",),))})
    outer = Schema("outer", {"first": Nested(inner), "rest": Nested(inner, size="m")})
    one, two = (SimpleNamespace(a=np.zeros(n)) for n in (1, 2))
    assert outer.check(SimpleNamespace(first=one, rest=[one])) == {"n": 1, "m": 1}
    with pytest.raises(SchemaError, match=r"outer\.rest\.1\.a must be"):
        outer.check(SimpleNamespace(first=one, rest=[one, two]))
    with pytest.raises(SchemaError, match=r"outer\.rest must be a list"):
        outer.check(SimpleNamespace(first=one, rest=[]))


def test_relations_and_missing_fields():
    pair = Schema(
        "pair",
        {"low": Number(), "high": Number(), "note": Entries((str,), (int,))},
        (Relation("low <= high", lambda pair, _: pair.low <= pair.high),),
        missing=frozenset({"note"}),
    )
    pair.check(SimpleNamespace(low=1.0, high=2.0))
    with pytest.raises(SchemaError, match="pair must have low <= high"):
        pair.check(SimpleNamespace(low=3.0, high=2.0))
    with pytest.raises(SchemaError, match="pair must have the field high"):
        pair.check(SimpleNamespace(low=3.0))
    with pytest.raises(SchemaError, match="dictionary from str to int"):
        pair.check(SimpleNamespace(low=1.0, high=2.0, note={"a": "b"}))
