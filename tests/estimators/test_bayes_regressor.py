"""BayesRegressor against closed forms, plain recursions and its own promises."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, PoissonRegressor

import rosenblatt as rb
from rosenblatt.likelihoods import Gaussian, Poisson, StudentT
from tests.conformance.estimators import every_regressor, state

KINDS = {
    "linear": {},
    "next row": {"horizon": 1},
    "late": {"horizon": 7},
    "half-life": {"half_life": 50.0},
    "curved": {"boundary": "curved", "cosines": 20},
    "Student": {"likelihood": StudentT(4.0, 0.5)},
    "Poisson": {"likelihood": Poisson()},
}
kinds = pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)


def rows(number=320, columns=4, seed=0, noise=0.5):
    """Return columns of different units, and counts that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((number, columns)) * 10.0 ** np.arange(columns)
    X += 100.0 * np.arange(columns)
    fields = (X - X.mean(0)) / X.std(0) @ np.linspace(0.6, -0.2, columns)
    return X, rng.poisson(np.exp(fields + noise)).astype(float)


def assert_alike(one, other, X, rounding=1e-7):
    for name in ("coef_", "coef_std_", "intercept_", "noise_", "log_evidence_", "t_"):
        left, right = getattr(one, name), getattr(other, name)
        np.testing.assert_allclose(left, right, rtol=rounding, atol=1e-12, err_msg=name)
    both = (model.predict(X, return_std=True) for model in (one, other))
    np.testing.assert_allclose(*map(np.stack, both), rtol=rounding)
    np.testing.assert_allclose(one.later_, other.later_, rtol=rounding)
    pairs = zip(one.forgetting_, other.forgetting_, strict=True)
    for left, right in pairs:
        np.testing.assert_allclose(left, right, rtol=rounding)


