"""A fourth kind of belief needs its own file and one line in the list."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes import experts, growing
from rosenblatt.bayes.covariances import BELIEFS
from rosenblatt.bayes.filter import FILTER
from rosenblatt.bayes.uncertainty import direction
from rosenblatt.core.schema import Text
from tests.bayes.low_rank import RANK, LowRank
from tests.bayes.streams import FRAMED, data, same


@pytest.fixture(autouse=True)
def fourth(monkeypatch):
    """Add the belief to the list, and to the names that were read from it."""
    monkeypatch.setitem(BELIEFS, LowRank.name, LowRank())
    monkeypatch.setitem(FILTER.fields, "covariance", Text(tuple(BELIEFS)))


def start(kind="low_rank", columns=4, models=1, **settings):
    return filtering.start(columns, covariance=kind, models=models, **settings)


@pytest.mark.parametrize("models", [1, 3])
def test_few_examples_are_learned_as_by_a_matrix(models):
    """A label adds one vector to the precision, and so many are kept."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((RANK, 4)), rng.integers(0, 2, RANK)
    settings = {"models": models, "label_variance": 1.0}
    low = filtering.learn(start(**settings), X, y)
    full = filtering.learn(start("full", **settings), X, y)
    np.testing.assert_allclose(low.mean, full.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(low.variances, full.variances, rtol=1e-9)
    for one, other in zip(
        filtering.fields(low, X), filtering.fields(full, X), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_it_learns_predicts_merges_and_grows_as_all_others_do():
    X, y = data(rows=1200)
    settings = FRAMED | {"noise": "auto"}
    low, full = (
        filtering.learn(start(kind, **settings), X[:1000], y[:1000])
        for kind in ("low_rank", "full")
    )
    odds = [filtering.log_odds(filter, X[1000:])[:, 0] for filter in (low, full)]
    assert ((odds[0] > 0) == (odds[1] > 0)).mean() > 0.95
    pieces = filtering.learn(start(**settings), X[:333], y[:333])
    same(filtering.learn(pieces, X[333:1000], y[333:1000]), low)
    assert filtering.merge(low, full.replaced(**{
        name: getattr(low, name) for name in ("covariance", "belief")
    })).clock == 2000  # fmt: skip
    wider = growing.grown(low, 6)
    assert wider.mean.shape == (1, 7)
    assert growing.with_class(low, 2, 2).belief.shape[0] == 3
    assert np.abs(direction(low)[0] - direction(full)[0]).max() < 0.1
    FILTER.check(wider)


def test_it_is_mixed_with_others_and_exported():
    X, y = data(rows=200)
    each = [start(kind, **FRAMED) for kind in ("low_rank", "diagonal")]
    found = experts.start(each)
    experts.learn(found, X, y)
    chances = experts.predict(found, X)
    assert ((chances[:, 1] > 0.5) == y).mean() > 0.8
    assert experts.fields(found.later(), X)[0].shape == (200, 1)
    assert LowRank().factors(found.first.belief).shape == (1, 5, 5)
