"""Curved boundaries, beside a slow twin in NumPy that learns row by row."""

import copy
import tracemalloc

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.bayes import cosines


def waves(count, classes=2, columns=4, seed=0):
    """Return rows and classes that no line separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((count, columns))
    fields = np.sin(2.0 * X[:, :classes]) + 0.1 * rng.standard_normal((count, classes))
    return X, fields.argmax(1)


def model(**settings):
    return rb.BayesPerceptron(boundary="curved", cosines=30, **settings)


class Slow:
    """Bayesian regression on given features, one row after the other."""

    def __init__(self, features, classes):
        self.mean, self.covariance = np.zeros((features, classes)), np.eye(features)

    def learn(self, f, target, power):
        """Return mean and variance of the functions before the row is learned."""
        mean, spread = f @ self.mean, self.covariance @ f
        variance = f @ spread
        gain = spread / (variance + 1.0 / power) if power else 0.0 * spread
        self.mean += np.outer(gain, target - mean)
        self.covariance -= np.outer(gain, spread)
        return mean, variance


def features(own, scale, X):
    """Return the map in its plainest form."""
    waves = np.cos(np.pi * (X @ own.frequencies[scale].T + own.phases[scale]))
    kinds = cosines.SCALES[scale]
    kinds = [kinds[j % len(kinds)].variance for j in range(waves.shape[1])]
    waves *= np.sqrt(2.0 * np.array(kinds) / waves.shape[1])
    return np.hstack([waves, X, np.ones((len(X), 1))])


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighed", [False, True])
def test_blocks_are_rows_one_by_one(classes, weighed):
    X, y = waves(300, classes)
    X = np.clip(X, -3.0, 3.0)
    powers = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 2.5], len(X))
    powers = powers if weighed else np.ones(len(X))
    own = cosines.start(4, classes, cosines=25)
    own.learn(X, np.eye(classes)[y], powers, np.zeros(4), np.ones(4))
    found = own.predict(X)
    for scale in range(2):
        F = features(own, scale, X)
        slow = Slow(F.shape[1], classes)
        for f, code, power in zip(F, y, powers, strict=True):
            slow.learn(f, np.eye(classes)[code], power)
        kept = np.tril(own.functions.covariance[scale])
        np.testing.assert_allclose(kept, np.tril(slow.covariance), atol=1e-11)
        np.testing.assert_allclose(own.functions.mean[scale], slow.mean, atol=1e-11)
        mean, variance, _ = found[scale]
        np.testing.assert_allclose(mean, F @ slow.mean, atol=1e-10)
        wanted = ((F @ slow.covariance) * F).sum(1)
        np.testing.assert_allclose(variance, wanted, atol=1e-11)


def test_predictions_in_a_block_are_those_before_each_label():
    X, y = waves(90, 3)
    own = cosines.start(4, 3, cosines=25)
    X, Y = np.clip(X, -3.0, 3.0), np.eye(3)[y]
    found = own.learn(X, Y, np.ones(90), np.zeros(4), np.ones(4))
    for scale, (mean, variance, noise) in enumerate(found):
        F = features(own, scale, X)
        slow = Slow(F.shape[1], 3)
        each = [slow.learn(f, t, 1.0) for f, t in zip(F, Y, strict=True)]
        np.testing.assert_allclose(mean, [m for m, _ in each], atol=1e-11)
        np.testing.assert_allclose(variance, [v for _, v in each], atol=1e-11)
        squares = ((Y - mean) ** 2).sum(1) / (1.0 + variance)
        assert noise[-1] == pytest.approx((4.0 + squares[:-1].sum()) / (4.0 + 89))


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("half_life", [None, 60])
@pytest.mark.parametrize("weighed", [False, True])
def test_batches_of_any_size_give_the_same_model(classes, half_life, weighed):
    X, y = waves(700, classes)
    times = np.random.default_rng(2).choice([1.0, 2.0, 0.5, 1.5], len(X))
    times = times if weighed else np.ones(len(X))
    one, other, single = (model(half_life=half_life) for _ in range(3))
    known = range(classes)
    wanted = one.predict_then_learn(X, y, known, times if weighed else None)
    cuts = np.sort(np.random.default_rng(3).choice(len(X), 9, replace=False))
    parts = np.split(np.arange(len(X)), cuts)
    rows = np.split(np.arange(len(X)), len(X))
    for learner, batches in ((other, parts), (single, rows)):
        found = [
            learner.predict_then_learn(X[b], y[b], known, times[b] if weighed else None)
            for b in batches
            if b.size
        ]
        np.testing.assert_allclose(np.concatenate(found), wanted, atol=1e-9)
        for horizon in (None, 1):
            one.horizon = learner.horizon = horizon
            again = learner.predict_proba(X)
            np.testing.assert_allclose(again, one.predict_proba(X), atol=1e-9)


def test_rows_that_are_left_out_are_only_predicted():
    X, y = waves(500, 3)
    times = np.random.default_rng(4).integers(0, 3, len(X)).astype(float)
    P = model().predict_then_learn(X, y, range(3), times)
    shown = times > 0
    fewer = model().fit(X[shown], y[shown], sample_weight=times[shown])
    whole = model().fit(X, y, sample_weight=times)
    wanted = fewer.predict_proba(X)
    np.testing.assert_allclose(whole.predict_proba(X), wanted, atol=1e-9)
    row = int(np.flatnonzero(~shown)[-1])
    before = model(horizon=1).partial_fit(X[:row], y[:row], range(3), times[:row])
    chances = before.predict_proba(X[row : row + 1])[0]
    np.testing.assert_allclose(P[row], chances, atol=1e-9)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_class_that_appears_later_was_never_seen_before(place):
    X, y = waves(600, 3)
    late = (y == place) & (np.arange(600) < 300)
    X, y = X[~late], y[~late]
    opened = model().partial_fit(X, y)
    single = model()
    for x, label in zip(X, y, strict=True):
        single.partial_fit(x[None], [label])
    wanted = opened.predict_proba(X)
    np.testing.assert_allclose(single.predict_proba(X), wanted, atol=1e-9)
    told = model().partial_fit(X, y, classes=range(3))
    one, other = (m._experts.curved.regression.functions for m in (opened, told))
    np.testing.assert_allclose(one.mean, other.mean, atol=1e-9)


def test_curves_beat_lines_and_lines_are_not_lost():
    X, y = waves(3000, 2)
    bent = rb.BayesPerceptron(boundary="curved").predict_then_learn(X, y, [0, 1])
    straight = rb.BayesPerceptron().predict_then_learn(X, y, [0, 1])
    assert (bent.argmax(1) != y).mean() < 0.6 * (straight.argmax(1) != y).mean()
    y = (X @ [1.0, 2.0, -1.0, 0.5] > 0).astype(int)
    losses = []
    for boundary in ("curved", "linear"):
        P = rb.BayesPerceptron(boundary=boundary).predict_then_learn(X, y, [0, 1])
        losses.append(-np.log(P[np.arange(len(y)), y]).sum())
    assert losses[0] < losses[1] + np.log(6.0 * len(y))  # eq. (3) of the mixture


def test_regressions_of_parts_merge_into_that_of_all_rows():
    X, y = waves(600, 3)
    X, Y, units = np.clip(X, -3.0, 3.0), np.eye(3)[y], (np.zeros(4), np.ones(4))
    whole, *parts = (cosines.start(4, 3, cosines=25) for _ in range(3))
    whole.learn(X, Y, np.ones(600), *units)
    for part, rows in zip(parts, (slice(0, 250), slice(250, 600)), strict=True):
        part.learn(X[rows], Y[rows], np.ones(len(X[rows])), *units)
    merged = parts[0].merged(parts[1], *units)
    for one, other in zip(merged.predict(X), whole.predict(X), strict=True):
        np.testing.assert_allclose(one.mean, other.mean, atol=1e-9)
        np.testing.assert_allclose(one.variance, other.variance, atol=1e-9)
    assert merged.clock == whole.clock
    few = [cosines.start(4, 3, cosines=25) for _ in range(2)]
    for part, first in zip(few, (0, 50), strict=True):
        part.learn(X[first : first + 50], Y[first : first + 50], np.ones(50), *units)
    moved = few[0].merged(few[1], np.full(4, 0.3), np.full(4, 0.5))  # learned again
    again = cosines.start(4, 3, cosines=25)
    again.learn(X[:100], Y[:100], np.ones(100), np.full(4, 0.3), np.full(4, 0.5))
    wanted = [own.mean for own in again.predict(X)]
    np.testing.assert_allclose([m.mean for m in moved.predict(X)], wanted, atol=1e-9)


def test_models_of_parts_merge_into_nearly_that_of_all_rows():
    X, y = waves(4000, 3)
    first, second, whole = (
        model().partial_fit(X[rows], y[rows])
        for rows in (slice(0, 1500), slice(1500, 3000), slice(0, 3000))
    )

    def loss(fitted):
        P = fitted.predict_proba(X[3000:])
        return -np.log(P[np.arange(1000), y[3000:]]).mean()

    apart, kept = [loss(first), loss(second)], copy.deepcopy(second)
    merged = first.merge(second)
    assert merged.t_ == 3000
    after = loss(merged)
    assert loss(whole) - 0.02 < after < min(apart)
    np.testing.assert_array_equal(kept.predict_proba(X), second.predict_proba(X))
    merged.partial_fit(X[3000:], y[3000:])
    assert merged.t_ == 4000


def test_tables_with_categories_and_one_row():
    import_frame = pytest.importorskip("pandas").DataFrame
    X, y = waves(400)
    words = np.where(X[:, 1] > 0.0, "up", "down")
    table = import_frame({"a": X[:, 0], "b": words})
    fitted = model().fit(table, y)
    assert fitted.score(table, y) > 0.6
    before = copy.deepcopy(fitted)
    fitted.partial_fit(table.iloc[:1], y[:1])
    assert fitted.t_ == before.t_ + 1


def test_deviations_shrink_and_grow_where_no_rows_are():
    X, y = waves(2000, columns=2)
    few, many = model().fit(X[:100], y[:100]), model().fit(X, y)
    assert many.predict_std(X[:50]).mean() < 0.5 * few.predict_std(X[:50]).mean()
    assert many.predict_std([[2.8, -2.8]])[0] > many.predict_std([[0.0, 0.0]])[0]


def test_bands_of_effects_hold_the_true_mean_probability():
    held = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((2000, 2))
        chance = 1.0 / (1.0 + np.exp(-2.0 * np.sin(2.0 * X[:, 0]) - X[:, 1]))
        y = rng.uniform(size=len(X)) < chance
        fitted = rb.BayesPerceptron(boundary="curved").fit(X, y)
        report = sorted(fitted.report(X), key=lambda entry: entry["column"])
        curve = report[0]["curve"]
        fields = 2.0 * np.sin(2.0 * curve["values"][:, None]) + X[:, 1]
        true = (1.0 / (1.0 + np.exp(-fields))).mean(axis=1)
        assert np.abs(curve["mean"].sum(axis=1) - 1.0).max() < 1e-9
        inside = (curve["low"][:, 1] < true) & (true < curve["high"][:, 1])
        held.append(inside.mean())
        assert (curve["high"] - curve["low"])[len(true) // 2, 1] < 0.15
    assert np.mean(held) > 0.8
    assert len(rb.plotting.effects(report).axes) == 2
    assert "curve" not in fitted.report()[0]


X, Y = waves(60)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: model(covariance="full").fit(X, Y), ValueError, "must be 'auto'"),
        (lambda: rb.BayesPerceptron(boundary="round").fit(X, Y), ValueError, "one of"),
        (
            lambda: rb.BayesPerceptron(boundary="curved", cosines=10**6).fit(X, Y),
            ValueError,
            r"must be at most \d+ together, .* got 1000",
        ),
        (
            lambda: rb.BayesPerceptron(boundary="curved", cosines=1e308).fit(X, Y),
            ValueError,
            r"must be at most \d+ together, .* got 1000",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_parameters_that_learning_keeps_cannot_be_exchanged():
    linear, curved = (rb.BayesPerceptron(boundary=b) for b in ("linear", "curved"))
    linear.fit(X, Y).set_params(boundary="curved")
    message = "boundary must be 'linear', as it was when learning began, got 'curved'"
    for call in (linear.predict, lambda X: linear.partial_fit(X, Y)):
        with pytest.raises(ValueError, match=message):
            call(X)
    curved.fit(X, Y)
    fewer = model().fit(X, Y).set_params(**curved.get_params())
    before = curved.predict_proba(X)
    for other in (linear, fewer):
        with pytest.raises(ValueError, match="other must have learned with"):
            curved.merge(other)
    np.testing.assert_array_equal(curved.predict_proba(X), before)


def test_a_large_weight_takes_no_memory_of_its_own():
    learned, weights = model().fit(X, Y), np.array([1.0, 1e6])
    tracemalloc.start()
    learned.partial_fit(X[:2], Y[:2], sample_weight=weights)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert learned.t_ == len(X) + 1_000_001
    assert most < 20 * weights.max()  # the predictions of a presentation take 112 bytes
