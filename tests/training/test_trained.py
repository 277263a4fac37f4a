"""Checkpoints: a contract with versions, checked when they are read."""

import copy
import hashlib

import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.system.typed import describe_type
from rosenblatt.training.distributed.checkpoints import VERSION as KEPT_VERSION
from rosenblatt.training.distributed.checkpoints import GroupResult
from rosenblatt.training.trained import VERSION, StoredRun, Trained, load
from tests.training.golden import FOLDER, write

# Digests of the types of all that is stored, by version. If the test below fails, raise
# the version, add the new digest, and write ``python -m tests.training.golden``.
DIGESTS = {
    4: "33333f0378c46efbd6d65252d4255b7067fb11f8868887d2b4a888a5f0665439",
}
FILES = sorted(FOLDER.glob("*/*.safetensors"))


def digest():
    text = describe_type(StoredRun) + describe_type(GroupResult)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_version_changes_when_the_types_do():
    assert digest() == DIGESTS[VERSION]
    assert max(DIGESTS) == VERSION == KEPT_VERSION


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_golden_checkpoints_load(path):
    run = load(path)
    assert run.finished
    assert run.record.rows == 60
    assert run.encoder.names[:2] == ["size", "weight"]
    assert run.encoder.features == run.model.n_features_in_ == len(run.encoder.names)


def test_there_is_a_golden_checkpoint_of_every_version():
    assert {int(path.parent.name) for path in FILES} == DIGESTS.keys()


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
        ({"position": [0, 0, "a", 0]}, r"position\[2\] must be int"),
        ({"finished": 1}, "finished must be bool"),
        ({"settings": []}, "settings must be dict"),
        ({"settings": {}}, "settings must have 'files'"),
        ({"settings.costs": None}, r"settings\.costs must be"),
        ({"settings.delimiter": 3}, r"settings\.delimiter must be"),
        ({"settings.threshold": "half"}, r"settings\.threshold must be"),
        ({"encoder.classes": ["yes", "perhaps"]}, "the model has the classes"),
        ({"encoder.classes": ["yes", "no"]}, "the model has the classes"),
        ({"record.labels": [30, 20, 10]}, "must count labels of 2 classes"),
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
            "columns, and its encoder 1027",
        ),
        ({"record.rows": "60"}, r"record\.rows must be int"),
        ({"record.curve": [1]}, "curve"),
    ],
    ids=lambda given: "-".join(given) if isinstance(given, dict) else "",
)
def test_checkpoints_with_other_values_are_refused(saved, change, message):
    model, extra = rb.load_model(saved, with_extra=True)
    stored = copy.deepcopy(extra)
    for key, value in change.items():
        place, _, name = key.rpartition(".")
        holder = stored["training"][place] if place else stored["training"]
        holder[name] = value
    rb.save_model(model, saved, extra=stored)
    with pytest.raises(ModelFileError, match=message) as error:
        Trained.load(saved)
    assert str(saved) in str(error.value)
    assert "\n" not in str(error.value)
