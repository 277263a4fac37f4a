"""The format of stores: a contract, checked on reading whoever wrote them."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.plan.keys import Group, Keys
from rosenblatt.sweeps.store import store as module
from rosenblatt.sweeps.store.manifest import Manifest, _text
from rosenblatt.sweeps.store.records import record
from rosenblatt.sweeps.store.results import Result, Table, encode
from rosenblatt.sweeps.store.store import StoreError
from tests.damage import failures
from tests.sweeps.store.test_results import GOOD, encoded, result

GOLDEN = Path(__file__).parents[2] / "golden" / "sweep-1"


@pytest.fixture
def store(tmp_path):
    return Path(shutil.copytree(GOLDEN, tmp_path / "store"))


def manifest(store):
    return store / "sweeps" / (store / "sweeps" / "last").read_text()


def rewrite(store, change):
    """Change what a manifest says; its checksum is right again."""
    said = json.loads(manifest(store).read_text().splitlines()[0])
    text = json.dumps(change(said) or said)
    check = hashlib.sha256(text.encode()).hexdigest()
    manifest(store).write_text(f"{text}\n{check}\n")


def refused(store, words=""):
    with pytest.raises(StoreError, match=words) as said:
        rb.open_sweep(store)
    assert "\n" not in str(said.value)


def test_a_golden_store_of_format_1_is_read(store):
    found = rb.open_sweep(store)
    assert found.attrs["done"] == found.attrs["items"] == 4
    assert dict(found.sizes) == {"rule": 2, "teacher": 2, "replica": 1, "alpha": 2}
    kept = found.error.sel(rule="AdaTron").values.ravel()
    wanted = [0.41046147864851573, 0.014817831224650625]
    assert kept.tolist()[:2] == wanted


def test_the_layout_is_that_of_its_format_number():
    """If this fails, the layout needs a new number and a new golden store."""
    keys = Keys(b"s" * 16, (2,), [Group("rate", [0], [b"a" * 16, b"b" * 16])])
    told = Manifest("n", "t", "c", ["rate"], {"rate": ("rate", np.array([1, 2]))}, keys)
    values = Table(("x",), np.array([1.0, 2.0]), {"long_name": "v"})
    names = Table(("x",), np.array(["p", "q"], dtype=object))
    body = encode(Result({"v": values}, {"x": names}, {"k": 1}))
    written = [_text(told), record(b"k" * 16, body), module._FORMAT.encode()]
    digest = hashlib.sha256(b"".join(written)).hexdigest()[:16]
    assert (module._FORMAT.strip()[-8:], digest) == ("format 1", "b637b4035d349f92")


@pytest.mark.parametrize("format_", ["rosenblatt sweep store, format 2\n", "", "\xff"])
def test_stores_of_another_format_are_refused(store, format_):
    (store / "FORMAT").write_text(format_)
    refused(store, "must be of the form 'rosenblatt sweep store, format 1'")


@pytest.mark.parametrize("number", [0, 2, "1", None, True, [1]])
def test_manifests_of_another_format_are_refused(store, number):
    rewrite(store, lambda said: said.update(format=number))
    refused(store, "must have the format 1, got")


@pytest.mark.parametrize(
    "name",
    [
        "../../x-0123456789abcdef.json",
        "/etc/passwd",
        "..",
        ".",
        "a/b",
        "",
        "\x00",
        "x" * 999,
        "/x-0123456789abcdef.json",
        "x-0123456789abcdef.json\n",
    ],
)
def test_no_file_outside_of_the_store_is_named(store, name, tmp_path):
    shutil.copy(manifest(store), tmp_path / "x-0123456789abcdef.json")
    (store / "sweeps" / "last").write_text(name)
    refused(store, "is damaged; run the sweep again")


CHANGES = {
    "shape": [
        [2],
        [2, 2, 2],
        [0, 2],
        [2, -2],
        [2, 2.0],
        [10**9, 2],
        "22",
        None,
        [2, "2"],
    ],
    "axes": [["rule"], ["rule", "rule"], [1, 2], "ab", None],
    "coordinates": [
        [],
        {"rule": 3},
        {"rule": ["other", [1, 2]]},
        {"rule": ["rule", [1]]},
        {"rule": ["rule", [1, None]]},
        {"rule": ["rule", [[1], [2]]]},
        {"rule": ["rule", [1, 2]]},
        {"rule": ["rule", [1, 2]], "teacher": ["rule", [1, 2]]},
    ],
    "start": ["00", "xx", None, 3],
    "groups": [
        3,
        [[1]],
        [["rule", [9], []]],
        [["rule", [0], ["00", "00"]]],
        ["rule"],
        [["rule", [0], []]],
        [["rule", ["0"], ["", ""]]],
    ],
    "name": [3, None],
    "task": [[]],
    "code": [{}],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key in CHANGES for value in CHANGES[key]]
)
def test_a_manifest_of_another_shape_is_refused(store, key, value):
    rewrite(store, lambda said: said.update({key: value}))
    refused(store, "is damaged")


@pytest.mark.parametrize("text", ["[]", "3", "{}", "null", "[" * 100_000])
def test_a_manifest_that_is_none_is_refused(store, text):
    check = hashlib.sha256(text.encode()).hexdigest()
    manifest(store).write_text(f"{text}\n{check}\n")
    refused(store, "is damaged")


def test_a_bad_result_in_a_store_is_an_error_with_its_place(store):
    (segment,) = (store / "records").iterdir()
    key = segment.read_bytes()[12:28]
    segment.write_bytes(record(key, encoded(result(GOOD | {"dtype": "O"}))))
    refused(store, r"records', byte \d+: a stored result is not")


def test_damage_anywhere_in_a_store_is_one_line_or_a_gap(store):
    def read():
        assert rb.open_sweep(store).attrs["done"] <= 4

    found = []
    for path in store.rglob("*"):
        if path.is_file() and path.stat().st_size:
            found += failures(path, read, StoreError, copies=20, places=3)
    assert found
    assert not any("\n" in words for words in found)
