import numpy as np

from rosenblatt.papers.seung2002.perceptron_rule import linear_program


def test_linear_programs_tell():
    assert linear_program(np.array([[1.0, 2.0], [-1.0, 3.0]]))
    assert not linear_program(np.array([[1.0, 2.0], [-1.0, -2.0]]))
