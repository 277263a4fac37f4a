"""Models in files: the same bits go on, and bad files are told apart."""

import copy
import errno
import json
import os
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import Perceptron

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.safetensors_file import header, pack, unpack
from rosenblatt.models.saving import _unpacked
from rosenblatt.models.tree import Writer
from tests.models import forging
from tests.models.examples import cases


def written(model):
    """All that there is to know of a model, to the bit."""
    writer = Writer()
    state = {k: v for k, v in vars(model).items() if k not in model.get_params()}
    plain = writer.plain(dict(sorted(state.items())), "")
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


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        rb.load_model(tmp_path / "none")


def forged(tree, tensors=None):
    texts = {
        "schema": "rosenblatt.model",
        "schema_version": "6",
        "model": tree if isinstance(tree, str) else json.dumps(tree),
    }
    return pack(tensors or {}, texts)


WHOLE = {"estimator": "ClippedHebb", "requests": {}, "extra": {"dict": []}}
PARAMETERS = {
    "dict": [["binarise", "auto"], ["class_weight", None], ["warm_start", False]]
}


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"part": "os.system", "fields": {}}, "no part 'os.system'"),
        ({"part": "builtins.eval", "fields": {}}, "no part"),
        ({"record": "os.system", "fields": {}}, "no record"),
        ({"record": "linear-weights", "fields": {}}, "must have the fields"),
        ({"record": "bits", "fields": {"words": 1, "columns": 1}}, "words"),
        ({"own": "evil"}, "parts="),
        ({"array": "gone"}, "no tensor"),
        ({"array": "x", "dtype": "|O8"}, "dtype"),
        ({"array": "x", "dtype": "<U999999999"}, "not a valid model"),
        ({"objects": [1, 2], "shape": [10**12, 10**12]}, "not a valid model"),
        ({"random": "Generator", "state": {"dict": []}}, "no generator 'Generator'"),
        ({"same": 5}, "there is no entry of this kind"),
        ({"float": "1"}, "not a valid model"),
        ({"magic": 1}, "there is no entry of this kind"),
        ([[]], "there is no entry|not a valid model|must have"),
    ],
)  # fmt: skip
def test_files_made_on_purpose_build_nothing_but_models(state, message):
    fields = {"columns": 1, "counts": state, "packed_weights": None}
    tree = WHOLE | {"parameters": PARAMETERS, "state": fields}
    if state == [[]]:
        tree["state"] = state
    with pytest.raises(ModelFileError, match=message):
        _unpacked(forged(tree, {"x": np.zeros((2, 1), np.uint8)}), {})


def entries(plain):
    """All places in a tree, as pairs of what holds them and a key."""
    inside = plain.items() if isinstance(plain, dict) else enumerate(plain)
    for key, entry in list(inside):
        yield plain, key
        if isinstance(entry, dict | list):
            yield from entries(entry)


@pytest.mark.parametrize("name", rb.estimators.__all__)
def test_trees_with_entries_exchanged_are_models_or_errors(name, tmp_path):
    """Nothing else is raised, whatever is written where, with the right checksum."""
    path = tmp_path / "model"
    rb.save_model(next(c for c in cases() if c.name == name).fitted(), path)
    tree = header(path.read_bytes())["model"]
    tensors = unpack(path.read_bytes())
    random = np.random.default_rng(4)
    noise = [None, 1e308, -1, "x", [], {}, {"same": 0}, {"float": []}, {"array": 1}]
    refused = 0
    for _ in range(150):
        bad = json.loads(tree)
        places = list(entries(bad))
        holder, key = places[random.integers(len(places))]
        other, where = places[random.integers(len(places))]
        any_noise = noise[random.integers(len(noise))]
        swapped = copy.deepcopy(other[where])
        holder[key] = any_noise if random.random() < 0.5 else swapped
        try:
            _unpacked(forged(bad, tensors), {})
        except ModelFileError:
            refused += 1
    assert refused > 30


def test_nesting_without_end_is_an_error():
    with pytest.raises(ModelFileError):
        _unpacked(forged("[" * 100_000), {})


def test_nothing_is_lost_if_writing_fails(saved, monkeypatch):
    before = saved.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"cannot be written.*No space left") as error:
        rb.save_model(rb.ClippedHebb(), saved)
    assert error.value.errno == errno.ENOSPC
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.*cannot be written"):
        rb.save_model(rb.ClippedHebb(), tmp_path / "nowhere" / "model")


def test_a_model_that_cannot_be_kept_leaves_the_old_file(saved):
    before = saved.read_bytes()
    model = rb.OnlinePerceptron(schedule=lambda clock: 1.0)
    with pytest.raises(TypeError, match="schedule is <function"):
        rb.save_model(model, saved)
    with pytest.raises(TypeError, match=r"extra\.run"):
        rb.save_model(rb.ClippedHebb(), saved, extra={"run": object()})
    with pytest.raises(TypeError, match="model must be one of"):
        rb.save_model(Perceptron(), saved)
    model = rb.ClippedHebb()
    model.note = "mine"
    with pytest.raises(TypeError, match=r"'note'.*extra"):
        rb.save_model(model, saved)
    assert saved.read_bytes() == before


@dataclass(frozen=True)
class Cautious(rb.core.Rule):
    margin: float = 0.5

    def bind(self):
        margin = self.margin

        def step(p):
            learnt = p.label * p.field > margin
            return rb.core.Update(gain=0.0 if learnt else p.rate * p.label, decay=0.0)

        return step


def late(clock):
    return 1.0 / (1.0 + clock.time)


def test_own_parts_are_given_when_a_model_is_loaded(tmp_path):
    path = tmp_path / "model"
    rule = rb.rules.Normalised(Cautious(0.25))
    rb.save_model(rb.OnlinePerceptron(rule, late), path)
    with pytest.raises(ModelFileError, match=r"parts=\{'Cautious': Cautious\}"):
        rb.load_model(path)
    model = rb.load_model(path, parts={"Cautious": Cautious, "late": late})
    assert model.rule == rule
    assert model.schedule is late


def test_the_same_model_gives_the_same_bytes(saved, tmp_path):
    again = tmp_path / "again"
    model, extra = rb.load_model(saved, with_extra=True)
    rb.save_model(model, again, extra=extra)
    assert again.read_bytes() == saved.read_bytes()


def test_routed_metadata_are_kept(tmp_path):
    with config_context(enable_metadata_routing=True):
        model = rb.OnlinePerceptron().set_fit_request(sample_weight=True)
    rb.save_model(model, tmp_path / "model")
    loaded = rb.load_model(tmp_path / "model")
    assert loaded._metadata_request.fit.requests == {"sample_weight": True}


def test_requests_of_unknown_methods_are_refused(saved):
    def change(tree, tensors):
        tree["requests"].update(call={})

    saved.write_bytes(forging.forged(saved, change))
    with pytest.raises(ModelFileError, match="requests must be of fit"):
        rb.load_model(saved)
