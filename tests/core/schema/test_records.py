import re
from types import SimpleNamespace

import numpy as np
import pytest

from rosenblatt.core.schema import (
    Array,
    Entries,
    Nested,
    Number,
    Relation,
    Schema,
    SchemaError,
)


def test_the_first_array_tells_the_size_of_all():
    pair = Schema("pair", {"a": Array((("n",),)), "b": Array((("n", "n"),))})
    found = pair.check(SimpleNamespace(a=np.zeros(2), b=np.zeros((2, 2))))
    assert found == {"n": 2}
    with pytest.raises(SchemaError, match=re.escape("with {'n': 2}, got shape (2, 3)")):
        pair.check(SimpleNamespace(a=np.zeros(2), b=np.zeros((2, 3))))


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
