import numpy as np
import pytest
from matplotlib.figure import Figure

import rosenblatt as rb
from rosenblatt.plotting import learning_curve

PARTS = rb.rules.Hebb(), rb.schedules.Constant()


def simulation(replicas):
    return rb.simulate(*PARTS, dim=20, alpha=[0, 1, 10], replicas=replicas)


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_many_replicas_are_a_median_and_a_band():
    run = simulation(20)
    axes = learning_curve(run).axes[0]
    (line,) = axes.lines
    np.testing.assert_allclose(line.get_xdata(), [1, 10])  # 0 has no logarithm
    np.testing.assert_allclose(
        line.get_ydata(), np.median(run["error"].values, axis=0)[1:]
    )
    assert len(axes.collections) == 1


@pytest.mark.parametrize("replicas", [1, 3])
def test_few_replicas_are_lines_of_one_colour(replicas):
    run = simulation(replicas)
    axes = learning_curve(run).axes[0]
    (line,) = axes.lines
    errors = line.get_ydata()
    np.testing.assert_array_equal(
        errors[np.isfinite(errors)], run["error"].values[:, 1:].ravel()
    )
    assert np.isnan(errors).sum() == (replicas if replicas > 1 else 0)
    assert len(axes.collections) == 0


def test_theory_is_drawn_beside():
    theory = rb.solve(*PARTS, alpha=[1, 10])
    first, second = learning_curve(simulation(20), theory=theory).axes[0].lines
    assert first.get_linestyle() == "-"
    assert second.get_linestyle() == "--"
    np.testing.assert_array_equal(second.get_ydata(), theory["error"].values[0])


def test_a_result_at_time_zero_only_cannot_be_drawn():
    run = simulation(20).isel(alpha=[0])
    with pytest.raises(ValueError, match="positive alpha"):
        learning_curve(run)


def test_machines_count_examples():
    run = rb.simulate_machine(
        rb.machines.Ball(), rb.schedules.Constant(0.1), [0, 0], examples=[0, 10, 100]
    )
    axes = rb.plotting.learning_curve(run).axes[0]
    assert axes.get_xlabel() == "examples"
    assert axes.lines[0].get_xdata().tolist() == [10, 100]
    assert axes.lines[0].get_ydata().tolist() == run["error"].values[0, 1:].tolist()
    assert legend(axes)[0] == "Ball"


def test_classes_have_a_curve_for_each_schedule_and_the_least_error():
    stream = rb.streams.TwoClasses([(-1,), (1,)])
    gains = {"slow": rb.schedules.Power(), "fast": rb.schedules.Constant()}
    run = rb.simulate_classes(
        rb.rules.Perceptron(), gains, stream, examples=[0, 10, 100], replicas=20
    )
    axes = learning_curve(run).axes[0]
    names = legend(axes)
    assert names[0].startswith("slow, median")
    assert names[2] == "Bayes"
    assert axes.get_xlabel() == "examples"
    np.testing.assert_allclose(
        axes.lines[1].get_ydata(), np.median(run.error.values[:, 1, 1:], axis=0)
    )
    assert axes.lines[2].get_ydata().tolist() == [stream.bayes_error] * 2
    one = learning_curve(run.isel(schedule=0)).axes[0]
    np.testing.assert_array_equal(one.lines[0].get_ydata(), axes.lines[0].get_ydata())


def test_several_runs_are_drawn_in_one_figure_with_their_names():
    axes = learning_curve({"few": simulation(3), "many": simulation(20)}).axes[0]
    names = legend(axes)
    assert names == ["few, 3 replicas", "many, median and 5-95% of 20"]
    with pytest.raises(ValueError, match="label must be None"):
        learning_curve({"few": simulation(3)}, label="twice")
    with pytest.raises(ValueError, match="at least one"):
        learning_curve({})


def test_given_axes_collect_curves_in_different_colours():
    figure = Figure()
    axes = figure.add_subplot()
    run = simulation(1)
    assert learning_curve(run, ax=axes, label="first") is figure
    learning_curve(run, theory=run, ax=axes, label="second")
    names = [line.get_label() for line in axes.lines]
    assert names == ["first", "second", "second, theory"]
    assert len({line.get_color() for line in axes.lines}) == 3


def test_labels_have_mathematics_and_one_word_for_examples_per_weight():
    theory = rb.solve(*PARTS, alpha=[1, 10])
    axes = learning_curve(simulation(20), theory=theory).axes[0]
    names = legend(axes)
    assert names[0].startswith("$N = 20$")
    assert names[1] == r"theory, $N \to \infty$"
    assert axes.get_xlabel() == r"examples per weight $\alpha$"
