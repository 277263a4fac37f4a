"""One file holds model and encoder, whether a frame or a file was learned."""

import numpy as np
import pandas as pd
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.training import predict
from tests.models.forging import forged
from tests.training.running import learn

KINDS = {"one-hot": 3, "hash": 200}


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def table(request):
    rng = np.random.default_rng(0)
    rows = 900
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=rows).round(3),
            "code": rng.integers(0, 5, rows),
            "side": [f"s{i}" for i in rng.integers(0, request.param, rows)],
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(rng.integers(0, 99, rows), "D"),
            "note": [f"word{i % 7} and number {i}" for i in range(rows)],
            "key": np.arange(rows),
        }
    )
    frame.loc[::7, "size"] = np.nan
    frame.loc[::11, "side"] = None
    frame["won"] = np.where(frame["code"] + frame["size"].fillna(0) > 2, "yes", "no")
    return frame


def test_a_model_of_a_frame_is_loaded_with_its_encoder(table, tmp_path):
    path = tmp_path / "model"
    X, y = table.drop(columns="won"), table["won"]
    model = rb.BayesPerceptron().fit(X[:600], y[:600])
    rb.save_model(model, path)
    loaded = rb.load_model(path)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert vars(loaded.encoder_).keys() == vars(model.encoder_).keys()
    assert loaded.encoder_.same_features(model.encoder_)
    for one in (model, loaded):
        one.partial_fit(X[600:], y[600:])
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.encoder_.missing_ == model.encoder_.missing_


def test_a_model_of_a_file_predicts_frames(table, tmp_path):
    """Also with columns that it was not given, or was told to ignore."""
    path, csv = tmp_path / "model", tmp_path / "table.csv"
    table.to_csv(csv, index=False)
    run = learn(csv, "won", save=path, columns={"key": "ignore", "code": "category"})
    model = rb.load_model(path)
    (part,) = predict(model, csv, proba=True)
    wanted = np.column_stack([part.columns["p(no)"], part.columns["p(yes)"]])
    for given in (table, table.drop(columns=["won", "key"])):
        np.testing.assert_array_equal(model.predict_proba(given), wanted)
        np.testing.assert_array_equal(run.model.predict_proba(given), wanted)
    encoder = model.encoder_
    assert encoder.n_rows_ == 900
    assert encoder.missing_ == {"size": 129, "side": 82}
    with pytest.raises(ValueError, match="lacks 'code'"):
        model.predict(table.drop(columns="code"))
    model.partial_fit(table, table["won"])
    assert encoder is not model.encoder_
    assert model.encoder_.n_rows_ == 1800


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("columns", "means"), [], "must be of 2 columns"),
        (("columns", "hash_bits"), 99, "hash_bits must be from 1 to 28"),
        (("kinds",), {"a": "number"}, "a kind for each of its columns"),
        (("rows",), "many", "must be"),
        (("columns", "indicators"), [0], "other features"),
    ],
)
def test_damaged_encoders_are_refused(place, value, message, tmp_path):
    path = tmp_path / "model"
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4], "c": ["x", "y"]})
    rb.save_model(rb.OnlinePerceptron().fit(frame, [0, 1]), path)

    def changed(plain, keys):
        pairs = plain["dict"]
        for pair in pairs:
            if pair[0] == keys[0] and len(keys) > 1:
                changed(pair[1], keys[1:])
            elif pair[0] == keys[0]:
                written = value
                if isinstance(value, dict):
                    written = {"dict": [[k, v] for k, v in value.items()]}
                pair[1] = written

    path.write_bytes(
        forged(path, lambda tree, tensors: changed(tree["encoder"], place))
    )
    with pytest.raises(ModelFileError, match=message):
        rb.load_model(path)
