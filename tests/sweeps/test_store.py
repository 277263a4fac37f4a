"""Stores that are damaged, of others, or made to harm."""

import io
import os
import sqlite3

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.store import PLAN, as_dataset, pack, unpack


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
        table = unpack(pack(as_dataset({"v": array})))["v"]
        np.testing.assert_array_equal(table.values, array)
        assert table.dims == tuple(f"v_{axis}" for axis in range(array.ndim))


def test_a_damaged_result_is_computed_again(store):
    worst = "(SELECT min(key) FROM entry4 WHERE length(key) = 16)"
    change(store, f"UPDATE entry4 SET content = zeroblob(8) WHERE key = {worst}")
    with pytest.warns(UserWarning, match="has 1 damaged results"):
        assert rb.open_sweep(store).attrs["done"] == 2
    found = rb.sweep(root, axes={"x": [1, 4, 9]}, store=store, cores=0)
    assert found.root.values.tolist() == [1, 2, 3]
    assert rb.open_sweep(store).identical(found)


def replaced(path, content, key):
    change(
        path, "UPDATE entry4 SET content = ? WHERE key = ?", content, key,
    )  # fmt: skip


@pytest.mark.parametrize("shape", [(10**12,), (0, 10**12), (2,), (-1,)])
def test_false_shapes_are_refused(store, shape):
    (key,) = (
        sqlite3.connect(store)
        .execute("SELECT key FROM entry4 WHERE key != ?", (PLAN,))
        .fetchone()
    )
    content = pack(as_dataset({"root": np.zeros(1)}))
    header = io.BytesIO()
    about = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, about)
    true = io.BytesIO()
    np.lib.format.write_array_header_1_0(true, about | {"shape": (1,)})
    assert true.getvalue() in content
    replaced(store, content.replace(true.getvalue(), header.getvalue()), key)
    with pytest.raises(OSError, match="is damaged"):
        rb.open_sweep(store)


@pytest.mark.parametrize(
    "command",
    [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON entry4 BEGIN DELETE FROM entry4; END",
        "DROP TABLE entry4",
    ],
)
def test_files_with_other_tables_are_refused(store, command):
    change(store, command)
    for use in (rb.open_sweep, lambda s: rb.sweep(root, {"x": 1}, store=s, cores=0)):
        with pytest.raises(OSError, match="is not of this version"):
            use(store)


@pytest.mark.parametrize(
    "content", [b"", b"\xff", pack(as_dataset(3)), pack(as_dataset({"key": [1]}))]
)
def test_damaged_plans_are_refused_and_written_anew(store, content):
    replaced(store, content, PLAN)
    with pytest.raises(OSError, match="is damaged"):
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
