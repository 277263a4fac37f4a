"""Models in files: the same bits go on, and bad files are told apart."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.models.tree import Writer
from tests.models.examples import cases


def written(model):
    """All that there is to know of a model, to the bit."""
    writer = Writer()
    state = {k: v for k, v in vars(model).items() if k not in model.get_params()}
    plain = writer.plain(state, "")
    return plain, {
        name: (array.dtype.str, array.shape, array.tobytes())
        for name, array in writer.tensors.items()
    }


def taught(model, case):
    """Return the model after more examples, in blocks and alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed, rows in ((1, 30), (2, 1), (3, 1), (4, 25)):
            model.partial_fit(*case.rows(seed, rows))
    return model


@pytest.mark.parametrize("case", cases(), ids=lambda case: "-".join(map(str, case)))
def test_learning_goes_on_with_the_same_bits(case, tmp_path):
    model = case.fitted()
    path = tmp_path / "model.safetensors"
    rb.save_model(model, path)
    loaded = rb.load_model(path)
    assert type(loaded) is type(model)
    assert written(loaded) == written(model)
    X, _ = case.rows(9)
    labels = model.predict(X)
    np.testing.assert_array_equal(loaded.predict(X), labels, strict=True)
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert written(taught(loaded, case)) == written(taught(model, case))
    assert clone(loaded).get_params().keys() == model.get_params().keys()
