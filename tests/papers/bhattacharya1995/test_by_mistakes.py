import pytest
from scipy.stats import ks_2samp

from rosenblatt.papers.bhattacharya1995 import problems
from rosenblatt.rules import Perceptron
from rosenblatt.simulation import simulate_classes
from tests.references.by_mistakes import errors_by_mistakes


@pytest.mark.parametrize("gain", list(problems.GAINS))
def test_runs_drawn_mistake_by_mistake_have_the_law_of_all_examples(gain):
    """A shift of 0.25 standard deviations would be noticed."""
    problem, examples, replicas = problems.LINEAR[25], 1000, 800
    found = errors_by_mistakes(problem, problems.GAINS[gain], examples, replicas)
    peer = simulate_classes(
        Perceptron(),
        problems.GAINS[gain],
        problem.stream,
        examples=examples,
        replicas=replicas,
        seed=1,
        start=problem.start,
        progress=False,
    )
    assert ks_2samp(found, peer["error"].values.ravel()).pvalue > 1e-4
