"""Weights for rows whose labels will not be seen, beside a slow twin in NumPy."""

import pickle
from itertools import pairwise

import joblib
import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import log_loss, roc_auc_score

import rosenblatt as rb
from rosenblatt.bayes import prediction
from rosenblatt.bayes.horizon import RENEWED
from rosenblatt.estimators.bayes_perceptron import prior_filters


def rows(count, columns=3, classes=2, seed=0, change=None):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((count, columns))
    weights = 2.0 * rng.standard_normal((2, columns, classes))
    law = np.zeros(count, int) if change is None else (np.arange(count) >= change) * 1
    fields = np.einsum("ni,nik->nk", X, weights[law])
    fields += 2.0 * rng.standard_normal(fields.shape)
    return X, fields.argmax(1)


class Slow:
    """All filters are copied whenever copies are renewed, and rows are kept."""

    def __init__(self, horizon=None, half_life=None):
        self.horizon, self.keep = horizon, 0.5 ** (1 / half_life) if half_life else 1.0
        self.age, self.scores, self.total, self.seen = 0.0, 0.0, 0.0, []
        self.shifts, self.spreads = 0.0, 0.0
        self.start, self.gap = 0, 0

    def shuffled(self, t, i):
        mixed = (t * 2654435761 + i * 40503 + 12345) % 2**32
        for _ in range(2):
            mixed ^= mixed * 2**13 % 2**32
            mixed ^= mixed // 2**17
            mixed ^= mixed * 2**5 % 2**32
        return mixed / 2**32

    def layers(self, found):
        """Return weights and slopes."""
        rates = np.array([f.rate for f in found.filters])
        h, n = self.age / 10, min(64, self.age / 2)
        if self.horizon:
            h, n = self.horizon, self.age / 2 / self.horizon
        logs, n = -np.log(2) * h * rates, n / (self.total or 1)
        w = np.exp(logs + n * self.scores - np.max(logs + n * self.scores))
        r = n / 4 * (1 - np.exp(logs))
        a = found.mixture.slopes[:, 0] + r * self.shifts
        return w / w.sum(), np.maximum(a, 0) / (1 + r * self.spreads)

    def renew(self, t, found):
        for name in ("scores", "total", "shifts", "spreads"):
            kept = getattr(self, name) * self.keep ** (t - self.start)
            setattr(self, name, kept)
        self.copies = [filter.copy() for filter in found.filters]
        self.mixed, self.slopes = self.layers(found)
        if not self.horizon:
            self.slopes = found.mixture.slopes[:, 0].copy()
        if t == 0:  # before the first row all are alike
            self.mixed = np.full(len(self.mixed), 1 / len(self.mixed))
        self.start = t
        self.gap = self.horizon or max(8, min(int(self.age), 64), int(self.age) // 10)
        count = min(64, max(self.gap // 4, 1))
        ends = [self.gap * i // count for i in range(count + 1)]
        self.shown = {
            t + first + int(self.shuffled(t, i) * (last - first))
            for i, (first, last) in enumerate(pairwise(ends))
        }
        self.each = self.gap / count
        assert len(self.shown) == count

    def odds(self, X):
        odds = prediction.log_odds_of_all(self.copies, X)
        return odds if odds.shape[2] > 1 else np.pad(odds, ((0, 0), (0, 0), (1, 0)))

    def chances(self, X):
        logits = self.odds(X) * self.slopes[:, None, None]
        p = np.exp(logits - logits.max(axis=2, keepdims=True))
        return p / p.sum(axis=2, keepdims=True)

    def learn(self, t, model, X, y, classes, power):
        """Score row t by the copies; then the model learns it."""
        if t in self.shown:
            p = self.chances(X[[t]])[:, 0]
            each = self.each * power
            self.scores = self.scores + each * np.log(p[:, y[t]])
            o = self.odds(X[[t]])[:, 0]
            mean = (p * o).sum(axis=1)
            spread = (p * (o - mean[:, None]) ** 2).sum(axis=1)
            shift = spread * self.slopes + o[:, y[t]] - mean
            self.shifts = self.shifts + each * shift
            self.spreads = self.spreads + each * spread
            self.total += each
            self.seen.append((each, y[t], self.mixed @ p))
        weights = None if power == 1 else [power]
        model.partial_fit(X[[t]], y[[t]], classes, weights)
        self.age = self.keep * self.age + 1
        found = model._experts
        changes = model.forgetting_.changes
        noticed = bool(changes) and changes[-1].row >= self.start
        half = self.gap >= 256 and t + 1 == self.start + self.gap // 2
        if t + 1 == self.start + self.gap or (half and noticed):
            self.renew(t + 1, found)


@pytest.mark.parametrize(
    ("classes", "horizon", "half_life", "change", "powers"),
    [(2, None, None, 2200, [1]), (3, None, None, None, [1, 0.4]),
     (2, 50, None, None, [0.3, 1]), (2, None, 90.0, None, [1])],
)  # fmt: skip
def test_weights_are_those_of_the_slow_twin(
    classes, horizon, half_life, change, powers
):
    count = 3400 if change else 900
    X, y = rows(count, classes=classes, change=change)
    model = rb.BayesPerceptron(horizon=horizon, half_life=half_life)
    slow = Slow(horizon, half_life)
    slow.renew(0, prior_filters("auto", "auto", half_life, 3, classes, False))
    for t in range(count):
        slow.learn(t, model, X, y, range(classes), powers[t % len(powers)])
    own, found = model._experts.horizon, model._experts
    np.testing.assert_allclose(own.scores, slow.scores, rtol=1e-9)
    weights, slopes = own.layers(found.filters, found.mixture)
    wanted, slow.slopes = slow.layers(found)
    np.testing.assert_allclose(weights, wanted, rtol=1e-7, atol=2e-9)
    np.testing.assert_allclose(slopes, slow.slopes, rtol=1e-7)
    stands, labels, shares = (np.array(part) for part in zip(*slow.seen, strict=True))
    later = model.later_
    assert later.rows == pytest.approx(stands.sum())
    right = shares[np.arange(len(labels)), labels]
    # the first copies, of 50 in 900 rows at most, know nothing: rounding decides
    surely = (shares > right[:, None] + 1e-12).any(axis=1)
    perhaps = (shares > right[:, None] - 1e-12).sum(axis=1) > 1
    low, high = (np.average(part, weights=stands) for part in (surely, perhaps))
    assert low - 1e-9 <= later.error <= high + 1e-9 <= low + 0.06
    loss = log_loss(labels, shares, sample_weight=stands, labels=range(classes))
    assert later.log_loss == pytest.approx(loss)
    if classes == 2:
        odds = np.floor(8 * np.log(shares[:, 1] / shares[:, 0]))  # in bins
        area = roc_auc_score(labels, odds, sample_weight=stands)
        assert later.auc == pytest.approx(area)
    else:
        assert np.isnan(later.auc)
    # the next mixture of the current filters, with slopes alone
    slow.copies, fresh = found.filters, rows(50, classes=classes, seed=1)[0]
    wanted = np.tensordot(wanted, slow.chances(fresh), axes=1)
    np.testing.assert_allclose(model.predict_proba(fresh), wanted, rtol=1e-7)


def state(model):
    own = model._experts.horizon
    return {name: array for name, array in vars(own).items() if name != "_table"}


@pytest.mark.parametrize("kind", ["dense", "sparse", "single", "wide", "weights"])
def test_batches_of_any_size_give_the_same_horizon(kind):
    X, y = rows(1500, columns=50 if kind == "wide" else 3)
    times = (
        np.random.default_rng(0).integers(0, 3, len(y)) if kind == "weights" else None
    )
    if kind == "sparse":
        X = csr_matrix(X)
    if kind == "single":
        X = X.astype(np.float32)
    one, many = rb.BayesPerceptron(), rb.BayesPerceptron()
    one.partial_fit(X, y, [0, 1], sample_weight=times)
    first = 0
    for size in np.random.default_rng(0).choice([1, 2, 30, 400], 1500):
        part = slice(first, first + size)
        own = None if times is None else times[part]
        if len(y[part]):
            many.partial_fit(X[part], y[part], [0, 1], sample_weight=own)
        first += size
    for name, array in state(one).items():
        exact = kind in ("dense", "sparse")
        near = {"rtol": 0.0 if exact else 1e-4, "atol": 0.0 if exact else 1e-5}
        np.testing.assert_allclose(state(many)[name], array, **near, err_msg=name)


def test_learning_goes_on_with_the_same_bits_after_a_pickle_and_a_file(tmp_path):
    X, y = rows(2000)
    whole = rb.BayesPerceptron().partial_fit(X, y, [0, 1])
    first = rb.BayesPerceptron().partial_fit(X[:777], y[:777], [0, 1])
    rb.save_model(first, tmp_path / "model")
    for again in (pickle.loads(pickle.dumps(first)), rb.load_model(tmp_path / "model")):
        np.testing.assert_array_equal(again.predict_proba(X), first.predict_proba(X))
        again.partial_fit(X[777:], y[777:])
        for name, array in state(whole).items():
            np.testing.assert_array_equal(state(again)[name], array)


def test_next_row_and_later_rows_are_two_views_of_one_state():
    X, y = rows(3000, change=2900)
    later, following = rb.BayesPerceptron(), rb.BayesPerceptron(horizon=1)
    shares = [m.predict_then_learn(X, y, classes=[0, 1]) for m in (later, following)]
    np.testing.assert_array_equal(*shares)
    assert later.log_evidence_ == following.log_evidence_
    assert (later.predict_proba(X) != following.predict_proba(X)).any()
    for model, other in ((later, following), (following, later)):
        copied = pickle.loads(pickle.dumps(model)).set_params(horizon=other.horizon)
        np.testing.assert_array_equal(copied.predict_proba(X), other.predict_proba(X))
        np.testing.assert_array_equal(copied.coef_, other.coef_)


def test_predictions_follow_rows_that_are_learned_one_by_one():
    X, y = rows(500)
    model = rb.BayesPerceptron().fit(X[:400], y[:400])
    for row in range(400, 500):
        before = model.predict_proba(X[:5])
        model.partial_fit(X[row : row + 1], y[row : row + 1])
        fresh = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(
            model.predict_proba(X[:5]), fresh.predict_proba(X[:5])
        )
        assert (model.predict_proba(X[:5]) != before).any()


@pytest.mark.parametrize(
    ("horizon", "shown"),
    [(0, "0"), (-3, "-3"), (1.5, r"1\.5"), (2**63, ""), (1e308, ""), ("10", "'10'")],
)
def test_bad_horizons_are_refused(horizon, shown):
    most = 2**53
    message = f"horizon must be None or a whole number from 1 to {most}, got {shown}"
    X, y = rows(50)
    with pytest.raises((ValueError, TypeError), match=message):
        rb.BayesPerceptron(horizon=horizon).fit(X, y)
    model = rb.BayesPerceptron().fit(X, y).set_params(horizon=horizon)
    with pytest.raises((ValueError, TypeError), match=message):
        model.predict(X)


def test_another_horizon_needs_to_learn_again():
    X, y = rows(300)
    model = rb.BayesPerceptron(horizon=20).fit(X[:200], y[:200])
    before = model.predict_proba(X)
    model.set_params(horizon=1).predict(X)
    for other in (None, 30):
        model.set_params(horizon=other)
        message = f"horizon must be 1 or 20, as it was when learning began, got {other}"
        for call in (
            lambda: model.predict(X),
            lambda: model.partial_fit(X, y),
            lambda: model.partial_fit(X[:1], y[:1]),
        ):
            with pytest.raises(ValueError, match=message):
                call()
    np.testing.assert_array_equal(model.set_params(horizon=20).predict_proba(X), before)
    assert model.set_params(horizon=30).fit(X, y)._experts.horizon.rows == 30
    single = rb.BayesPerceptron("full").fit(X, y)
    assert single.later_ is None
    np.testing.assert_array_equal(
        single.predict_proba(X), single.set_params(horizon=7).predict_proba(X)
    )


def test_merged_models_start_with_copies_and_no_scores():
    X, y = rows(2000)
    parts = slice(1000), slice(1000, 2000)
    first, second = (rb.BayesPerceptron().fit(X[part], y[part]) for part in parts)
    own = first.merge(second)._experts.horizon
    assert own.counters[RENEWED] == 2000
    assert first.later_.rows == 0
    whole = rb.BayesPerceptron().fit(X, y).score(X, y)
    assert abs(first.score(X, y) - whole) < 0.02
    first.partial_fit(X, y)
    assert first.later_.rows > 1900


def test_classes_and_columns_that_appear_renew_the_copies():
    X, y = rows(900, classes=3)
    y[:400] %= 2
    model = rb.BayesPerceptron().partial_fit(X, y)
    assert model._experts.horizon.counters[RENEWED] >= 400
    assert model.score(X[400:], y[400:]) > 0.6
    open_, told = rb.BayesPerceptron(), rb.BayesPerceptron()
    open_.partial_fit(X[:400], y[:400])
    told.partial_fit(X[:400], y[:400], classes=[0, 1])
    for name, array in state(told).items():
        np.testing.assert_allclose(state(open_)[name], array, rtol=1e-9, atol=1e-12)


def test_late_labels_are_met_by_their_horizon():
    """Labels come 200 rows late, and the law turns fast: the last rows tell little."""
    rng = np.random.default_rng(0)
    count, late = 20_000, 200
    angle = np.cumsum(0.04 * rng.standard_normal(count))
    X = rng.standard_normal((count, 2))
    field = 2.0 * (X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle)) + X[:, 0]
    y = (field + rng.standard_normal(count) > 0).astype(int)
    loss = {}
    for horizon in (1, late):
        model, shares = rb.BayesPerceptron(horizon=horizon), []
        for row in range(late, count, 20):
            seen = slice(row - late - 20 if row > late + 20 else 0, row - late)
            if seen.stop > seen.start:
                model.partial_fit(X[seen], y[seen], classes=[0, 1])
            if row >= 2 * late:
                shares.append(model.predict_proba(X[row : row + 20]))
        loss[horizon] = log_loss(y[2 * late :], np.concatenate(shares))
    assert loss[late] < loss[1]


def test_models_of_mapped_files_learn_the_same_after_a_prediction(tmp_path):
    """Their arrays are read-only: they are replaced before kernels get addresses."""
    X, y = rows(1500)
    joblib.dump(rb.BayesPerceptron().fit(X[:500], y[:500]), tmp_path / "model")
    used, wanted = (joblib.load(tmp_path / "model", mmap_mode="r") for _ in range(2))
    used.predict_proba(X[:5])
    for first in range(500, 1500, 100):
        part = slice(first, first + 100)
        for model in (used, wanted):
            model.partial_fit(X[part], y[part])
    assert pickle.dumps(used.later_) == pickle.dumps(wanted.later_)
    np.testing.assert_array_equal(used.predict_proba(X), wanted.predict_proba(X))
