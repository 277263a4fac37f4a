import hashlib

import numpy as np
import pytest

from rosenblatt.tables import Columns, Encoder, Place, Rows
from rosenblatt.tables.batches import Texts
from rosenblatt.tables.hashing import signed_hash


def rows(numbers, texts=(), labels=None, missing=None):
    numbers = np.array(numbers, float)
    for j, where in (missing or {}).items():
        numbers[where, j] = np.nan
    count = len(numbers)
    given = []
    for column in texts:
        values = sorted({v for v in column if v is not None})
        codes = [-1 if v is None else values.index(v) for v in column]
        given.append(Texts(values, np.array(codes, np.int32)))
    if labels is not None:
        values = sorted({v for v in labels if v is not None})
        codes = [-1 if v is None else values.index(v) for v in labels]
        labels = Texts(values, np.array(codes, np.int32))
    gone = {j: np.array(where) for j, where in (missing or {}).items()}
    lines = np.arange(10, 10 + count)
    return Rows(numbers, gone, given, labels, lambda: lines, (), Place())


def test_a_missing_number_is_the_first_batchs_mean_and_is_marked():
    first = rows([[1, 10], [3, 20], [9, 30]], missing={0: [2]})
    encoder = Encoder.first(first, Columns(("a", "b"), (), None), ["0", "1"])
    assert encoder.names == ["a", "b", "a is missing"]
    assert encoder.encode(first).X.tolist() == [[1, 10, 0], [3, 20, 0], [2, 30, 1]]
    later = encoder.encode(rows([[5, 0], [6, 7]], missing={0: [1], 1: [0]}))
    assert later.X.tolist() == [[5, 20, 0], [2, 7, 1]]
    assert later.missing == {"a": 1, "b": 1}


def test_categories_of_the_first_batch_get_a_feature_each_and_others_one():
    first = rows(np.zeros((3, 0)), [["x", "y", None]])
    encoder = Encoder.first(first, Columns((), ("t",), None), ["0", "1"])
    assert encoder.names == ["t=x", "t=y", "t=(missing)", "t=(other)"]
    assert encoder.encode(first).X.tolist() == [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
    ]
    later = encoder.encode(rows(np.zeros((3, 0)), [["z", None, "y"]]))
    assert later.X.tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
    assert (later.other, later.missing) == ({"t": 1}, {"t": 1})


def test_many_categories_are_hashed_with_a_sign():
    cities = [f"city {i}" for i in range(65)]
    first = rows(np.ones((65, 1)), [cities])
    columns = Columns(("a",), ("t",), None)
    encoder = Encoder.first(first, columns, ["0", "1"], hash_bits=8)
    assert encoder.hashed
    X = encoder.encode(first).X
    assert X.shape == (65, 1 + 256)
    for row, city in zip(X.toarray(), cities, strict=True):
        where, sign = signed_hash(f"t={city}", 8)
        wanted = np.zeros(257)
        wanted[0], wanted[1 + where] = 1, sign
        assert np.array_equal(row, wanted)
    few = Encoder.first(first, columns, ["0", "1"], categories="one-hot")
    assert len(few.names) == 1 + 65 + 1


def test_the_hash_is_blake2b_and_its_signs_are_balanced():
    digest = hashlib.blake2b(b"t=a", digest_size=8).digest()
    value = sum(byte << (8 * i) for i, byte in enumerate(digest))
    sign = 1.0 if value >= 2**63 else -1.0
    assert signed_hash("t=a", 20) == (value % 2**20, sign)
    found = [signed_hash(str(i), 4) for i in range(4000)]
    # means of 4000 signs: 5 standard errors; counts of 16 bins likewise
    assert abs(np.mean([s for _, s in found])) < 5 / 4000**0.5
    counts = np.bincount([w for w, _ in found], minlength=16)
    assert np.all(np.abs(counts - 250) < 5 * (250 * 15 / 16) ** 0.5)


def test_two_hashed_values_at_one_place_add_up():
    pair = next(
        (f"{i}", f"{j}")
        for i in range(50)
        for j in range(50)
        if signed_hash(f"s={i}", 3) == signed_hash(f"t={j}", 3)
    )
    first = rows(np.zeros((1, 0)), [[pair[0]], [pair[1]]])
    columns = Columns((), ("s", "t"), None)
    encoder = Encoder.first(first, columns, ["0", "1"], categories="hash", hash_bits=3)
    assert np.abs(encoder.encode(first).X.toarray()).max() == 2


def test_standardised_rows_have_about_unit_length():
    random = np.random.default_rng(0)
    first = rows(
        random.normal(5, [1, 100, 0.01], (4000, 3)), [random.choice(["u", "v"], 4000)]
    )
    columns = Columns(("a", "b", "c"), ("t",), None)
    X = Encoder.first(first, columns, ["0", "1"], standardise=True).encode(first).X
    assert X[:, :3].mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert X[:, :3].std(axis=0) == pytest.approx(0.5)
    assert (X**2).sum(axis=1).mean() == pytest.approx(1)


def test_numbers_alone_are_not_copied():
    first = rows([[1, 2], [3, 4]])
    encoder = Encoder.first(first, Columns(("a", "b"), (), None), ["0", "1"])
    assert encoder.encode(first).X is first.numbers


def test_rows_that_cannot_be_learned_are_left_out_and_named():
    given = rows(
        [[1, 2], [np.nan, 2], [3, np.inf], [4, 2], [5, 2], [6, 2]],
        labels=["no", "no", "yes", None, "perhaps", "yes"],
    )
    encoder = Encoder.first(given, Columns(("a", "b"), (), "won"), ["no", "yes"])
    found = encoder.encode(given)
    assert found.X.tolist() == [[1, 2], [6, 2]]
    assert found.codes.tolist() == [0, 1]
    assert [(b.line, b.kind, b.column, b.value) for b in found.bad] == [
        (11, "NaN", "a", None),
        (12, "infinite", "b", None),
        (13, "missing label", "won", None),
        (14, "unseen label", "won", "'perhaps'"),
    ]


def test_an_encoder_becomes_plain_values_and_back():
    first = rows([[1.5, 2]], [["x"], ["y"]], missing={0: [0]})
    encoder = Encoder.first(
        first,
        Columns(("a", "b"), ("s", "t"), "y", ("NA",)),
        ["n", "y"],
        standardise=True,
    )
    assert Encoder.from_dict(encoder.as_dict()) == encoder
