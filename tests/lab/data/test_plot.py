import numpy as np

from rosenblatt.lab.data.learner import LearningRun
from rosenblatt.lab.data.plot import DataPlot, _segment
from rosenblatt.lab.data.points import bundled


def test_points_and_boundary_are_shown():
    drawing, points = DataPlot(), bundled("iris")
    drawing.show_points(points)
    reach = drawing.plot.x_range.end
    assert reach >= np.abs(points.X).max()
    run = LearningRun(points, "perceptron", order=0)
    drawing.show(run)
    assert drawing._line.data == {"x": [], "y": []}  # nothing is learned yet
    run.step(50)
    drawing.show(run)
    assert len(drawing._line.data["x"]) == 2
    assert len(drawing._last.data["x"]) == 1


def test_the_boundary_is_where_the_field_is_zero():
    weights, intercept = np.array([0.6, 0.8]), 0.5
    for point in zip(*_segment((weights, intercept), 3.0), strict=True):
        assert abs(weights @ point + intercept) < 1e-12
    assert _segment(None, 3.0) == ([], [])
