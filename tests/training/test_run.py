"""Records of training: a contract with versions, checked when they are read."""

import copy
import hashlib

import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.system.typed import describe_type
from rosenblatt.training.loop import VERSION, Stored, load
from tests.training.golden import FOLDER, write

# Digest of the types of all that is stored, by version. If the test below fails, raise
# the version, change the digest, and write ``python -m tests.training.golden``.
VERSIONS = {8: "054877287c0c9a683f33c887a186631e1d503c6489c5908c82b00a34495bc3c7"}
FILE = FOLDER / "trained.safetensors"


def digest():
    text = describe_type(Stored)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_version_changes_when_the_types_do():
    assert {VERSION: digest()} == VERSIONS


def test_the_golden_file_loads():
    run = load(FILE)
    assert run.finished
    assert run.record.rows == 60
    assert run.encoder.names[:2] == ["size", "weight"]
    assert run.encoder.features == run.model.n_features_in_ == len(run.encoder.names)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model"
    write(path, tmp_path)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 99}, "another version: 99"),
        ({"version": None}, "another version"),
        ({"position": [0, 0, 0]}, "position must be"),
        ({"position.line": "a"}, r"position.line must be int"),
        ({"finished": 1}, "finished must be bool"),
        ({"options": []}, "options must be"),
        ({"options.costs": None}, r"options\.costs must be"),
        ({"options.delimiter": 3}, r"options\.delimiter must be"),
        ({"classes": ["yes", "perhaps"]}, "the model has the classes"),
        ({"classes": ["yes", "no"]}, "the model has the classes"),
        ({"record.metrics": {}}, "record.metrics must be"),
        ({"options.task": "regress"}, "metrics must be of the task regress"),
        ({"files": [[1, 2.5]]}, "files must be|files.0"),
        ({"more": 1}, "must be {version"),
        ({"record": {}}, "record must be"),
        ({"encoder": {}}, "encoder must be"),
        ({"encoder.hash_bits": 70}, "hash_bits must be from 1 to 28"),
        ({"encoder.means": [1.0]}, "must be of 2 columns"),
        ({"encoder.codings": []}, "codings must be of 1 columns"),
        (
            {
                "encoder.codings": [
                    {"kind": "hash", "levels": [], "mean": 0.0, "scale": 1.0}
                ]
            },
            "the model has 7 columns",
        ),
        ({"record.rows": "60"}, r"record\.rows must be int"),
        ({"record.curve": [1]}, "curve"),
    ],
    ids=lambda given: "-".join(given) if isinstance(given, dict) else "",
)
def test_checkpoints_with_other_values_are_refused(saved, change, message):
    model = rb.load_model(saved)
    stored = copy.deepcopy(model.training_record_)
    for key, value in change.items():
        place, _, name = key.rpartition(".")
        holder = stored[place] if place else stored
        holder[name] = value
    model.training_record_ = stored
    rb.save_model(model, saved)
    with pytest.raises(ModelFileError, match=message) as error:
        load(saved)
    assert str(saved) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_model_keeps_its_record_until_it_is_fitted_again(saved):
    model = rb.load_model(saved)
    assert rb.training.report(model)["rows"] == 60
    model.fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ModelFileError, match="was not made by train"):
        rb.training.report(model)
