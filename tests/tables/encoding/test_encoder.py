import numpy as np
import pytest

from rosenblatt.system.typed import plain, typed
from rosenblatt.tables.encoding import Encoder, encode, first_encoder, signed_hash
from rosenblatt.training import preview
from tests.tables.reading import rows


def test_an_encoder_becomes_plain_values_and_back():
    first = rows([[1.5, 2]], [["x"], ["y"]], missing={0: [0]})
    encoder = first_encoder(first, standardise=True)
    assert typed("encoder", plain(encoder), Encoder) == encoder


def test_many_categories_are_hashed_with_a_sign():
    cities = [f"city {i}" for i in range(129)]
    first = rows(np.ones((129, 1)), [cities])
    encoder = first_encoder(first, hash_bits=8)
    assert encoder.hashed_columns == ["s"]
    X = encode(encoder, first).X
    assert X.shape == (129, 1 + 256)
    for row, city in zip(X.toarray(), cities, strict=True):
        where, sign = signed_hash(f"s={city}", 8)
        wanted = np.zeros(257)
        wanted[0], wanted[1 + where] = 1, sign
        assert np.array_equal(row, wanted)
    few = first_encoder(first, categories="one-hot")
    assert len(few.names) == 1 + 129 + 1


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (range(100), True),
        ([f"u{i}" for i in range(100)], True),
        ([f"u{i % 90}" for i in range(100)], False),
        (np.arange(100) + 0.5, False),
        ([5, *range(99)], False),
        (37 * np.arange(100) % 101 + 1000, True),  # in any order
        (3700 * np.arange(100) % 99991, False),  # so large that none comes twice
        (range(59), False),  # too few to tell
    ],
)
def test_ids_number_the_rows_or_have_a_value_for_each(values, found, tmp_path):
    path = tmp_path / "x.csv"
    lines = [f"{value},{i % 2}" for i, value in enumerate(values)]
    path.write_text("\n".join(["name,y", *lines]))
    name, _ = preview(path, "y").columns
    assert (name.warning == "looks like an id") is found
