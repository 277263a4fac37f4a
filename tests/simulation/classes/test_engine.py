import numpy as np
from scipy import stats

import rosenblatt as rb
from tests import references
from tests.simulation.classes.class_data import CONIC, GAINS, LINEAR, NAIVE


def test_the_law_is_that_of_inputs_drawn_with_numpy():
    """Errors after 100 examples; catches a shift of 2.2 sqrt(2/200) = 0.22 in law."""
    run = rb.simulate_classes(
        rb.rules.Perceptron(), GAINS, LINEAR, examples=100, replicas=200, seed=1
    )
    rng = np.random.default_rng(9)
    errors = {name: [] for name in GAINS}
    for _ in range(200):
        y = rng.choice([-1.0, 1.0], 100)
        means = np.where(y[:, None] < 0, (20.0, 40.0), (80.0, 60.0))
        X = np.column_stack(
            [means + 20 * rng.standard_normal((100, 2)), np.full(100, -1.0)]
        )
        for name, rate in NAIVE.items():
            step = references.perceptron(0.0)
            weights, _ = references.classes(step, rate, X, y, np.zeros(3), [100])
            errors[name].append(float(LINEAR.error(weights[0])))
    for name, expected in errors.items():
        found = run.error.sel(schedule=name).values[:, 0]
        assert stats.ks_2samp(found, expected).pvalue > 1e-4


def test_bits_do_not_depend_on_workers_replicas_marks_or_other_schedules():
    given = {"seed": 3, "tests": 100, "start": [0.01, -0.03, 1.0]}
    rule = rb.rules.Perceptron()
    run = rb.simulate_classes(
        rule, GAINS, LINEAR, examples=[10, 20_000], replicas=6, workers=1, **given
    )
    again = rb.simulate_classes(
        rule, GAINS, LINEAR, examples=[10, 20_000], replicas=6, workers=3, **given
    )
    assert run.identical(again)
    alone = rb.simulate_classes(
        rule,
        {"mistakes": GAINS["mistakes"]},
        LINEAR,
        examples=[0, 10, 999, 20_000],
        replicas=2,
        **given,
    )
    for name in ("weights", "error", "mistakes", "test_error"):
        np.testing.assert_array_equal(
            alone[name].sel(example=[10, 20_000]),
            run[name].sel(replica=[0, 1], schedule=["mistakes"]),
        )


def test_mistakes_add_up_to_the_errors():
    """The number of mistakes is on average the sum of exact errors."""
    run = rb.simulate_classes(
        rb.rules.Perceptron(), GAINS, LINEAR, examples=range(61), replicas=100
    )
    sums = run.error.values[..., :-1].sum(axis=-1)
    difference = run.mistakes.values[..., -1] - sums
    for column in difference.T:
        assert abs(column.mean()) < 5 * column.std(ddof=1) / np.sqrt(100)


def test_results_can_be_saved_and_run_again(tmp_path):
    run = rb.simulate_classes(
        rb.rules.Residual(), GAINS, CONIC, examples=[5, 50], replicas=2, tests=10
    )
    rb.save(run, tmp_path / "run.nc")
    kept = rb.load(tmp_path / "run.nc")
    assert rb.rerun(kept).identical(run)
    assert kept.attrs["bayes_error"] == CONIC.bayes_error
