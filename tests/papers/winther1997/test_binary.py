import math

import numpy as np
import pytest

from rosenblatt.papers.winther1997.binary import CURED, PRINTED, learned
from tests.references.winther1997 import binary


@pytest.mark.parametrize(("rule", "floor"), [(PRINTED, 0.0), (CURED, 1.0)])
def test_the_second_program_solves_as_many_runs(rule, floor):
    """Smallest difference that it catches: 0.11, of shares near 0.8."""
    right, _ = binary(np.random.default_rng(1), 600, 20, 80, floor=floor)
    solved = np.asarray(learned(rule, 20, (4.0,), 600)["solved"])[:, 0]
    shares = right[:, -1].mean(), solved.mean()
    error = math.sqrt(sum(share * (1 - share) for share in shares) / 600)
    assert 0.5 < shares[0] < 0.95
    assert shares[0] == pytest.approx(shares[1], abs=5 * error)


def test_the_second_program_takes_the_first_step_of_the_paper():
    _, means = binary(np.random.default_rng(2), 4000, 50, 1)
    # each log-odds moves by s (2 / (pi N))^(1/2)
    assert (np.arctanh(means) ** 2).mean() == pytest.approx(
        2 / (50 * math.pi), rel=0.02
    )
