"""Models in files: the same bits go on, and bad files are told apart."""

import copy
import errno
import json
import os
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
import safetensors.numpy
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import Perceptron

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.saving import VERSION, Reader, Writer, pack, unpack
from tests.models.examples import cases, shaped
from tests.models.forging import forged
from tests.models.golden import CASES, FOLDER

FILES = sorted(FOLDER.glob("*/*.safetensors"))
EACH = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
TABLE = pd.DataFrame({"size": [1.0, 2.5, 3.0, 4.0] * 5, "kind": list("xyzx") * 5})


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


def back(value):
    writer = Writer()
    plain = json.loads(json.dumps(writer.plain(value, "x")))
    return Reader({n: a.copy() for n, a in writer.tensors.items()}, {}).value(plain)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -(2**80), 0.1, -0.0, float("inf"), float("nan"), "", "\u00e9\0",
        (), [], {}, (1, [2, (3,)]), {1: "a", "1": 2, None: (True,), (1, 2): 0.5},
        rb.rules.Decay(rb.rules.Hebb(), 0.5), rb.schedules.Power(),
    ],
)  # fmt: skip
def test_values_come_back_to_type_and_bit(value):
    found = back(value)
    assert type(found) is type(value)
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3), np.zeros((0, 3)), np.array(2.5),
        np.asfortranarray(np.arange(6).reshape(2, 3)), np.arange(9)[::2],
        np.array([2**63, 1], np.uint64), np.array([True, False]),
        np.array([1, 2], np.float16), np.array(["ab", "", "\u00e9\u4e2d"]),
        np.array(["a", None, 3, "b"], object).reshape(2, 2),
        np.array([1.0, np.nan, -np.inf]), np.zeros((0, 2), "<U3"),
        np.array(["a", "long"], np.dtypes.StringDType()),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)  # fmt: skip
def test_arrays_come_back_to_type_and_order(array):
    found = back(array)
    np.testing.assert_array_equal(found, array, strict=True)
    assert found.flags.f_contiguous == array.flags.f_contiguous or array.ndim == 1
    assert found.flags.writeable


def test_nothing_that_is_read_shares_memory():
    array, entries = np.zeros(3), [1]
    first, second, third, fourth = back((array, {"a": array}, entries, [entries]))
    assert not np.shares_memory(first, second["a"])
    assert third is not fourth[0]


def test_what_cannot_be_kept_is_named_and_leaves_the_old_file(saved):
    before = saved.read_bytes()
    loop = []
    loop.append(loop)
    noted = rb.ClippedHebb()
    noted.note = "mine"
    late = rb.OnlinePerceptron(schedule=lambda clock: 1.0)
    drawn = rb.OnlinePerceptron(random_state=np.random.RandomState(3))
    for model, extra, message in (
        (late, {}, "schedule is <function"),
        (drawn, {}, r"random_state is RandomState\(MT19937\)"),
        (rb.ClippedHebb(), {"run": object()}, r"extra\.run is <object"),
        (rb.ClippedHebb(), {"run": [0, 1j]}, r"extra\.run\.1 is 1j"),
        (rb.ClippedHebb(), {"run": np.array([1j])}, r"extra\.run is an array of type"),
        (rb.ClippedHebb(), {"run": loop}, "contains itself"),
        (Perceptron(), {}, "model must be one of"),
        (noted, {}, "'note'.*extra"),
    ):
        with pytest.raises(TypeError, match=message):
            rb.save_model(model, saved, extra=extra)
    assert saved.read_bytes() == before


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


def test_a_folder_or_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.*cannot be written"):
        rb.save_model(rb.ClippedHebb(), tmp_path / "nowhere" / "model")
    with pytest.raises(FileNotFoundError):
        rb.load_model(tmp_path / "none")


def test_the_same_model_gives_the_same_bytes(saved, tmp_path):
    again = tmp_path / "again"
    model, extra = rb.load_model(saved, with_extra=True)
    rb.save_model(model, again, extra=extra)
    assert again.read_bytes() == saved.read_bytes()


def test_other_programs_can_read_the_tensors(saved):
    tensors = safetensors.numpy.load_file(saved)
    model = rb.load_model(saved)
    np.testing.assert_array_equal(
        tensors["state._experts.filters.0.mean"], model._experts.filters[0].mean
    )


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


def test_routed_metadata_are_kept(tmp_path):
    with config_context(enable_metadata_routing=True):
        model = rb.OnlinePerceptron().set_fit_request(sample_weight=True)
    rb.save_model(model, tmp_path / "model")
    loaded = rb.load_model(tmp_path / "model")
    assert loaded._metadata_request.fit.requests == {"sample_weight": True}


