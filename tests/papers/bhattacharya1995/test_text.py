import math

import numpy as np
import pytest

from rosenblatt.papers.bhattacharya1995.problems import LINEAR, NONLINEAR
from rosenblatt.papers.bhattacharya1995.text import CLAIMS, circle_error, exact_error


@pytest.mark.parametrize("case", NONLINEAR)
def test_the_error_inside_and_outside_a_circle_is_that_of_the_likelihoods(case):
    """Smallest difference that it catches: 0.5% of examples."""
    rng, rows, wrong = np.random.default_rng(0), 100_000, []
    means = np.array(NONLINEAR[case].stream.means)
    for kind in (0, 1):
        x = means[kind] + case[kind] * rng.standard_normal((rows, 2))
        first, second = (
            -((x - mean) ** 2).sum(axis=1) / (2 * sigma**2) - 2 * math.log(sigma)
            for mean, sigma in zip(means, case, strict=True)
        )
        wrong.append((second > first) != (kind == 1))
    share = np.mean(wrong)
    error = math.sqrt(share * (1 - share) / (2 * rows))
    assert circle_error(NONLINEAR[case]) == pytest.approx(share, abs=5 * error)


@pytest.mark.parametrize("problem", [*LINEAR.values(), *NONLINEAR.values()])
def test_the_quadrature_of_the_stream_agrees_with_the_closed_forms(problem):
    assert problem.stream.bayes_error == pytest.approx(exact_error(problem), rel=1e-10)


def test_a_column_of_the_paper_is_one_claim_and_our_two_formulas_are_none():
    """Closed form over quadrature says nothing about the paper."""
    names = [claim.id for claim in CLAIMS if "/bayes/" in claim.id]
    assert names == ["bhattacharya1995/bayes/column"]
