import numpy as np

from rosenblatt.tables import Columns, first_encoder
from rosenblatt.tables.encoding.hashing import signed_hash
from tests.tables.reading import rows


def test_many_categories_are_hashed_with_a_sign():
    cities = [f"city {i}" for i in range(129)]
    first = rows(np.ones((129, 1)), [cities])
    columns = Columns(("a",), ("t",), None)
    encoder = first_encoder(first, columns, ["0", "1"], hash_bits=8)
    assert encoder.hashed
    X = encoder.encode(first).X
    assert X.shape == (129, 1 + 256)
    for row, city in zip(X.toarray(), cities, strict=True):
        where, sign = signed_hash(f"t={city}", 8)
        wanted = np.zeros(257)
        wanted[0], wanted[1 + where] = 1, sign
        assert np.array_equal(row, wanted)
    few = first_encoder(first, columns, ["0", "1"], categories="one-hot")
    assert len(few.names) == 1 + 129 + 1