# Files of the present version, which ``python -m tests.models.golden`` writes.


def test_there_are_golden_files_of_this_version():
    assert {path.stem for path in FILES} == CASES.keys()
    assert {path.parent.name for path in FILES} == {str(VERSION)}


@EACH
def test_golden_files_predict_as_they_did_and_are_written_again(path, tmp_path):
    model, extra = rb.load_model(path, with_extra=True)
    rows = shaped(extra["rows"], CASES[path.stem].kind)
    np.testing.assert_array_equal(model.predict(rows), extra["labels"], strict=True)
    if "shares" in extra:  # other processors round sums in another order
        np.testing.assert_allclose(
            model.predict_proba(rows), extra["shares"], rtol=1e-12, atol=1e-15
        )
    rb.save_model(model, tmp_path / "again", extra=extra)
    tree, tensors = unpack((tmp_path / "again").read_bytes())
    assert pack(tree, tensors) == pack(*unpack(path.read_bytes()))


# Files of other people.


def refused(path, content, message):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message) as error:
        rb.load_model(path)
    assert str(error.value).startswith(f"{path} is not a model: ")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400 + len(str(path))


def longer(content, old, new):
    """Return a file with another text in its header, whose length is right again."""
    end = 8 + int.from_bytes(content[:8], "little")
    head = content[8:end].replace(old, new)
    return len(head).to_bytes(8, "little") + head + content[end:]


def test_each_kind_of_bad_file_has_a_message_of_its_own(saved):
    content = saved.read_bytes()
    for other, message in (
        (b"", "is empty"),
        (b"abc", "cut short"),
        (content[:300], "cut short or damaged"),
        (content[:-8], "cut short or damaged"),
        (b"PK\3\4" + bytes(100), "not a safetensors file"),
        (b"\xff" * 7 + b"\x7f" + b"{" * 30, "cut short or damaged"),
        (
            content.replace(b'\\"format\\":8', b'\\"format\\":9'),
            "version 8.*written by",
        ),
        (content.replace(b'\\"format\\":8', b'\\"format\\":7'), "before the first rel"),
        (longer(content, b'\\"format\\":8', b'\\"format\\":' + b"9" * 5000), "digits"),
    ):
        refused(saved, other, message)
    network = {"layer.weight": np.zeros((3, 2), np.float32)}
    for given in ({}, {"format": "pt"}):
        refused(saved, safetensors.numpy.save(network, given), "something else")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_is_no_model_and_no_result(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="it is not a regular file"):
        rb.load_model(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError, match="path must be a regular file"):
        rb.load(tmp_path / "pipe")


def test_any_byte_that_changes_or_is_missing_is_noticed(saved):
    """Every byte of the header, and some of the data: one bit of each is flipped."""
    content = saved.read_bytes()
    head = 8 + int.from_bytes(content[:8], "little")
    random = np.random.default_rng(1)
    for place in [*range(head), *random.integers(head, len(content), 200)]:
        bad = bytearray(content)
        bad[place] ^= 1 << int(random.integers(8))
        with pytest.raises((ModelFileError, ValueError)):
            unpack(bytes(bad))
    for length in [*range(64), *range(64, len(content), 97), len(content) - 1]:
        with pytest.raises(ModelFileError):
            unpack(content[:length])
    with pytest.raises(ModelFileError):
        unpack(content + b"\0")


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
        ([{"array": "x"}, {"array": "x"}], "used twice"),
        ({"items": [], "dtype": "|O8", "shape": [0]}, "dtype"),
        ({"items": ["a"], "dtype": "<U999999999", "shape": [1]}, "dtype"),
        ({"items": [1], "dtype": "<U9", "shape": [1]}, "array of text has other items"),
        ({"items": [1, 2], "dtype": "O", "shape": [10**12]}, "not a valid model"),
        ({"items": [], "dtype": "O", "shape": [10**12, 10**12]}, "not a valid model"),
        ({"same": 5}, "there is no entry of this kind"),
        ([[]], "there is no entry|not a valid model|must have"),
    ],
)  # fmt: skip
def test_files_made_on_purpose_build_nothing_but_models(state, message, tmp_path):
    fields = {"n_features_in_": 1, "_counted": state, "_packed": None}
    tree = WHOLE | {"parameters": PARAMETERS, "state": fields}
    if state == [[]]:
        tree["state"] = state
    content = pack(tree, {"x": np.zeros((2, 1), np.uint8)})
    refused(tmp_path / "m", content, message)


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


