import numpy as np
import pytest

from rosenblatt.tables.encoding import (
    Entries,
    dense,
    encode,
    first_encoder,
    signed_hash,
    sparse,
)
from rosenblatt.training.record import Classify
from tests.tables.reading import rows


def test_a_missing_number_is_the_first_batchs_mean_and_is_marked():
    first = rows([[1, 10], [3, 20], [9, 30]], missing={0: [2]})
    encoder = first_encoder(first)
    assert encoder.names == ["a", "b", "a is missing"]
    assert encode(encoder, first).X.tolist() == [[1, 10, 0], [3, 20, 0], [2, 30, 1]]
    later = encode(encoder, rows([[5, 0], [6, 7]], missing={0: [1], 1: [0]}))
    assert later.X.tolist() == [[5, 20, 0], [2, 7, 1]]
    assert later.missing == {"a": 1, "b": 1}


def test_categories_of_the_first_batch_get_a_feature_each_and_others_one():
    first = rows(np.zeros((3, 0)), [["x", "y", None]])
    encoder = first_encoder(first)
    assert encoder.names == ["s=x", "s=y", "s=(missing)", "s=(other)"]
    assert encode(encoder, first).X.tolist() == [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
    ]
    later = encode(encoder, rows(np.zeros((3, 0)), [["z", None, "y"]]))
    assert later.X.tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
    assert (later.other, later.missing) == ({"s": 1}, {"s": 1})


def test_two_hashed_values_at_one_place_add_up():
    pair = next(
        (f"{i}", f"{j}")
        for i in range(50)
        for j in range(50)
        if signed_hash(f"s={i}", 3) == signed_hash(f"t={j}", 3)
    )
    first = rows(np.zeros((1, 0)), [[pair[0]], [pair[1]]])
    encoder = first_encoder(first, categories="hash", hash_bits=3)
    assert np.abs(encode(encoder, first).X.toarray()).max() == 2


def test_standardised_rows_have_about_unit_length():
    random = np.random.default_rng(0)
    first = rows(
        random.normal(5, [1, 100, 0.01], (4000, 3)), [random.choice(["u", "v"], 4000)]
    )
    encoder = first_encoder(first, standardise=True)
    X = encode(encoder, first).X
    assert X[:, :3].mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert X[:, :3].std(axis=0) == pytest.approx(0.5)
    assert (X**2).sum(axis=1).mean() == pytest.approx(1)


def test_numbers_alone_are_not_copied():
    first = rows([[1, 2], [3, 4]])
    encoder = first_encoder(first)
    assert encode(encoder, first).X is first.numbers


def test_dense_and_sparse_matrices_are_the_same():
    numbers = np.array([[1.0, 0.0], [2.0, 3.0]])
    parts = [Entries(np.array([0, 1]), np.array([2, 3]), np.array([1.0, -1.0]))]
    block = dense(numbers, parts, 4, 0.5)
    assert block.tolist() == [[0.5, 0, 0.5, 0], [1, 1.5, 0, -0.5]]
    assert np.array_equal(sparse(numbers, parts, 4, 0.5).toarray(), block)


def test_rows_that_cannot_be_learned_are_left_out_and_named():
    given = rows(
        [[1, 2], [np.nan, 2], [3, np.inf], [4, 2], [5, 2], [6, 2]],
        labels=["no", "no", "yes", None, "perhaps", "yes"],
    )
    found = encode(first_encoder(given), given, Classify(("no", "yes")))
    assert found.X.tolist() == [[1, 2], [6, 2]]
    assert found.labels.tolist() == ["no", "yes"]
    assert [(b.line, b.kind, b.column, b.value) for b in found.bad] == [
        (11, "NaN", "a", None),
        (12, "infinite", "b", None),
        (13, "missing label", "won", None),
        (14, "unseen label", "won", "'perhaps'"),
    ]


def test_weights_that_are_negative_or_infinite_are_named():
    given = rows([[1], [3], [5], [7]], weights=np.array([0.5, np.inf, -1, 0]))
    found = encode(first_encoder(given), given)
    assert found.weights.tolist() == [0.5, 0]
    assert [(b.line, b.column, b.value) for b in found.bad] == [
        (11, "times", "inf"),
        (12, "times", "-1"),
    ]
