"""Golden files are read as they were written; forged files are refused."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.safetensors_file import header, unpack
from rosenblatt.models.saving import VERSION
from tests.models.examples import shaped
from tests.models.forging import forged
from tests.models.golden import CASES, FOLDER

FILES = sorted(FOLDER.glob("*/*.safetensors"))
EACH = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


def test_there_are_golden_files_of_every_version():
    assert {path.stem for path in FILES} == CASES.keys()
    assert {path.parent.name for path in FILES} == {str(VERSION)}


@EACH
def test_golden_files_load_and_predict_as_they_did(path):
    model, extra = rb.load_model(path, with_extra=True)
    rows = shaped(extra["rows"], CASES[path.stem].kind)
    np.testing.assert_array_equal(model.predict(rows), extra["labels"], strict=True)
    if "shares" in extra:  # other processors round sums in another order
        np.testing.assert_allclose(
            model.predict_proba(rows), extra["shares"], rtol=1e-12, atol=1e-15
        )


@EACH
def test_golden_files_of_this_version_are_written_again_to_the_bit(path, tmp_path):
    model, extra = rb.load_model(path, with_extra=True)
    rb.save_model(model, tmp_path / "again", extra=extra)
    assert written(tmp_path / "again") == written(path)


def written(path):
    texts = header(path.read_bytes())
    tensors = unpack(path.read_bytes())
    named = {name: (a.dtype.str, a.shape, a.tobytes()) for name, a in tensors.items()}
    return texts["model"], named


def cut(name):
    def change(plain, tensors):
        tensors[name] = tensors[name][..., :1]

    return change


def put(name, value):
    def change(plain, tensors):
        tensors[name] = tensors[name].copy()
        tensors[name].flat[0] = value

    return change


def field(value, *places):
    def change(plain, tensors):
        for place in places[:-1]:
            plain = plain[place]
        assert places[-1] in plain
        plain[places[-1]] = value

    return change


FIRST = ("state", "filters", "fields", "filters", 0, "fields")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("bayes-diagonal", cut("state.filters.filters.0.statistics"), "statistics mu"),
        ("bayes-diagonal", cut("state.filters.filters.0.belief"), "belief must be"),
        ("bayes-diagonal", put("state.filters.filters.0.belief", -1.0), "positive var"),
        ("bayes-full", put("state.filters.filters.0.belief", 0.0), "positive varian"),
        ("bayes-full", put("state.filters.filters.0.mean", np.nan), "mean must be fin"),
        ("bayes-full", put("state.filters.filters.0.noise", 0.5), "noise must be"),
        ("bayes-full", field("diagonal", *FIRST, "covariance"), "dimensions"),
        ("bayes-full", field(2**70, *FIRST, "examples"), "examples must be"),
        ("bayes-full", field(True, *FIRST, "examples"), "examples must be"),
        ("bayes-full", field(0, *FIRST, "next_change"), "<= next_change"),
        ("bayes-full", field({"float": "nan"}, *FIRST, "prior"), "prior must be"),
        ("bayes-full", field(8, "state", "columns"), "must be|must have"),
        ("bayes-auto", put("state.filters.mixture.weights", 2.0), "weights must be"),
        ("bayes-auto", cut("state.classes"), "not a valid model|must"),
        ("binary-bayes", cut("state.weights.center"), "center must be"),
        ("binary-bayes", put("state.weights.variance", 3.0), "variance must be"),
        ("binary-perceptron", put("state.hypothesis.weights.0.values", 3), "values"),
        ("binary-perceptron", cut("state.hypothesis.histograms"), "histograms"),
        ("clipped-hebb", put("state.counts.class_counts.high", 10**9), "no more exam"),
        ("clipped-hebb", put("state.packed_weights.signs.words", 2**63), "are 0 bey"),
        ("online", cut("state.weights.weights"), "must be|must have"),
        ("online", put("state.weights.sums", np.inf), "sums must be"),
        ("online", cut("state.weights.counts"), "counts must be"),
        ("online", field("x", "state", "columns"), "columns must be"),
        ("online", field([], "parameters", "dict"), "has no parameters"),
        ("online", field({"x": 1}, "state"), "must have the fields"),
        ("gradient", put("parameters.random_state.state.key", 1), None),
        ("gradient", cut("parameters.random_state.state.key"), "key of a generator"),
    ],
)  # fmt: skip
def test_files_that_fail_the_schema_are_refused(name, change, message, tmp_path):
    """With the right checksum: somebody made them on purpose."""
    path = tmp_path / "forged.safetensors"
    path.write_bytes(forged(FOLDER / str(VERSION) / f"{name}.safetensors", change))
    if message is None:
        rb.load_model(path)
        return
    with pytest.raises(ModelFileError, match=message) as error:
        rb.load_model(path)
    assert "\n" not in str(error.value)
