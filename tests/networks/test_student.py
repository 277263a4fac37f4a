import numpy as np
import pytest
from scipy.special import erf
from sklearn.datasets import load_breast_cancer

from rosenblatt.networks import Committee, Student, rerun, simulate, student_of
from rosenblatt.rules import Erf, ReLU, Tanh

TEACHERS = [[1.0, 0.3], [0.3, 2.0]]


def test_a_simulated_student_predicts_its_teacher_on_new_rows():
    """The mean squared error of 20 000 rows is the result's, within 5 errors."""
    dim = 30
    run = simulate(
        Committee(Erf(), 2, TEACHERS), 0.5, dim=dim, alpha=[1, 3], second_rate=0.5,
        replicas=3, engine="full", weights=True
    )  # fmt: skip
    found = student_of(run, replica=2)
    overlaps = found.weights @ found.weights.T / dim
    assert np.allclose(overlaps, run.Q[2, -1], atol=1e-12)
    rows = np.random.default_rng(0).standard_normal((20_000, dim)) / np.sqrt(dim)
    teacher = np.zeros((2, dim))
    teacher[:, :2] = np.linalg.cholesky(TEACHERS) * np.sqrt(dim)
    wanted = Student(Erf(), teacher, [1.0, 1.0]).predict(rows)
    squares = 0.5 * (found.predict(rows) - wanted) ** 2
    error = squares.std() / np.sqrt(squares.size)
    assert abs(squares.mean() - float(run.error[2, -1])) < 5 * error
    assert rerun(run).identical(run)


@pytest.mark.parametrize(
    ("activation", "output"),
    [
        (Erf(), lambda h: erf(h / np.sqrt(2))),
        (Tanh(), np.tanh),
        (ReLU(), lambda h: np.maximum(h, 0)),
    ],
    ids=["erf", "tanh", "relu"],
)
def test_predictions_of_real_rows_are_those_of_a_plain_forward_pass(activation, output):
    table = load_breast_cancer().data
    rows = (table - table.mean(axis=0)) / table.std(axis=0) / np.sqrt(30)
    run = simulate(
        Committee(activation, 3, 2), 0.2, dim=30, alpha=[20], second_rate=0.1,
        engine="full", weights=True
    )  # fmt: skip
    wanted = np.zeros(len(rows))
    for unit in range(3):
        fields = (rows * run.weights.values[0, unit]).sum(axis=1)
        wanted += run.outputs.values[0, -1, unit] * output(fields)
    found = student_of(run).predict(rows)
    assert np.allclose(found, wanted, rtol=0, atol=1e-12)
    assert found.std() > 0.1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"weights": [1.0, 2.0]}, "weights must be finite numbers, a row for each"),
        ({"weights": [[np.inf]]}, "weights must be finite numbers"),
        ({"outputs": [1.0, 2.0]}, "outputs must be 1 finite numbers"),
    ],
)
def test_bad_students_are_named(given, words):
    with pytest.raises(ValueError, match=words):
        Student(**{"activation": Tanh(), "weights": [[1.0]], "outputs": [1.0], **given})


def test_bad_rows_and_results_are_named():
    one = Student(Tanh(), [[1.0, 2.0]], [1.0])
    with pytest.raises(ValueError, match=r"rows must have 2 columns.*\(1, 3\)"):
        one.predict(np.ones((1, 3)))
    with pytest.raises(ValueError, match="rows must be finite numbers"):
        one.predict([[np.nan, 1.0]])
    run = simulate(Committee(Erf(), 1, 1), 1.0, dim=5, alpha=1)
    with pytest.raises(ValueError, match="simulate with weights=True"):
        student_of(run)
    with pytest.raises(ValueError, match="weights must be False for the engine"):
        simulate(Committee(Erf(), 1, 1), 1.0, dim=5, alpha=1, weights=True)
