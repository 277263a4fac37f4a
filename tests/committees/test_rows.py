import numpy as np

from rosenblatt.committees.reduced import add, first_angles
from rosenblatt.compiling import inlined

STUDENTS, KEEP = 3, 0.9


@inlined
def move(rows, z, outside2, gain):
    """Add a vector to all rows."""
    angles, second = np.empty((1, STUDENTS, 2, 16)), np.empty((STUDENTS, 2, 16))
    first_angles(z, 0, 0, outside2, angles)
    add(rows, gain, KEEP, 0, outside2, angles, second)


def test_an_added_vector_leaves_triangular_rows_with_the_right_overlaps():
    """Also for a vector inside the frame, and for students that are zero."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((STUDENTS, 1 + STUDENTS + 1, 16))
    rows[..., 3] = 0
    rows[:, 1:] *= np.tri(STUDENTS, STUDENTS + 1)[..., None]
    z, gain = rng.standard_normal((2, STUDENTS, 16))
    outside2 = np.array([0.0, *rng.random(15)])
    before, length2 = rows.copy(), outside2 + (z**2).sum(axis=0)
    moved = np.concatenate(
        [
            KEEP * before[:, 1:-1] + gain[:, None] * z,
            (gain * np.sqrt(outside2))[:, None],
        ],
        axis=1,
    )
    move(rows, z[None], outside2[None], gain)
    own = rows[:, 1:-1]
    for lane in range(16):
        wanted = moved[..., lane] @ moved[..., lane].T
        assert np.allclose(own[..., lane] @ own[..., lane].T, wanted, atol=1e-13)
    assert np.array_equal(own * np.tri(STUDENTS)[..., None], own)
    assert np.array_equal(rows[:, 0], before[:, 0])
    assert np.allclose(outside2**2, length2)
