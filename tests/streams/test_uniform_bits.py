import pytest

from rosenblatt.bits.drawing import draw_uniform
from rosenblatt.streams import UniformBits


def test_examples_are_drawn_by_their_number():
    stream = UniformBits(70)
    assert stream.draw(9, seed=3) == draw_uniform(70, 9, 3, 0)
    assert stream.draw(4, seed=3, first=5) == stream.draw(9, seed=3)[5:]
    assert stream.chances.tolist() == [0.5] * 70


def test_there_must_be_a_column():
    with pytest.raises(ValueError, match="dim must be a whole number not below 1"):
        UniformBits(0)
