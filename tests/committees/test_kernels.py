"""Pieces of the reduced simulation: the examples of a block, and rows of a frame."""

import math

import numpy as np

from rosenblatt.committees.reduced import (
    BLOCK,
    Frame,
    add,
    draw,
    first_angles,
    room_for,
)
from rosenblatt.compiling import inlined
from rosenblatt.compiling.jit import activations
from rosenblatt.numerics.random import generators
from rosenblatt.rules import Linear

DIM, STUDENTS, TEACHERS, BLOCKS = 20, 2, 2, 40
run = inlined(draw)
ROWS, KEEP = 3, 0.9


def drawn(numbers, noise=0.0):
    words = np.ascontiguousarray(generators(3, range(16), 4).swapaxes(0, 1))
    room = room_for(STUDENTS, TEACHERS, words, np.zeros(0))
    teacher = np.array([[1.0, 0.0], [0.5, 2.0]])
    frame = Frame(teacher, TEACHERS, np.array([1.0, -1.0]), 0.0, noise, False, DIM, 1)
    found = []
    for number in numbers:
        run(number, activations(Linear()), frame, room, words)
        found.append([x.copy() for x in (room.inputs, room.lengths, room.targets)])
    return [np.concatenate(each) for each in zip(*found, strict=True)]


def test_examples_have_the_squared_length_of_the_other_directions():
    """A mean that is off by 0.2 of 18 is caught, and a variance by 0.9 of 36."""
    squares = drawn(range(BLOCKS))[1] ** 2
    freedom, count = DIM - TEACHERS, squares.size
    assert abs(squares.mean() - freedom) < 5 * math.sqrt(2 * freedom / count)
    fourth = 12 * freedom * (freedom + 4) - (2 * freedom) ** 2  # of the squares' square
    assert abs(squares.var() - 2 * freedom) < 5 * math.sqrt(fourth / count)


def test_targets_are_the_teachers_outputs_and_noise_leaves_the_examples():
    inputs, _, targets = drawn([5])
    wanted = inputs[:, 0] - (0.5 * inputs[:, 0] + 2.0 * inputs[:, 1])
    assert np.allclose(targets, wanted, atol=1e-14)
    noisy, _, disturbed = drawn([4, 5], noise=0.5)
    assert np.array_equal(noisy[BLOCK:], inputs)
    noise = (disturbed[BLOCK:] - targets) / 0.5
    assert abs(noise.std() - 1) < 5 / math.sqrt(2 * noise.size)


@inlined
def move(rows, z, outside2, gain):
    """Add a vector to all rows."""
    angles, second = np.empty((1, ROWS, 2, 16)), np.empty((ROWS, 2, 16))
    first_angles(z, 0, 0, outside2, angles)
    add(rows, gain, KEEP, 0, outside2, angles, second)


def test_an_added_vector_leaves_triangular_rows_with_the_right_overlaps():
    """Also for a vector inside the frame, and for students that are zero."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((ROWS, 1 + ROWS + 1, 16))
    rows[..., 3] = 0
    rows[:, 1:] *= np.tri(ROWS, ROWS + 1)[..., None]
    z, gain = rng.standard_normal((2, ROWS, 16))
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
    assert np.array_equal(own * np.tri(ROWS)[..., None], own)
    assert np.array_equal(rows[:, 0], before[:, 0])
    assert np.allclose(outside2**2, length2)
