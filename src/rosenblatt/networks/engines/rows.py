r"""Students as rows of coordinates in a frame, and what an added vector does to them.

The first coordinates of a row are along the teachers. The last K are triangular:
row i ends with its coordinate i. Adding ``gain_i * (z, rest)``, where ``rest`` lies
outside of the frame, takes two sweeps of K plane rotations. The first turns the vector
into the first direction; it depends on the vector alone, so that its angles are known
beforehand. The second makes the rows triangular again. No length is obtained by
subtraction.

Eight replicas are side by side in the last axis.
"""

from __future__ import annotations

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.eights import (
    EIGHT,
    inverse_root,
    is_zero,
    load,
    root,
    same_eight,
    store,
)
from rosenblatt.core.types import FloatArray

__all__ = ["PAIR", "add", "first_angles"]

PAIR = 2 * EIGHT  # numbers of a rotation: eight cosines and eight sines


@inlined
def first_angles(
    z: FloatArray,
    first: int,
    students: int,
    example: int,
    outside2: FloatArray,
    angles: FloatArray,
) -> None:
    """Write the first sweep for an example whose components begin at ``first``.

    ``outside2`` is the squared length outside of the frame, and becomes the length of
    the whole vector.
    """
    squared = load(outside2, example * EIGHT)
    length = root(squared)
    at = example * students * PAIR
    for j in range(students - 1, -1, -1):
        component = load(z, first + j * EIGHT)
        squared = squared + component * component
        inverse = inverse_root(squared)
        store(angles, at + j * PAIR, component * inverse + is_zero(squared))
        store(angles, at + j * PAIR + EIGHT, length * inverse)
        length = squared * inverse
    store(outside2, example * EIGHT, length)


@inlined
def add(
    rows: FloatArray,
    gain: FloatArray,
    keep: float,
    example: int,
    lengths: FloatArray,
    angles: FloatArray,
    second: FloatArray,
) -> None:
    """Add the vector of an example to the triangular part of all rows.

    ``second`` is memory for the second sweep.
    """
    students, width = rows.shape[0], rows.shape[1]
    kept, reach = same_eight(keep), load(lengths, example * EIGHT)
    at = example * students * PAIR
    for i in range(students):
        row = (i * width + width - 1 - students) * EIGHT
        carry = same_eight(0.0)
        for j in range(i, -1, -1):
            c, s = load(angles, at + j * PAIR), load(angles, at + j * PAIR + EIGHT)
            a = kept * load(rows, row + j * EIGHT)
            store(rows, row + (j + 1) * EIGHT, c * carry - s * a)
            carry = c * a + s * carry
        a = carry + load(gain, i * EIGHT) * reach
        for j in range(i):
            c, s = load(second, j * PAIR), load(second, j * PAIR + EIGHT)
            b = load(rows, row + (j + 1) * EIGHT)
            store(rows, row + j * EIGHT, c * a + s * b)
            a = c * b - s * a
        b = load(rows, row + (i + 1) * EIGHT)
        squared = a * a + b * b
        inverse = inverse_root(squared)
        store(rows, row + i * EIGHT, squared * inverse)
        store(rows, row + (i + 1) * EIGHT, same_eight(0.0))
        store(second, i * PAIR, a * inverse + is_zero(squared))
        store(second, i * PAIR + EIGHT, b * inverse)
