import numpy as np

from rosenblatt.papers.winther1997.filters import TIMES, batch_errors, filtered
from rosenblatt.rules import DiagonalBayes
from rosenblatt.theory import solve_batch


def test_the_batch_posterior_has_the_error_of_the_replica_curve():
    """Eight samples: differences above 5 standard errors, about 0.04, are caught."""
    found = np.array(batch_errors(1.0, True))
    wanted = float(solve_batch([1.0])["error"].sel(learner="bayes")[0])
    assert abs(found.mean() - wanted) < 5 * found.std(ddof=1) / found.size**0.5


def test_filters_learn_at_all_times():
    run = filtered(DiagonalBayes(), True)
    assert run["alpha"].values.tolist() == list(TIMES)
    mean = run["error"].values.mean(axis=0)
    assert (np.diff(mean) < 0).all()
