"""Only models with the same parameters, classes and columns are merged."""

import pytest

from rosenblatt.bits import pack
from tests.estimators.counting_data import both, fitted, snapshot


@both
def test_strangers_are_not_merged(kind):
    X, y, model, before = fitted(kind)
    for other, error, message in [
        (kind(binarise=None).fit(X, y), ValueError, "other must be a model like"),
        (
            kind().fit(X[:, 1:], y),
            ValueError,
            "the same n_features_in_, 9, got 8",
        ),
        (kind().fit(pack(X), y), TypeError, "got both Bits and numbers"),
        (kind().fit(X + 1, y), ValueError, "two levels in each column"),
        (kind().fit(X, y.astype(str)), TypeError, "numbers always or never"),
        (kind(), ValueError, "not fitted yet"),
        (model, ValueError, "other must be another model"),
    ]:
        with pytest.raises(error, match=message):
            model.merge(other)
        assert snapshot(model) == before
