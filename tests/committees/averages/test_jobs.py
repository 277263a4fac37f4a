import numpy as np

from rosenblatt.committees.averages.results import factors


def test_factors_give_back_the_covariance_also_if_it_is_singular():
    rows = np.random.default_rng(0).standard_normal((4, 4))
    rows[3] = rows[0] - 2 * rows[1]
    c = rows @ rows.T
    table = np.zeros((2, 4, 4), dtype=np.int64)
    table[0, :, 0], table[1, :, 0] = (3, 1, 0, 2), (2, -1, 0, -1)
    table[:, :, 1] = np.arange(4)  # powers follow their fields
    lows, powers = factors(c, table)
    assert (np.triu(lows, 1) == 0).all()
    fields = table[0, powers[0, :, 0], 0]
    np.testing.assert_allclose(
        lows[0] @ lows[0].T, c[np.ix_(fields, fields)], atol=1e-12
    )
    assert lows[0, 3, 3] == 0
    assert (lows[1, :2] == 0).all()
    assert powers[1, 2:, 0].tolist() == ([0, 2] if c[2, 2] > c[0, 0] else [2, 0])
