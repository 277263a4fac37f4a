import numpy as np
import pytest

from rosenblatt.papers.vicente1998.half_lives import (
    best_of_scan,
    chosen,
    drifting_examples,
)
from rosenblatt.theory import best_half_life


@pytest.fixture(scope="module")
def stream():
    return drifting_examples(0.01, 10_000, seed=0)


def test_the_best_half_life_of_a_scan_is_near_that_of_theory():
    """A factor 2: mistakes of neighbours a factor sqrt(2) apart differ by chance."""
    stream, theory = drifting_examples(0.1, 10_000, 0), 20 * best_half_life(0.1).value
    assert 0.5 * theory <= best_of_scan(*stream, theory) <= 2 * theory


def test_the_default_chooses_a_half_life_next_to_theory(stream):
    """Of 16, 256 and 4096 examples, 256 is next to 693."""
    theory = 20 * best_half_life(0.01).value
    ladder = np.array([16, 256, 4096])
    nearest = ladder[np.argmin(abs(np.log(ladder / theory)))]
    assert chosen(*stream) == pytest.approx(nearest, rel=0.5)
