import numpy as np
from scipy.special import log_ndtr, ndtr

from rosenblatt.models.onnx.graph import Graph
from tests.models.onnx_runs import session


def test_the_tail_of_the_normal_law():
    graph = Graph(1)
    small, logarithm = graph.tail(graph.input)
    graph.output("small", small, np.float64, [None, 1])
    graph.output("logarithm", logarithm, np.float64, [None, 1])
    far = np.concatenate([[0.0], np.logspace(-8, 3, 2001)])[:, None]
    found = session(graph.finished({})).run(None, {"X": far})
    # relative errors of exp(-x^2) grow like x^2 times rounding
    near = far[:, 0] < 37
    np.testing.assert_allclose(found[0][near], ndtr(-far[near]), rtol=1e-12)
    np.testing.assert_allclose(found[1], log_ndtr(-far), rtol=1e-13)
