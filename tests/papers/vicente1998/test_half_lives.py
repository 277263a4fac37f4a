import numpy as np
import pytest

from rosenblatt.papers.vicente1998.half_lives import (
    best_of_scan,
    chosen,
    drifting_examples,
)
from rosenblatt.theory import best_half_life


@pytest.mark.parametrize(
    ("covariance", "label_variance"), [("full", 0.05), ("spherical", 0.0)]
)
def test_the_best_half_life_of_a_scan_is_near_that_of_theory(
    covariance, label_variance
):
    """A factor 2: mistakes of neighbours a factor sqrt(2) apart differ by chance."""
    given = {"label_variance": label_variance, "believed": 0.05}
    theory = 20 * best_half_life(0.03, **given).value
    inputs, (labels,) = drifting_examples([0.03], 20_000, 0, label_variance)
    found = best_of_scan(covariance, [(inputs, labels)], theory)
    assert 0.5 * theory <= found <= 2 * theory


def test_the_default_chooses_a_half_life_next_to_theory():
    """Of 16, 256 and 4096 examples, 256 is next to 440."""
    theory = 20 * best_half_life(0.01, believed=0.05).value
    ladder = np.array([16, 256, 4096])
    nearest = ladder[np.argmin(abs(np.log(ladder / theory)))]
    inputs, (labels,) = drifting_examples([0.01], 10_000, 0, 0.0)
    assert chosen(inputs, labels) == pytest.approx(nearest, rel=0.5)
