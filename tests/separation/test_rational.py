from fractions import Fraction

import numpy as np

from rosenblatt.separation.rational import exact_nearest


def test_conditions_of_the_nearest_point_hold_exactly():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(60):
        Z = [[Fraction(int(v)) for v in row] for row in rng.integers(-3, 5, (9, 3))]
        found = exact_nearest(Z)
        square = sum(p * p for p in found.point)
        assert sum(found.shares) == 1
        assert min(found.shares) > 0
        for j, p in enumerate(found.point):
            parts = zip(found.rows, found.shares, strict=True)
            assert p == sum(c * Z[i][j] for i, c in parts)
        for row in Z:
            assert sum(a * b for a, b in zip(row, found.point, strict=True)) >= square
        inside += square == 0
    assert 0 < inside < 60
