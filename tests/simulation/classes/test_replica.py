import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.streams import TwoClasses
from rosenblatt.streams.two_classes import BLOCK
from tests import references
from tests.simulation.classes.class_data import CONIC, GAINS, LINEAR, NAIVE

SHORT = TwoClasses([(0.5, -0.2), (-0.3, 0.1)], 0.3, constant=0.5)


RULES = {
    "perceptron": (rb.rules.Perceptron(), references.perceptron(0.0)),
    "margin": (rb.rules.Perceptron(0.5), references.perceptron(0.5)),
    "residual": (rb.rules.Residual(), references.residual_logistic),
    "normalised": (
        rb.rules.Normalised(rb.rules.Perceptron()),
        references.normalised_perceptron,
    ),
    "decayed": (
        rb.rules.Decay(rb.rules.Perceptron(), 0.01),
        references.decayed_perceptron(0.01),
    ),
}


@pytest.mark.parametrize(
    ("rule", "stream"),
    # rules that move at every example would amplify rounding on long features
    [
        (rule, stream)
        for rule in RULES
        for stream in (LINEAR, CONIC, SHORT)
        if rule != "residual" or stream is SHORT
    ],
)
def test_every_example_is_that_of_the_naive_loop(rule, stream):
    """Over the end of a block, for two replicas and two schedules."""
    marks = [0, 1, 20, 700, BLOCK, BLOCK + 1, 2500]
    part, naive = RULES[rule]
    start = np.linspace(-0.1, 0.2, stream.features)
    run = rb.simulate_classes(
        part, GAINS, stream, examples=marks, replicas=2, seed=5, start=start
    )
    for replica in range(2):
        X, y = stream.draw(marks[-1], seed=5, replica=replica)
        for name, rate in NAIVE.items():
            weights, mistakes = references.classes(naive, rate, X, y, start, marks)
            found = run.sel(replica=replica, schedule=name)
            np.testing.assert_allclose(found.weights, weights, rtol=1e-9, atol=1e-12)
            np.testing.assert_array_equal(found.mistakes, mistakes)
            np.testing.assert_allclose(
                found.error, stream.error(found.weights.values), rtol=1e-14
            )


def test_many_features_work_too():
    """A hundred components, more than fit into the blocks of a few."""
    means = np.zeros((2, 100))
    means[1, :4] = 1.0
    stream = TwoClasses(means, 1.0)
    run = rb.simulate_classes(
        rb.rules.Normalised(rb.rules.Perceptron()),
        rb.schedules.Power(5.0, 1.0, 20.0),
        stream,
        examples=[0, 3000],
        replicas=3,
    )
    X, y = stream.draw(3000, replica=2)
    step, w = references.normalised_perceptron, np.zeros(101)
    rate = lambda t, mistakes: 5.0 / (t + 20.0)  # noqa: E731
    weights, _ = references.classes(step, rate, X, y, w, [0, 3000])
    np.testing.assert_allclose(run.weights[2, 0], weights, rtol=1e-8, atol=1e-10)
    assert run.error[:, 0, 1].max() < 0.3 < 0.5 == run.error[:, 0, 0].min()


def test_tests_have_as_many_of_each_class_and_the_law_of_the_error():
    run = rb.simulate_classes(
        rb.rules.Perceptron(), GAINS, LINEAR, examples=[0], replicas=300, tests=50,
        start=[0.015, 0.002, 0.7],
    )  # fmt: skip
    each = LINEAR.class_errors([0.015, 0.002, 0.7])
    spread = np.sqrt((each * (1 - each)).sum() / 4 / 50 / 300)
    found = run.test_error.values[:, 0, 0]
    assert abs(found.mean() - each.mean()) < 5 * spread
    # the variance is that of 50 and 50, less than of any mixture of 100
    ratio = found.var(ddof=1) / ((each * (1 - each)).sum() / 4 / 50)
    assert abs(ratio - 1) < 5 * np.sqrt(2 / 299)
    # and the tests are the same for all schedules
    assert (run.test_error.isel(schedule=0) == run.test_error.isel(schedule=1)).all()


def test_numbers_that_are_not_finite_stop_the_run_and_say_where():
    def wild(clock):
        return 1.0 if clock.time < 10.0 else 1e308 * clock.time

    with pytest.raises(ArithmeticError, match=r"returned .* at example 1\d"):
        rb.simulate_classes(
            rb.rules.Hebb(), wild, LINEAR, examples=100, replicas=2, workers=1
        )
