"""Files that are damaged anywhere, for tests of what readers say about them."""

import numpy as np


def failures(path, read, refusal, *, copies, places):
    """Return what a reader says about copies of a file with random bytes in places."""
    draw, whole, found = np.random.default_rng(0), path.read_bytes(), []
    for _ in range(copies):
        damaged = bytearray(whole)
        for place in draw.integers(0, len(whole), places):
            damaged[place] = draw.integers(256)
        path.write_bytes(damaged)
        try:
            read()
        except refusal as failure:
            found.append(str(failure))
    path.write_bytes(whole)
    return found