@kinds
def test_any_batches_are_one_fit(settings):
    X, y = rows()
    whole = rb.BayesRegressor(**settings).fit(X, y)
    for cuts in ([1, 2, 3, 40], [len(X) // 2], np.arange(1, len(X))):
        model = rb.BayesRegressor(**settings)
        for part in np.array_split(np.arange(len(X)), cuts):
            model.partial_fit(X[part], y[part])
        assert_alike(model, whole, X)
    warm = rb.BayesRegressor(**settings, warm_start=True).fit(X[:50], y[:50])
    assert_alike(warm.fit(X[50:], y[50:]), whole, X)
    assert warm.set_params(warm_start=False).fit(X[:50], y[:50]).t_ == 50


@pytest.mark.parametrize(
    "settings", [{}, {"boundary": "curved", "cosines": 20}, {"likelihood": Poisson()}]
)
def test_each_row_is_predicted_before_it_is_learned(settings):
    X, y = rows(60)
    stream = rb.BayesRegressor(**settings)
    mean, std, ends = stream.predict_then_learn(X, y, return_std=True, level=0.8)
    loop = rb.BayesRegressor(**settings, horizon=1).partial_fit(X[:10], y[:10])
    for row in range(10, 60):
        x = X[row : row + 1]
        # at a change of units the row itself is looked at before it is predicted
        if row not in (12, 16, 24, 32, 48):
            expected = loop.predict(x, return_std=True)
            np.testing.assert_allclose([mean[row], std[row]], np.ravel(expected))
            if "likelihood" not in settings:
                # scales of next to no weight are left out of quantiles
                found = loop.predict_interval(x, 0.8)[0]
                np.testing.assert_allclose(ends[row], found, atol=1e-3 * std[row])
        loop.partial_fit(x, y[row : row + 1])
    assert_alike(stream, loop.set_params(horizon=None), X)


def test_without_forgetting_it_is_the_posterior_of_ridge_regression():
    """The closed form to 1e-9, with weighted rows, in the units of the model."""
    X, y = rows(300)
    weights = np.random.default_rng(1).uniform(0.2, 3.0, 300)
    model = rb.BayesRegressor(half_life=1e300).fit(X, y, weights)
    own = model._experts
    center, inverse = own.beliefs.center, own.beliefs.inverse_scale
    Z = np.column_stack([(X - center[:-1]) * inverse[:-1], np.ones(len(X))])
    u = (y - center[-1]) * inverse[-1]
    precision = (weights[:, None] * Z).T @ Z + np.diag(1.0 / own.prior[0])
    w = np.linalg.solve(precision, Z.T @ (weights * u))
    np.testing.assert_allclose(
        model.coef_, w[:-1] * inverse[:-1] / inverse[-1], rtol=1e-9
    )
    squares = own.prior_errors[0, 0] + weights @ u**2 - w @ precision @ w
    dof = own.prior_errors[0, 1] + weights.sum()
    np.testing.assert_allclose(own.beliefs.errors[0], [squares, dof], rtol=1e-9)
    covariance = np.linalg.inv(precision) * squares / (dof - 2)
    deviation = np.sqrt(np.diag(covariance)[:-1]) * inverse[:-1] / inverse[-1]
    # that of the noise of the last rows has a small weight here, and the same weights
    np.testing.assert_allclose(model.coef_std_, deviation, rtol=0.2)


def test_between_changes_of_units_beliefs_follow_the_plain_recursion():
    X, y = rows(300)
    own = rb.BayesRegressor().fit(X[:260], y[:260])._experts
    after = copy.deepcopy(own)
    after.learn(X[260:], y[260:], np.ones(40), None)
    center, inverse = own.beliefs.center, own.beliefs.inverse_scale
    for e in range(len(own.prior)):
        keep, prior = 0.5 ** own.mixture.rates[e], np.diag(own.prior[e])
        W, P = own.beliefs.mean[e].copy(), own.beliefs.covariance[e].copy()
        errors, begun = own.beliefs.errors[e].copy(), own.prior_errors[e]
        for x, target in zip(X[260:], y[260:], strict=True):
            z = np.append((x - center[:-1]) * inverse[:-1], 1.0)
            away = (target - center[-1]) * inverse[-1] - W @ z
            blur = 1.0 + z @ P @ z
            W = np.sqrt(keep) * (W + P @ z * away / blur)
            news = np.array([away**2 / blur, 1.0])
            errors = keep * (errors + news) + (1 - keep) * begun
            P = keep * (P - np.outer(P @ z, P @ z) / blur) + (1 - keep) * prior
        np.testing.assert_allclose(after.beliefs.mean[e], W, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(after.beliefs.covariance[e], P, atol=1e-12)
        np.testing.assert_allclose(after.beliefs.errors[e], errors, rtol=1e-9)


def test_the_evidence_is_a_density():
    """Of the next target: its integral is 1, for a row of any weight 1."""
    X, y = rows(40)
    model = rb.BayesRegressor().fit(X[:39], y[:39])
    numbers = np.linspace(-200.0, 200.0, 40_001)
    before, total = model.log_evidence_, 0.0
    for first in range(0, len(numbers), 40):
        place = numbers[first]
        other = copy.copy(model).partial_fit(X[39:], [place])
        total += np.exp(other.log_evidence_ - before) * 40 * (numbers[1] - numbers[0])
    assert total == pytest.approx(1.0, abs=2e-2)


@pytest.mark.parametrize("settings", [{}, {"likelihood": Gaussian(1.0)}])
def test_merged_models_have_the_posterior_of_all_rows(settings):
    X, y = rows(400)
    settings |= {"half_life": 1e300}
    one, two = (
        rb.BayesRegressor(**settings).fit(X[part], y[part])
        for part in (slice(0, 200), slice(200, 400))
    )
    merged = copy.copy(one).merge(two)
    whole = rb.BayesRegressor(**settings).fit(X, y)
    # the prior is that of other units, and its variance one of a grid
    assert (abs(merged.coef_ - whole.coef_) < 0.2 * whole.coef_std_).all()
    assert merged.t_ == 400
    turned = copy.copy(two).merge(one)
    assert (abs(merged.coef_ - turned.coef_) < 0.2 * whole.coef_std_).all()


def test_intervals_hold_what_they_promise():
    """Coverage within five standard errors, for Gaussian noise."""
    rng, n = np.random.default_rng(0), 4000
    X = rng.standard_normal((n, 5))
    y = X @ [1.0, 2.0, 0.0, -1.0, 0.5] + 3.0 * rng.standard_normal(n) + 7.0
    for level in (0.5, 0.9):
        _, ends = rb.BayesRegressor().predict_then_learn(X, y, level=level)
        inside = ((ends[:, 0] < y) & (y < ends[:, 1]))[30:]
        error = np.sqrt(level * (1 - level) / len(inside))
        assert abs(inside.mean() - level) < 5 * error
    model = rb.BayesRegressor().fit(X, y)
    assert model.noise_ == pytest.approx(3.0, abs=5 * 3.0 / np.sqrt(2 * n))
    plain = LinearRegression().fit(X, y)
    assert (abs(model.coef_ - plain.coef_) < 0.2 * model.coef_std_).all()


def test_intervals_of_weights_hold_the_truth():
    """In 100 data sets; five standard errors."""
    inside = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X, w = rng.standard_normal((80, 3)), rng.standard_normal(3)
        y = X @ w + rng.standard_normal(80)
        ends = rb.BayesRegressor(half_life=1e300).fit(X, y).coef_interval(0.8)
        inside.extend((ends[:, 0] < w) & (w < ends[:, 1]))
    assert abs(np.mean(inside) - 0.8) < 5 * np.sqrt(0.8 * 0.2 / len(inside))


@pytest.mark.parametrize("settings", [{}, {"likelihood": StudentT(5.0, 2.0)}])
def test_draws_have_the_moments_of_the_posterior(settings):
    X, y = rows(100)
    model = rb.BayesRegressor(**settings).fit(X, y)
    W, b = model.sample_weights(20_000, random_state=0)
    error = model.coef_std_ / np.sqrt(len(W))
    assert (abs(W.mean(0) - model.coef_) < 5 * error).all()
    np.testing.assert_allclose(W.std(0), model.coef_std_, rtol=0.05)
    drawn = X[:3] @ W.T + b
    mean, std = model.predict(X[:3], return_std=True)
    assert (abs(drawn.mean(1) - mean) < 5 * drawn.std(1) / np.sqrt(len(W))).all()
    targets = model.sample_y(X[:3], 20_000, random_state=0)
    assert targets.shape == (3, 20_000)
    assert (abs(targets.mean(1) - mean) < 5 * std / np.sqrt(20_000)).all()
    np.testing.assert_array_equal(targets, model.sample_y(X[:3], 20_000, 0))
    again = model.sample_weights(3, random_state=np.random.RandomState(0))[0]
    np.testing.assert_array_equal(again, model.sample_weights(3, 0)[0])


def test_counts_are_learned_as_by_a_glm():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 3))
    exposure = rng.uniform(0.2, 5.0, 2000)
    counts = rng.poisson(exposure * np.exp(X @ [0.5, -0.3, 0.0] + 1.0))
    given = X, counts / exposure, exposure
    model = rb.BayesRegressor(Poisson()).fit(*given)
    glm = PoissonRegressor(alpha=0.0, tol=1e-8).fit(*given)
    assert (abs(model.coef_ - glm.coef_) < 0.5 * model.coef_std_).all()
    assert model.intercept_ == pytest.approx(glm.intercept_, abs=0.02)
    np.testing.assert_allclose(model.predict(X), glm.predict(X), rtol=0.05)
    assert model.noise_ == 0.0
    ends = model.predict_interval(X, 0.9)
    assert (ends == ends.round()).all()
    one = rng.poisson(np.exp(X @ [0.5, -0.3, 0.0] + 1.0))
    assert 0.88 < ((ends[:, 0] <= one) & (one <= ends[:, 1])).mean() < 0.98


def test_heavy_tails_move_the_students_law_less():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = X @ [1.0, -1.0] + 0.1 * rng.standard_t(1.5, 300)
    model = rb.BayesRegressor(StudentT(1.5, 0.1)).fit(X, y)
    plain = rb.BayesRegressor(Gaussian(0.1)).fit(X, y)
    right = np.array([1.0, -1.0])
    assert abs(model.coef_ - right).max() < 0.5 * abs(plain.coef_ - right).max()
    assert np.isinf(model.predict(X[:1], return_std=True)[1]) == np.isinf(
        StudentT(1.5, 0.1).moments()(0.0)[1]
    )


def test_smooth_functions_need_a_curved_boundary():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (800, 2))
    y = np.sin(3 * X[:, 0]) * X[:, 1] + 0.1 * rng.standard_normal(800)
    scores = [
        rb.BayesRegressor(boundary=form).fit(X[:600], y[:600]).score(X[600:], y[600:])
        for form in ("linear", "curved")
    ]
    assert scores[0] < 0.2
    assert scores[1] > 0.9


