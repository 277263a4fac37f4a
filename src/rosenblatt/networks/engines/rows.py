r"""Students as rows of coordinates in a frame, and their change by an added vector.

The first coordinates of a row are along the teachers. The last K are triangular:
row i ends with its coordinate i. Adding ``gain_i * (z, rest)``, where ``rest`` lies
outside of the frame, takes two sweeps of K plane rotations. The first turns the vector
into the first direction; it depends on the vector alone, so that its angles are known
beforehand. The second makes the rows triangular again. No length is obtained by
subtraction.

Replicas are side by side in the last axis, whose length is a multiple of eight.
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

__all__ = ["add", "first_angles"]


@inlined
def first_angles(
    z: FloatArray, axes: int, example: int, outside2: FloatArray, angles: FloatArray
) -> None:
    """Write the first sweep for an example, (example, student, cosine or sine, lane).

    ``z`` has its components, (example, direction, lane), along ``axes`` directions and
    then along those of the students. ``outside2`` is the squared length outside of the
    frame, (example, lane), and becomes the length of the whole vector.
    """
    students, lanes = angles.shape[1], z.shape[2]
    first = (example * z.shape[1] + axes) * lanes
    for lane in range(0, lanes, EIGHT):
        at = example * lanes + lane
        squared = load(outside2, at)
        length = root(squared)
        for j in range(students - 1, -1, -1):
            component = load(z, first + j * lanes + lane)
            squared = squared + component * component
            inverse = inverse_root(squared)
            cosine = (example * students + j) * 2 * lanes + lane
            store(angles, cosine, component * inverse + is_zero(squared))
            store(angles, cosine + lanes, length * inverse)
            length = squared * inverse
        store(outside2, at, length)


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

    ``second`` is memory for the second sweep, (student, cosine or sine, lane).
    """
    students, width, lanes = rows.shape
    kept, at = same_eight(keep), example * students * 2 * lanes
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row = (i * width + width - 1 - students) * lanes + lane
            carry = same_eight(0.0)
            for j in range(i, -1, -1):
                cosine = at + j * 2 * lanes + lane
                c, s = load(angles, cosine), load(angles, cosine + lanes)
                a = kept * load(rows, row + j * lanes)
                store(rows, row + (j + 1) * lanes, c * carry - s * a)
                carry = c * a + s * carry
            reach = load(lengths, example * lanes + lane)
            a = carry + load(gain, i * lanes + lane) * reach
            for j in range(i):
                cosine = j * 2 * lanes + lane
                c, s = load(second, cosine), load(second, cosine + lanes)
                b = load(rows, row + (j + 1) * lanes)
                store(rows, row + j * lanes, c * a + s * b)
                a = c * b - s * a
            b = load(rows, row + (i + 1) * lanes)
            squared = a * a + b * b
            inverse = inverse_root(squared)
            store(rows, row + i * lanes, squared * inverse)
            store(rows, row + (i + 1) * lanes, same_eight(0.0))
            cosine = i * 2 * lanes + lane
            store(second, cosine, a * inverse + is_zero(squared))
            store(second, cosine + lanes, b * inverse)
