"""Changes of model files: every kind occurs, and changes the file."""

import re
from collections import Counter
from random import Random

import pytest

import rosenblatt as rb
from rosenblatt.models.saving import unpack
from tests.fuzz.model_changes import changed_model, named

_KINDS = (
    "swap STATE and",
    "move STATE to",
    "value of STATE",
    "values of STATE",
    "shape of STATE",
    "reshape of STATE",
    "type of STATE",
    "record filter becomes",
    "another estimator",
    "value at",
    "remove at",
    "add at",
)


@pytest.fixture
def model(tmp_path):
    fitted = rb.BayesPerceptron("diagonal").fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    path = tmp_path / "model.safetensors"
    rb.save_model(fitted, path)
    return path.read_bytes()


def test_every_kind_of_change_occurs_and_changes_the_file(model):
    cases, same, seen = 400, 0, Counter()
    classes = [record[key] for record, key in named(unpack(model)[0])]
    for i in range(cases):
        changed, said = changed_model(model, classes, Random(i))
        same += changed == model
        words = re.sub(r"\bstate\.\S+", "STATE", said)
        seen.update(kind for kind in _KINDS if kind in words)
    assert sorted(seen) == sorted(_KINDS)
    assert same < 0.1 * cases  # a record may get its own name, a tensor its own value