def test_forgetting_is_chosen_by_the_data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 3))
    w = np.where(np.arange(2000)[:, None] < 1000, [[1.0, 2.0, 3.0]], [[3.0, -2.0, 0.0]])
    y = (X * w).sum(1) + 0.3 * rng.standard_normal(2000)
    mean = rb.BayesRegressor().predict_then_learn(X, y)
    keeps_all = rb.BayesRegressor(half_life=1e300).predict_then_learn(X, y)
    lost, all_lost = (np.mean((m - y)[1100:] ** 2) for m in (mean, keeps_all))
    assert lost < 1.5 * 0.09 < 0.1 * all_lost
    late = rb.BayesRegressor().fit(X, y)
    np.testing.assert_allclose(late.coef_, [3.0, -2.0, 0.0], atol=0.2)
    known = late.forgetting_
    assert [1000 < change.row < 1030 for change in known.changes] == [True]
    before = (known.rows > 100) & (known.rows <= 1000)
    just_after = (known.rows > 1020) & (known.rows < 1040)
    assert (
        np.median(known.half_life[before])
        > 4096
        > 256
        > known.half_life[just_after].max()
    )
    assert known.current > 256


def test_later_rows_are_predicted_as_well_as_it_says():
    """The mean square is that of the noise, and of the weights that are unknown."""
    rng, n = np.random.default_rng(0), 4000
    X = rng.standard_normal((n, 5))
    y = X.sum(axis=1) + 3.0 * rng.standard_normal(n)
    later = rb.BayesRegressor().fit(X, y).later_
    assert 0.9 * n < later.rows < n
    # 64 rows of each growth by a tenth: 40 such growths, and as many rows before
    error = np.sqrt(2.0 / (64 * 40))
    assert abs(later.squared_error / 9.0 - 1.0) < 5 * error
    wanted = 0.5 * np.log(2 * np.pi * np.e * 9.0)
    assert abs(later.log_loss - wanted) < 5 * np.sqrt(0.5 / (64 * 40))


