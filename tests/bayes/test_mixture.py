"""Layers and mixture: equal to a plain twin, to themselves in pieces and merged."""

import numpy as np
import pytest
from scipy.special import logit

from rosenblatt.bayes import mixture as mixing
from rosenblatt.bayes.growing import merge_mixtures
from rosenblatt.bayes.mixture import AGE, CHANGES, ROWS
from tests.bayes.mixture_reference import Mixture


def exaggerated_odds(classes, rows=300, experts=3, seed=0):
    """Odds of experts that exaggerate more and more, and labels by the true ones."""
    rng = np.random.default_rng(seed)
    models = 1 if classes == 2 else classes
    fields = rng.standard_normal((rows, models))
    logits = np.hstack([np.zeros((rows, 1)), fields]) if models == 1 else fields
    codes = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    scale = 2.0 ** np.arange(experts)[:, None, None]
    noise = rng.standard_normal((experts, rows, models))
    return scale * fields + 0.3 * noise + 0.5, codes


def once(codes):
    return np.ones(len(codes))


LEARNED = [
    "weights",
    "slopes",
    "slope_precisions",
    "offsets",
    "offset_precisions",
    "statistics",
]


@pytest.mark.parametrize("classes", [2, 4])
def test_pieces_give_the_same_and_rows_left_out_are_predicted_only(classes):
    odds, codes = exaggerated_odds(classes)
    whole, parts = (
        mixing.start_mixture(3, odds.shape[2], half_life=40) for _ in range(2)
    )
    wanted = mixing.learn(whole, odds, codes, once(codes))
    found = []
    for first in range(0, 300, 7):
        rows = slice(first, first + 7)
        piece = np.ascontiguousarray(odds[:, rows])
        before = parts.copy()
        found.append(mixing.predict(parts, piece)[:1])
        nothing = np.zeros(len(codes[rows]))
        mixing.learn(parts, piece, codes[rows], nothing)
        for name in LEARNED:
            assert np.array_equal(getattr(parts, name), getattr(before, name))
        mixing.learn(parts, piece, codes[rows], once(codes[rows]))
    # predictions of many rows are sums in another order
    np.testing.assert_allclose(np.vstack(found), wanted[::7], rtol=1e-13)
    for name in LEARNED:
        assert np.array_equal(getattr(parts, name), getattr(whole, name))


def test_layers_learn_to_undo_exaggeration_and_the_mixture_whom_to_trust():
    rng = np.random.default_rng(1)
    p = rng.uniform(0.05, 0.95, 20_000)
    codes = (rng.random(len(p)) < p).astype(np.int64)
    good, loud, silent = logit(p), 4 * logit(p), 0 * p
    mixture = mixing.start_mixture(3, 1)
    odds = np.stack([good, loud, silent])[:, :, None]
    shares = mixing.learn(mixture, odds, codes, once(codes))
    assert mixture.filter_weights[2] < 1e-3
    # slopes are known to about sd / sqrt(n p (1 - p) o^2), times sqrt(2) as rows fade
    spread = np.sqrt(2 / np.sum(p * (1 - p) * good**2))
    assert abs(mixture.slopes[0, 0] - 1) < 5 * spread
    assert abs(mixture.slopes[1, 0] - 1 / 4) < 5 * spread / 4
    late = slice(10_000, None)
    gap = np.log(np.where(codes, p, 1 - p)) - np.log(shares[np.arange(len(p)), codes])
    assert gap[late].mean() < 5 * gap[late].std() / np.sqrt(10_000)


def losses_of_layers(odds, codes):
    """Return the logarithmic loss of each layer in each row, by the plain twin."""
    plain, found = Mixture(len(odds), 2), []
    for i, label in enumerate(codes):
        each = [lay.predict(o)[label] for lay, o in plain.inputs(odds[:, i])]
        found.append(-np.log(each))
        plain.learn(odds[:, i], label)
    return np.array(found)


def least_losses(losses, changes):
    """Return the least loss of sequences of layers with 0, 1, ... changes."""
    best = np.full((changes + 1, losses.shape[1]), np.inf)
    best[0] = 0.0
    for row in losses:
        for n in range(changes, 0, -1):
            best[n] = np.minimum(best[n], best[n - 1].min())
        best += row
    return best.min(axis=1)


@pytest.mark.parametrize("kind", ["random", "in turn", "against the mixture"])
def test_the_mixture_is_nearly_as_good_as_the_best_sequence_of_layers(kind):
    """Eq. (3), for any number of changes."""
    rng = np.random.default_rng(2)
    rows = 300
    codes = rng.integers(0, 2, rows)
    odds = rng.normal(0.0, 3.0, (3, rows, 1))
    if kind == "in turn":  # each filter knows the labels of a third of the rows
        for e, some in enumerate(np.split(np.arange(rows), 3)):
            odds[e, some, 0] = 6.0 * codes[some] - 3.0
    mixture = mixing.start_mixture(3, 1)
    for i in range(rows):
        now = np.ascontiguousarray(odds[:, i : i + 1])
        if kind == "against the mixture":
            codes[i] = mixing.predict(mixture, now)[0].argmin()
        mixing.learn(mixture, now, codes[i : i + 1], np.ones(1))
    least = least_losses(losses_of_layers(odds, codes), 8)
    each = np.log(6.0) + np.log(rows)  # six layers
    assert (-mixture.log_evidence <= least + each * np.arange(1, 10)).all()
    if kind == "in turn":  # the bound for two changes is better than the best layer
        assert -mixture.log_evidence < least[0]


