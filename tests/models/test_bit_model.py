"""Classifiers with weights of one bit, without their estimators."""

import numpy as np
import pytest

import rosenblatt as rb


def test_columns_have_edges_of_their_own(tmp_path):
    random = np.random.default_rng(1)
    X = random.choice([0, 1], (200, 5)) * [1, 2, 5, 1, 0] + [0, 3, -9, -1, 1]
    y = X[:, 0] + X[:, 1] > 4
    model = rb.BinaryPerceptron(threshold="least error").fit(X, y)
    rb.export_bits(model, tmp_path / "model")
    loaded = rb.load_bits(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    wide = random.standard_normal((300, 70))
    cut = rb.ClippedHebb(binarise=0.25).fit(wide, wide[:, :9].sum(axis=1) > 0)
    rb.export_bits(cut, tmp_path / "model")
    # 24 header, 8 offset, 9 signs, 8 edge, 12 labels, 4 checksum
    assert (tmp_path / "model").stat().st_size == 65
    loaded = rb.load_bits(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(wide), cut.predict(wide))
    with pytest.raises(ValueError, match="X must have 70 columns, got"):
        loaded.predict(wide[:, :5])
