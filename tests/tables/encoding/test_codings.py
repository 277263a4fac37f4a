import numpy as np

from rosenblatt.tables.encoding import (
    MISSING,
    encode,
    first_encoder,
    kind_of_texts,
    signed_hash,
)
from tests.tables.reading import rows

NOTES = ["refund please now", "thank you so much", None] * 30


def made(texts, **options):
    first = rows(np.zeros((len(texts[0]), 0)), texts)
    encoder = first_encoder(first, **options)
    return encoder, encode(encoder, first)


def test_columns_are_what_they_look_like():
    assert kind_of_texts(["2024-01-01", "2024-01-02T10:00:00"], 64) == "date"
    assert kind_of_texts(["red", "green"], 64) == "category"
    assert kind_of_texts([f"a note of words {i}" for i in range(65)], 64) == "text"


def test_a_gap_in_a_date_is_marked_and_other_text_is_counted():
    encoder, found = made([["2024-01-01", None, "2024-01-02"]])
    assert encoder.names[-1] == f"s={MISSING}"
    assert found.X[1].tolist() == [0.0] * (encoder.features - 1) + [1.0]
    later = encode(encoder, rows(np.zeros((1, 0)), [["soon"]]))
    assert (later.other, later.X[0, -1]) == ({"s": 1}, 1.0)


def test_words_and_pairs_of_words_are_hashed_and_named():
    encoder, found = made([NOTES], kinds=["text"])
    assert {"s:refund", "s:refund please", "s:thank you"} <= set(encoder.names)
    width = np.diff(found.X.indptr)[:3]
    assert width.tolist() == [5, 7, 1]  # words and pairs; a gap is one feature


def test_names_of_hashed_values_are_kept():
    encoder, _ = made([[f"z{i}" for i in range(200)]])
    assert "s=z7" in " ".join(encoder.names)
    ((name, places),) = encoder.groups()
    assert name == "s"
    known = {signed_hash(f"s=z{i}", encoder.hash_bits)[0] for i in range(200)}
    assert places == sorted(known)
    assert set(encoder.signs()[places]) == {1.0, -1.0}