def test_tables_of_any_columns_are_learned_and_kept(tmp_path):
    rng = np.random.default_rng(0)
    side = rng.choice(["left", "right", "up"], 300)
    size = np.where(rng.random(300) < 0.1, np.nan, rng.standard_normal(300))
    table = pd.DataFrame({"side": side, "size": size})
    y = (side == "up") * 4.0 + np.nan_to_num(size) + 0.1 * rng.standard_normal(300)
    model = rb.BayesRegressor().fit(table, y)
    assert model.score(table, y) > 0.98
    np.testing.assert_allclose(
        model.predict(table[["size", "side"]]), model.predict(table)
    )
    rb.save_model(model, tmp_path / "model")
    loaded = rb.load_model(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(table), model.predict(table))
    for one in (model, loaded):
        one.partial_fit(table, y)
    np.testing.assert_array_equal(loaded.coef_, model.coef_)


@kinds
def test_files_keep_models_to_the_bit(settings, tmp_path):
    X, y = rows(120)
    model = rb.BayesRegressor(**settings).fit(X[:100], y[:100])
    rb.save_model(model, tmp_path / "model")
    loaded = rb.load_model(tmp_path / "model")
    for one in (model, loaded):
        one.partial_fit(X[100:], y[100:])
    for wanted, found in zip(
        model.predict(X, return_std=True), loaded.predict(X, return_std=True),
        strict=True,
    ):  # fmt: skip
        np.testing.assert_array_equal(wanted, found)
    np.testing.assert_array_equal(model.coef_interval(), loaded.coef_interval())


