"""Each kind of model that learns from pieces, and its result."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import rosenblatt as rb
from tests.training.parts.pieces import (
    CHUNKS,
    COLUMNS,
    COUNTERS,
    ROWS,
    cut,
    lazy,
    saved,
)

# The middle one of three classes cannot be told from the rest, which is said.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the share of positive:sklearn.exceptions.ConvergenceWarning"
)


@pytest.mark.parametrize("model", COUNTERS, ids=str)
@pytest.mark.parametrize("rows", CHUNKS, ids=len)
def test_counts_are_those_of_one_machine_to_the_bit(model, rows, binary, tmp_path):
    X, y = binary
    one = saved(clone(model).fit(X, y), tmp_path)
    here = rb.fit_parts(clone(model), cut(X, y, rows))
    assert saved(here, tmp_path) == one
    assert saved(rb.fit_parts(clone(model), *lazy(X, y, rows)), tmp_path) == one
    bits = rb.bits.pack(X)
    packed = rb.fit_parts(clone(model), cut(bits, y, rows))
    assert saved(packed, tmp_path) == saved(clone(model).fit(bits, y), tmp_path)


def test_a_search_without_end_is_said_once_for_all_pieces(binary):
    with pytest.warns(ConvergenceWarning, match="the share of positive") as said:
        rb.fit_parts(rb.BinaryPerceptron(), cut(*binary))
    assert len(said) == 1


def merged_by_hand(model, pieces):
    """In the order of the pieces: three are ((0, 1), 2)."""
    parts = [clone(model).partial_fit(X, y, classes=[0, 1]) for X, y in pieces]
    return parts[0].merge(parts[1]).merge(parts[2])


@pytest.mark.parametrize(
    "model",
    [
        rb.BayesPerceptron(),
        rb.BayesPerceptron("full"),
        rb.BayesPerceptron("diagonal", noise=0.1, class_weight="balanced"),
        rb.BayesPerceptron("spherical"),
        rb.BinaryBayesPerceptron(),
    ],
    ids=str,
)
def test_beliefs_are_merged_as_by_hand(model, real, tmp_path):
    found = rb.fit_parts(clone(model), cut(*real))
    by_hand = merged_by_hand(model, cut(*real))
    assert saved(found, tmp_path) == saved(by_hand, tmp_path)
    assert found.t_ == ROWS


def mixed_plainly(pieces, rounds, scale):
    """Iterative parameter mixing of the perceptron with rate scale / time, in loops."""
    dim = COLUMNS + 1
    total, seen, mistakes = np.zeros(dim), 0, 0
    for _ in range(rounds):
        found = []
        for X, y in pieces:
            w, clock = total.copy(), seen
            for x, label in zip(np.c_[X, np.ones(len(X))], 2 * y - 1, strict=True):
                clock += 1
                if label * (w @ x) <= 0:
                    w += scale / (clock / dim) * label * x
                    mistakes += 1
            found.append(w)
        sizes = [len(y) for _, y in pieces]
        seen += sum(sizes)
        total = np.average(found, axis=0, weights=sizes)
    return total, seen, mistakes


@pytest.mark.parametrize("rounds", [1, 3])
def test_weights_of_perceptrons_are_mixed_after_every_round(rounds, client, real):
    schedule = rb.schedules.Power(0.5, 1.0)
    model = rb.OnlinePerceptron(schedule=schedule, max_iter=rounds)
    rb.fit_parts(model, *lazy(*real), client=client)
    weights, seen, mistakes = mixed_plainly(cut(*real), rounds, 0.5)
    np.testing.assert_allclose(model.coef_[0], weights[:-1], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_[0], weights[-1], rtol=1e-9)
    assert (model.t_, model.mistakes_[0], model.n_iter_) == (seen, mistakes, rounds)


def test_one_piece_of_a_perceptron_is_fit(real, tmp_path):
    model = rb.OnlinePerceptron(schedule=rb.schedules.Power(1.0, 0.5), max_iter=3)
    found = rb.fit_parts(clone(model), [real])
    assert saved(found, tmp_path) == saved(model.fit(*real), tmp_path)


def test_levels_that_pieces_cannot_agree_on_are_an_error(binary):
    X, y = binary
    three = X.copy()
    three[0, 0] = 7.0
    with pytest.raises(ValueError, match="binarise"):
        rb.fit_parts(rb.ClippedHebb(), cut(three, y))


@pytest.mark.parametrize(
    "columns", [["b", "a", "c"], ["a", "b", "z"], ["a", "b"]], ids=str
)
@pytest.mark.parametrize("model", [rb.OnlinePerceptron(), rb.ClippedHebb()], ids=repr)
def test_pieces_of_other_columns_are_refused(model, columns, binary):
    X, y = binary
    rows = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    other = pd.DataFrame(X[:, : len(columns)], columns=columns)
    with pytest.raises(ValueError, match="all pieces must have the same columns"):
        rb.fit_parts(model, [(rows, y), (other, y)])


def test_a_model_forgets_what_it_knew(binary, tmp_path):
    X, y = binary
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    model = rb.ClippedHebb().fit(frame, y)
    rb.fit_parts(model, [binary])
    assert saved(model, tmp_path) == saved(rb.ClippedHebb().fit(X, y), tmp_path)


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        (rb.GradientPerceptron(), "ClippedHebb, .* or OnlinePerceptron"),
        (rb.ShiftedPerceptron(), "model must be"),
        (rb.BayesPerceptron(half_life=10), "half_life must be None"),
        (rb.OnlinePerceptron(shuffle=True), "shuffle must be False"),
        (rb.OnlinePerceptron(rb.rules.Shifted(rb.rules.Hebb())), "average shift"),
    ],
    ids=str,
)
def test_models_that_cannot_be_joined_are_refused(model, complaint, binary):
    with pytest.raises((TypeError, ValueError), match=complaint):
        rb.fit_parts(model, [binary])


def test_thresholds_are_merged_only_with_the_same_weights(binary):
    X, y = binary
    one = rb.BinaryPerceptron().fit(X, y)
    other = rb.BinaryPerceptron().fit(-X, y)
    before = pickle.dumps(one)
    with pytest.raises(ValueError, match="same weights"):
        one.merge_threshold(other)
    assert pickle.dumps(one) == before
    assert one.merge_threshold(copy.copy(one)).threshold_examples_ == 2 * ROWS