def test_a_half_life_bounds_the_age_and_turns_faster():
    odds, codes = exaggerated_odds(2, rows=4000, experts=2)
    codes[2000:] = 1 - codes[2000:]
    slow, fast = mixing.start_mixture(2, 1), mixing.start_mixture(2, 1, half_life=100)
    late = np.arange(3000, 4000)
    losses = [
        -np.log(mixing.learn(m, odds, codes, once(codes))[late, codes[late]]).mean()
        for m in (slow, fast)
    ]
    assert losses[1] < losses[0]
    np.testing.assert_allclose(fast.statistics[0], 1 / (1 - 0.5**0.01), rtol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_merging_averages_what_was_said_in_any_order(classes):
    odds, codes = exaggerated_odds(classes, rows=1000)
    models = odds.shape[2]
    rows = [slice(0, 100), slice(100, 400), slice(400, 1000)]
    parts = [mixing.start_mixture(3, models) for _ in rows]
    for part, some in zip(parts, rows, strict=True):
        piece = np.ascontiguousarray(odds[:, some])
        mixing.learn(part, piece, codes[some], once(codes[some]))
    one, two, three = parts
    merged = [
        merge_mixtures(merge_mixtures(one, two), three),
        merge_mixtures(three, merge_mixtures(one, two)),
        merge_mixtures(one, merge_mixtures(two, three)),
    ]
    share = np.array([0.1, 0.3, 0.6])

    def average(of):
        return np.tensordot(share, [of(part) for part in parts], axes=1)

    def shift(mixture):
        slopes = (4 + mixture.slope_precisions) * (mixture.slopes - 1)
        return np.hstack([slopes, (4 + mixture.offset_precisions) * mixture.offsets])

    for both in merged:
        for name in ("slope_precisions", "offset_precisions"):
            wanted = average(lambda m, name=name: getattr(m, name))
            np.testing.assert_allclose(getattr(both, name), wanted)
        np.testing.assert_allclose(shift(both), average(shift), rtol=1e-8, atol=1e-10)
        ratios = np.log(both.weights) - average(lambda m: np.log(m.weights))
        np.testing.assert_allclose(ratios, ratios[0, 0])
        np.testing.assert_allclose(both.weights.sum(), 1)
        np.testing.assert_allclose(
            both.statistics[:3], sum(part.statistics[:3] for part in parts)
        )
    empty = mixing.start_mixture(3, models)
    for first, second in ((empty, one), (one, empty)):
        assert np.array_equal(merge_mixtures(first, second).weights, one.weights)
    same = merge_mixtures(one, one)
    np.testing.assert_allclose(same.slopes, one.slopes)
    np.testing.assert_allclose(same.offsets, one.offsets)
    np.testing.assert_allclose(same.weights, one.weights)


def test_certain_experts_leave_everything_finite():
    odds = np.full((2, 50, 1), 1e30)
    odds[1] = -np.inf
    codes = np.arange(50) % 2
    mixture = mixing.start_mixture(2, 1)
    shares = mixing.learn(mixture, odds, codes, once(codes))
    for found in (shares, *(getattr(mixture, name) for name in LEARNED)):
        assert np.isfinite(found).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize("rows", [1000, 1_000_000])
def test_a_change_is_noticed_at_odds_that_rise_with_the_length_of_the_stream(rows):
    """A faster filter is right and the other undecided, up to the first notice."""
    mixture = mixing.start_mixture(2, 1, rates=np.array([0.0, 0.5]))
    mixture.statistics[[AGE, ROWS]] = 1e6, rows  # hardly any fixed share
    odds, code = np.array([[[0.0]], [[1.0]]]), np.ones(1, np.int64)
    for row in range(rows, rows + 100):
        mixing.learn(mixture, odds, code, once(code))
        slow, fast = mixture.weights.sum(axis=1)
        over = fast / slow > np.log(row + 2.0) ** 2 / 0.05
        assert mixture.statistics[CHANGES] == over
        if over:
            break
    assert over


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_equals_the_plain_twin(classes):
    odds, codes = exaggerated_odds(classes)
    plain = Mixture(3, classes)
    wanted = plain.progressive(odds, codes)
    mixture = mixing.start_mixture(3, odds.shape[2])
    found = mixing.learn(mixture, odds, codes, once(codes))
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    np.testing.assert_allclose(mixture.weights.ravel(), plain.weights, rtol=1e-10)
    for e, layers in enumerate(plain.layers):
        slopes = [layer.slope for layer in layers]
        np.testing.assert_allclose(mixture.slopes[e], slopes, rtol=1e-9)
        offsets = layers[1].offsets
        np.testing.assert_allclose(mixture.offsets[e], offsets, rtol=1e-9, atol=1e-12)
    right = wanted[np.arange(len(codes)), codes]
    np.testing.assert_allclose(mixture.log_evidence, np.log(right).sum())
    assert mixture.mistakes == (wanted.argmax(axis=1) != codes).sum()
    again = mixing.predict(mixture, odds[:, :5])
    alone = [plain.predict(odds[:, i]) for i in range(5)]
    np.testing.assert_allclose(again, alone, rtol=1e-10)
