"""Stores that are damaged, of others, or made to harm."""

import json
import os
import sqlite3

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.store import _digest, as_result, decode, encode


def root(x):
    return {"root": x**0.5, "text": np.array(["a", "b"])}


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "kept.sweep"
    rb.sweep(root, axes={"x": [1, 4, 9]}, store=path, cores=0)
    return path


def change(path, command, *values):
    with sqlite3.connect(path) as file:
        file.execute(command, values)
    file.close()


def test_results_come_back_as_they_were():
    for array in (np.arange(3), np.zeros((0, 5)), np.array(1 + 2j), np.array(["a"])):
        table = decode(*encode(as_result({"v": array}))).variables["v"]
        np.testing.assert_array_equal(table.values, array)
        assert table.dims == tuple(f"v_{axis}" for axis in range(array.ndim))


def test_a_damaged_result_is_computed_again(store):
    change(store, "UPDATE result SET data = zeroblob(8) WHERE rowid = 2")
    with pytest.warns(UserWarning, match="has 1 damaged results"):
        assert rb.open_sweep(store).attrs["done"] == 2
    with pytest.warns(UserWarning, match="has 1 damaged results"):
        found = rb.sweep(root, axes={"x": [1, 4, 9]}, store=store, cores=0)
    assert found.root.values.tolist() == [1, 2, 3]
    assert rb.open_sweep(store).identical(found)


@pytest.mark.parametrize(
    ("shape", "extra"),
    [
        ([10**12], {"dtype": "<f8"}),
        ([0, 10**12], {"dtype": "<f8"}),
        ([-1], {"dtype": "<f8"}),
        ([1, 1], {"dtype": "<f8"}),
        ([1], {"dtype": "|O8"}),
        ([2], {"text": ["a"]}),
        (["x"], {"dtype": "<f8"}),
        (3, {"dtype": "<f8"}),
        ([], {}),
    ],
)
def test_false_shapes_are_refused_before_memory_is_taken(store, shape, extra):
    """The digest is right: someone made it so."""
    dims = [f"d{i}" for i in range(2 if shape == [0, 10**12] else 1)]
    table = {"dims": dims, "shape": shape, "attrs": {}} | extra
    about = json.dumps({"variables": {"root": table}, "coordinates": {}, "attrs": {}})
    (key,) = sqlite3.connect(store).execute("SELECT key FROM result LIMIT 1").fetchone()
    data = bytes(8)
    change(
        store,
        "UPDATE result SET about = ?, data = ?, digest = ? WHERE key = ?",
        about, data, _digest(key, about, data), key,
    )  # fmt: skip
    with pytest.raises(OSError, match="is damaged"):
        rb.open_sweep(store)


@pytest.mark.parametrize(
    "command",
    [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON result BEGIN DELETE FROM result; END",
        "DROP TABLE result",
        "PRAGMA application_id = 1",
    ],
)
def test_files_with_other_tables_are_refused(store, command):
    change(store, command)
    for use in (rb.open_sweep, lambda s: rb.sweep(root, {"x": 1}, store=s, cores=0)):
        with pytest.raises(OSError, match="is not of this version"):
            use(store)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("about", "{}"), ("about", "[]"), ("about", "[" * 10_000), ("about", None),
        ("about", b"\xff"), ("keys", b"short"), ("keys", 3), ("keys", None),
    ],
)  # fmt: skip
def test_damaged_plans_are_refused_and_written_anew(store, column, value):
    change(store, f"UPDATE plan SET {column} = ?", value)
    with pytest.raises(OSError, match=r"is damaged|cannot be used"):
        rb.open_sweep(store)
    rb.sweep(root, axes={"x": [1, 4, 9]}, store=store, cores=0)
    assert rb.open_sweep(store).attrs["done"] == 3


def test_what_is_no_store_is_refused_and_left_alone(tmp_path):
    (tmp_path / "text").write_text("no store at all, but a text of some length" * 99)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    for name in ("text", "folder", "fifo", "link"):
        for use in (rb.open_sweep, lambda s: rb.sweep(root, {"x": 1}, store=s)):
            with pytest.raises(OSError, match=r"must be the file|is damaged"):
                use(tmp_path / name)
    with pytest.raises(OSError, match="must be the file of a sweep"):
        rb.open_sweep(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_bytes_changed_at_random_give_a_result_or_one_line(store):
    """A flipped byte is a damaged result, a damaged store, or in unused space."""
    whole, dice = store.read_bytes(), np.random.default_rng(0)
    before = rb.open_sweep(store)
    for _ in range(60):
        content = bytearray(whole)
        content[dice.integers(len(content))] ^= int(dice.integers(1, 256))
        store.write_bytes(content)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.warn", lambda *_, **__: None)
            try:
                found = rb.open_sweep(store)
            except OSError as failure:
                assert "store" in str(failure)  # noqa: PT017
                continue
        known = found.get("root", before.root[:0])
        right = (known == before.root) | known.isnull()
        assert bool(right.all())
