"""The format of model files is a contract: versions, golden files, schemas."""

import hashlib
import json
import re

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.estimators.states import STATES
from rosenblatt.models import ModelFileError, safetensors_file, tree
from rosenblatt.models.names import ESTIMATORS, RECORDS
from rosenblatt.models.safetensors_file import header, pack, unpack
from rosenblatt.models.saving import VERSION
from rosenblatt.models.schemas import part_fields, record_tables, state_tables
from tests.models.examples import shaped
from tests.models.golden import CASES, FOLDER

# Digests of the schemas of each version. If the test below fails, a file written now
# is not one that the last release reads: raise VERSION in models/saving.py, write a
# migration, add the new digest here, and write golden files with
# ``python -m tests.models.golden``.
DIGESTS = {2: "43150dfa277f8ceb222e2d5a8d04a3e3ad09dc9ccbadadc566516122baf0130b"}


def digest():
    kinds = re.findall(r"``(\{.*?\})``", tree.__doc__)
    assert len(kinds) > 8  # the forms of values in the tree
    text = [record_tables(), state_tables(), *kinds, safetensors_file.CHECKSUM]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def test_the_version_changes_when_a_schema_does():
    assert digest() == DIGESTS[VERSION]
    assert max(DIGESTS) == VERSION


def test_every_estimator_and_every_record_has_a_schema():
    assert STATES.keys() == ESTIMATORS.keys() == set(rb.estimators.__all__)
    for name, (kind, schema) in RECORDS.items():
        assert schema.name == name
        assert set(schema.fields) == set(tree.field_names(kind))


def test_parts_keep_their_names_and_fields():
    """New parts may come; those that files name already stay as they are."""
    known = json.loads((FOLDER / "parts.json").read_text())
    now = part_fields()
    assert {name: now.get(name) for name in known} == known


FILES = sorted(FOLDER.glob("*/*.safetensors"))
EACH = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-2:]}")


def test_there_are_golden_files_of_every_version():
    for version in DIGESTS:
        found = {path.stem for path in FILES if path.parent.name == str(version)}
        assert found == CASES.keys()


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_golden_files_load_and_predict_as_they_did(path):
    model, extra = rb.load_model(path, with_extra=True)
    rows = shaped(extra["rows"], CASES[path.stem].kind)
    np.testing.assert_array_equal(model.predict(rows), extra["labels"], strict=True)
    if "shares" in extra:  # other processors round sums in another order
        np.testing.assert_allclose(
            model.predict_proba(rows), extra["shares"], rtol=1e-12, atol=1e-15
        )


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_golden_files_of_this_version_are_written_again_to_the_bit(path, tmp_path):
    if path.parent.name != str(VERSION):
        pytest.skip("of an older version")
    model, extra = rb.load_model(path, with_extra=True)
    rb.save_model(model, tmp_path / "again", extra=extra)
    assert written(tmp_path / "again") == written(path)


def written(path):
    texts = header(path.read_bytes())
    tensors = unpack(path.read_bytes())
    named = {name: (a.dtype.str, a.shape, a.tobytes()) for name, a in tensors.items()}
    return texts["model"], named


def forged(path, change):
    """Write a file anew, with another tree and other tensors and the right checksum."""
    content = path.read_bytes()
    texts, tensors = header(content), unpack(content)
    plain = json.loads(texts["model"])
    change(plain, tensors)
    del texts["checksum"]
    texts["model"] = json.dumps(plain)
    return pack({n: np.ascontiguousarray(a) for n, a in tensors.items()}, texts)


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
        ("bayes-full", put("state.filters.filters.0.belief", 0.0), "positive diagonal"),
        ("bayes-full", put("state.filters.filters.0.mean", np.nan), "mean must be fin"),
        ("bayes-full", put("state.filters.filters.0.noise", 0.5), "noise must be"),
        ("bayes-full", field("diagonal", *FIRST, "covariance"), "dimensions"),
        ("bayes-full", field(2**70, *FIRST, "examples"), "examples must be"),
        ("bayes-full", field(True, *FIRST, "examples"), "examples must be"),
        ("bayes-full", field(0, *FIRST, "next_change"), "<= next_change"),
        ("bayes-full", field({"float": "nan"}, *FIRST, "prior"), "prior must be"),
        ("bayes-full", field(8, "state", "columns"), "must be|must have"),
        ("bayes-auto", put("state.filters.mixture.weights", 2.0), "weights must be"),
        ("bayes-auto", cut("state.classes"), "makes no model|must"),
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


def test_a_position_beyond_the_state_of_a_generator_is_refused(tmp_path):
    """NumPy reads wherever it points to."""

    def change(plain, tensors):
        (state,) = (v for k, v in plain["parameters"]["dict"] if k == "random_state")
        entries = dict(state["state"]["dict"])
        inner = dict(entries["state"]["dict"])
        assert "pos" in inner
        inner["pos"] = 10**9
        entries["state"] = {"dict": list(map(list, inner.items()))}
        state["state"] = {"dict": list(map(list, entries.items()))}

    path = tmp_path / "forged.safetensors"
    path.write_bytes(forged(FOLDER / str(VERSION) / "gradient.safetensors", change))
    with pytest.raises(ModelFileError, match="pos of a generator"):
        rb.load_model(path)


def test_the_header_holds_no_constants_that_json_does_not_have(tmp_path):
    golden = FOLDER / str(VERSION) / "online.safetensors"
    texts, tensors = header(golden.read_bytes()), unpack(golden.read_bytes())
    texts["model"] = texts["model"].replace('"columns":9', '"columns":NaN')
    del texts["checksum"]
    path = tmp_path / "forged.safetensors"
    path.write_bytes(pack(tensors, texts))
    with pytest.raises(ModelFileError, match="holds NaN"):
        rb.load_model(path)