FIRST = ("state", "_experts", "fields", "filters", 0, "fields")
THRESHOLD = ("state", "_models", "fields", "thresholds", 0, "fields")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("bayes-diagonal", cut("state._experts.filters.0.statistics"), "statistics mu"),
        ("bayes-diagonal", cut("state._experts.filters.0.belief"), "belief must be"),
        ("bayes-diagonal", put("state._experts.filters.0.belief", -1.0), "positive va"),
        ("bayes-full", put("state._experts.filters.0.belief", 0.0), "positive varian"),
        ("bayes-full", put("state._experts.filters.0.mean", np.nan), "mean must be fi"),
        ("bayes-full", put("state._experts.filters.0.noise", 0.5), "noise must be"),
        ("bayes-full", field("diagonal", *FIRST, "covariance"), "shape that its cov"),
        ("bayes-full", field(2**70, *FIRST, "clock"), "clock must be"),
        ("bayes-full", field(True, *FIRST, "clock"), "clock must be"),
        ("bayes-full", field(0, *FIRST, "next_change"), "<= next_change"),
        ("bayes-full", field(float("nan"), *FIRST, "prior"), "prior must be"),
        ("bayes-full", field(1e-320, *FIRST, "prior"), "prior must be a finite number"),
        ("bayes-full", field(8, "state", "n_features_in_"), "must be|must have"),
        ("bayes-auto", put("state._experts.mixture.weights", 2.0), "weights must be"),
        ("bayes-auto", field(["a"], "state", "classes_", "items"), "not a valid model"),
        ("binary-bayes", cut("state._learner.center"), "center must be"),
        ("binary-bayes", put("state._learner.variance", 3.0), "variance must be"),
        ("binary-bayes", put("state._learner.numbers", 2.0**62), "numbers of exampl"),
        ("binary-perceptron", put("state._models.weights.0.values", 3), "values"),
        ("binary-perceptron", cut("state._models.histograms"), "histograms"),
        ("binary-perceptron", field(2**31, *THRESHOLD, "value"), "value must be"),
        ("binary-perceptron", field(-(2**31) - 1, *THRESHOLD, "value"), "value must"),
        ("clipped-hebb", put("state._counted.tally.high", 10**9), "no more exam"),
        ("clipped-hebb", put("state._packed.signs.words", 2**63), "are 0 bey"),
        ("online", cut("state._learner.weights"), "must be|must have"),
        ("online", put("state._learner.sums", np.inf), "sums must be"),
        ("online", cut("state._learner.counts"), "counts must be"),
        ("online", field("x", "state", "n_features_in_"), "n_features_in_ must be"),
        ("online", field([], "parameters", "dict"), "other parameters than"),
        ("online", field({"x": 1}, "state"), "must have the fields"),
        ("online", field({"call": {}}, "requests"), "requests must be of fit"),
    ],
)  # fmt: skip
def test_files_that_fail_the_schema_are_refused(name, change, message, tmp_path):
    """With the right checksum: somebody made them on purpose."""
    golden = FOLDER / str(VERSION) / f"{name}.safetensors"
    refused(tmp_path / "forged.safetensors", forged(golden, change), message)


def test_encoders_are_checked_too(tmp_path):
    path = tmp_path / "m.safetensors"
    rb.save_model(rb.BayesPerceptron().fit(TABLE, [0, 1, 0, 1] * 5), path)

    def change(tree, tensors):
        plain = json.dumps(tree)
        bad = plain.replace('["means", [2.625]]', '["means", []]')
        assert bad != plain
        tree.update(json.loads(bad))

    message = "means, scales and indicators must be of 1 columns"
    refused(path, forged(path, change), message)


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
    tree, tensors = unpack(path.read_bytes())
    random = np.random.default_rng(4)
    noise = [None, 1e308, -1, "x", [], {}, {"same": 0}, {"items": []}, {"array": 1}]
    failed = 0
    for _ in range(150):
        bad = copy.deepcopy(tree)
        places = list(entries(bad))
        holder, key = places[random.integers(len(places))]
        other, where = places[random.integers(len(places))]
        any_noise = noise[random.integers(len(noise))]
        swapped = copy.deepcopy(other[where])
        holder[key] = any_noise if random.random() < 0.5 else swapped
        path.write_bytes(pack(bad, tensors))
        try:
            rb.load_model(path)
        except ModelFileError:
            failed += 1
    assert failed > 30