X, Y = rows(30)
MANY = rb.BayesRegressor().fit(X, Y)
MASKED = Y.astype(object)
MASKED[-1] = np.ma.masked


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.partial_fit(np.full(X.shape, np.nan), Y), "NaN"),
        (lambda m: m.partial_fit(X, np.where(Y > 1, np.inf, Y)), "infinity"),
        (lambda m: m.partial_fit(X, np.where(Y > 1, np.nan, Y)), "NaN"),
        (
            lambda m: m.partial_fit(X, Y + 1e308),
            r"between -1e\+100 and 1e\+100, got 1e",
        ),
        (lambda m: m.partial_fit(X, Y.astype(str)), "y must be numbers, got '"),
        (lambda m: m.partial_fit(X, list("ab") * 15), "y must be numbers, got 'a'"),
        (lambda m: m.partial_fit(X, [None] * 30), "y must be numbers, got None"),
        (lambda m: m.partial_fit(X, MASKED), "y must be numbers, got masked"),
        (lambda m: m.partial_fit(X, [1, [2, 3]] * 15), "y must have one number a row"),
        (lambda m: m.partial_fit(X, np.stack([Y, Y], 1)), "1d array"),
        (lambda m: m.partial_fit(X[:, 1:], Y), "X has 3 features"),
        (lambda m: m.partial_fit(X, Y, np.zeros(30)), "(?i)sample.weight"),
        (lambda m: m.partial_fit(X, Y, -np.ones(30)), "sample_weight must be numbers"),
        (lambda m: m.set_params(horizon=3).predict(X), "horizon must be 1 or None"),
        (lambda m: m.set_params(horizon=0).predict(X), "horizon must be None or a"),
        (lambda m: m.predict_interval(X, 1.5), "level must be"),
        (lambda m: m.sample_y(X, 0), "n_samples must be"),
        (lambda m: m.sample_weights(2.5), "n must be"),
        (lambda m: m.sample_weights(2, "x"), "random_state must be"),
        (lambda m: m.merge(rb.BayesRegressor(half_life=3.0).fit(X, Y)), "other must"),
        (lambda m: m.merge(m), "other must be another model"),
        (lambda m: m.predict(X[:, 1:]), "X has 3 features"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(call, message):
    model = copy.copy(MANY)
    before = pickle.dumps(model._experts)
    with pytest.raises((ValueError, TypeError), match=message):
        call(model)
    assert pickle.dumps(model._experts) == before


@pytest.mark.parametrize(
    ("law", "target", "message"),
    [
        (
            Poisson(),
            [-1.0, 2.0],
            r"counts, from 0 to 1e\+100, for Poisson\(\), got",
        ),
        (rb.likelihoods.Sign(0.1), [1.0, 2.0], "-1 or 1 for Sign"),
    ],
)
def test_targets_that_a_likelihood_does_not_have_are_refused(law, target, message):
    model = rb.BayesRegressor(law)
    with pytest.raises(ValueError, match=message):
        model.fit(np.ones((2, 1)), target)
    assert not hasattr(model, "n_features_in_")


def test_a_curved_boundary_has_gaussian_noise():
    with pytest.raises(ValueError, match="likelihood must be None for a curved"):
        rb.BayesRegressor(Poisson(), boundary="curved").fit(X, Y)


HARD = {
    "constant column": (np.ones((40, 2)), np.arange(40.0)),
    "constant target": (np.arange(80.0).reshape(40, 2), np.full(40, 5.0)),
    "zero target": (np.arange(80.0).reshape(40, 2), np.zeros(40)),
    "huge": (np.arange(80.0).reshape(40, 2) * 1e100, np.arange(40.0) * 1e90),
    "tiny": (np.arange(80.0).reshape(40, 2) * 1e-100, np.arange(40.0) * 1e-90),
    "largest": (np.eye(40), np.resize([1e99, -1e100], 40)),
    "smallest": (np.eye(40), np.resize([1e-320, 5e-310], 40)),
    "one huge": (np.eye(40), np.r_[np.ones(39), 1e100]),
    "first tiny": (np.eye(40), np.r_[1e-320, np.ones(39)]),
    "far": (np.arange(80.0).reshape(40, 2) + 1e9, np.arange(40.0) + 1e9),
    "collinear": (np.tile(np.arange(40.0)[:, None], (1, 5)), np.arange(40.0)),
    "wide": (np.random.default_rng(0).standard_normal((10, 60)), np.arange(10.0)),
    "jump": (np.r_[np.zeros(39), 1e8][:, None], np.r_[np.zeros(39), 1e12]),
    "one row": (np.ones((1, 3)), np.ones(1)),
    "two rows": (np.eye(2), np.array([3.0, 4.0])),
}


@pytest.mark.parametrize("settings", [{}, {"boundary": "curved", "cosines": 10}])
@pytest.mark.parametrize("data", HARD.values(), ids=HARD)
def test_hard_data_give_finite_predictions(data, settings):
    X, y = data
    model = rb.BayesRegressor(**settings).fit(X, y)
    mean, std = model.predict(X, return_std=True)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()
    assert (std > 0).all()
    assert np.isfinite(model.predict_interval(X)).all()
    assert np.isfinite(model.coef_).all()


@every_regressor
def test_weights_of_zero_leave_rows_out(kind):
    X, y = rows(60)
    used = np.arange(60) % 3 > 0
    odd = np.where(used, y, 1e6)
    model = kind().fit(X, odd, sample_weight=used)
    assert_alike(model, kind().fit(X[used], y[used]), X)
    mean = kind().predict_then_learn(X, odd, sample_weight=used)
    wanted = kind().predict_then_learn(X[used], y[used])
    np.testing.assert_allclose(mean[used], wanted, rtol=1e-9)
    assert np.isfinite(mean).all()


@kinds
def test_tiny_weights_of_rows_are_next_to_none(settings):
    X, y = rows(60)
    weights = np.r_[1e-310, 1e-17, np.ones(58)]
    model = rb.BayesRegressor(**settings).fit(X, y, sample_weight=weights)
    mean, std = model.predict(X, return_std=True)
    plain = rb.BayesRegressor(**settings).fit(X[2:], y[2:])
    assert np.mean((mean - plain.predict(X)) ** 2) < np.mean(std**2)


@every_regressor
def test_copies_are_of_their_own(kind):
    X, y = rows(60)
    model = kind().fit(X, y)
    before = state(model)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(before)):
        other.partial_fit(X[:1], y[:1])
        other.partial_fit(X, y)
    assert state(model) == before


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("likelihood", 3),
        ("half_life", -1.0),
        ("warm_start", 2),
        ("horizon", 0),
        ("boundary", "round"),
        ("cosines", 0),
    ],
)
def test_wrong_parameters_are_refused_and_change_nothing(name, wrong):
    model = rb.BayesRegressor(**{name: wrong})
    for learn in (model.fit, model.partial_fit, model.predict_then_learn):
        with pytest.raises((TypeError, ValueError), match=f"{name} must be .*got"):
            learn(X, Y)
    assert not hasattr(model, "n_features_in_")


