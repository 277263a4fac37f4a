import hashlib

import numpy as np

from rosenblatt.tables.encoding import signed_hash


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
