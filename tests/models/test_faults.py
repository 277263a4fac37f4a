"""Model files with the right checksum and wrong content."""

import json
import os

import numpy as np
import pandas as pd
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.safetensors_file import header, pack, unpack
from tests.models.forging import forged

TABLE = pd.DataFrame({"size": [1.0, 2.5, 3.0, 4.0] * 5, "kind": list("xyzx") * 5})


def rewritten(path, change):
    """Write the file anew, with other texts in its header."""
    content = path.read_bytes()
    texts, tensors = header(content), unpack(content)
    del texts["checksum"]
    wanted = json.dumps(texts)
    change(texts)
    assert json.dumps(texts) != wanted
    path.write_bytes(pack({n: np.array(a) for n, a in tensors.items()}, texts))


def without_means(texts):
    texts["model"] = texts["model"].replace(
        '["means",{"tuple":[2.625]}]', '["means",{"tuple":[]}]'
    )


def long_version(texts):
    texts["schema_version"] = "9" * 5000


def tiny_prior(texts):
    texts["model"] = texts["model"].replace('"prior":0.0625', '"prior":1e-320')


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_means, "means, scales and indicators must be of 1 columns"),
        (tiny_prior, "prior must be a finite number at least 1e-100"),
        (long_version, "its schema version is '9999999"),
    ],
)
def test_files_made_on_purpose_are_refused_when_they_are_loaded(
    change, message, tmp_path
):
    path = tmp_path / "m.safetensors"
    rb.save_model(rb.BayesPerceptron().fit(TABLE, [0, 1, 0, 1] * 5), path)
    rewritten(path, change)
    with pytest.raises(ModelFileError, match=message) as failure:
        rb.load_model(path)
    assert "m.safetensors is not a model: " in str(failure.value)


def test_more_examples_than_can_be_counted_are_refused(tmp_path):
    """Probabilities were NaN, since the noise was 1."""
    path = tmp_path / "m.safetensors"
    rb.save_model(rb.BinaryBayesPerceptron().fit(np.eye(4), [0, 1, 0, 1]), path)

    def change(_, tensors):
        tensors["state.weights.statistics"] = np.full((1, 5), 2.0**62)

    path.write_bytes(forged(path, change))
    with pytest.raises(ModelFileError, match="numbers of examples, of mistakes"):
        rb.load_model(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_is_no_model_and_no_result(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="it is not a regular file"):
        rb.load_model(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError, match="path must be a regular file"):
        rb.load(tmp_path / "pipe")