def test_report_has_effects_of_columns_and_curves():
    rng = np.random.default_rng(0)
    side, size = rng.choice(["left", "right", "up"], 400), rng.uniform(-2, 2, 400)
    table = pd.DataFrame({"side": side, "size": size})
    y = np.sin(2 * size) + (side == "up") * 3.0 + 0.1 * rng.standard_normal(400)
    model = rb.BayesRegressor(boundary="curved", cosines=60).fit(table, y)
    first, second = model.report(table)
    assert first["column"] == "side"
    assert first["p"] < 1e-10
    effects = {one["feature"]: one for one in first["effects"]}
    assert set(effects) == {"side=right", "side=up"}
    assert effects["side=right"]["low"] < 0.0 < effects["side=right"]["high"]
    assert effects["side=up"]["low"] < 3.0 < effects["side=up"]["high"]
    assert first["spread"] == pytest.approx(3.0 * (side == "up").std(), rel=0.1)
    (effect,), curve = second["effects"], second["curve"]
    place = list(model.encoder_.get_feature_names_out()).index("size")
    assert effect["mean"] == pytest.approx(model.coef_[place], rel=0.05)
    ends = model.coef_interval()[place]
    np.testing.assert_array_equal([effect["low"], effect["high"]], ends)
    true = np.sin(2 * curve["values"]) + 3.0 * (side == "up").mean()
    mean, low, high = (curve[name][:, 0] for name in ("mean", "low", "high"))
    assert np.abs(mean - true).max() < 0.2
    assert ((low <= mean) & (mean <= high)).all()
    assert np.mean((low <= true) & (true <= high)) > 0.8
    assert [one["feature"] for one in model.report()[1]["effects"]] == ["size"]
    rb.plotting.effects(model.report(table))
