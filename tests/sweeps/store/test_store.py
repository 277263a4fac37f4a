import errno
import os
import shutil

import pytest

from rosenblatt.sweeps.store.records import record
from rosenblatt.sweeps.store.store import Store, StoreError
from rosenblatt.system.atomic_files import write_whole
from tests.sweeps.store.test_segments import keys

KEYS = [bytes([k]) * 16 for k in range(4)]


def test_what_one_appends_the_other_reads_once(stores):
    first, second = stores
    first.append(record(KEYS[0], b"a"))
    assert [(k.key, bytes(k.body)) for k in second.new_records()] == [(KEYS[0], b"a")]
    assert list(second.new_records()) == []
    assert list(first.new_records()) == []  # its own
    first.append(record(KEYS[1], b"b"))
    second.append(record(KEYS[2], b"c"))
    assert [kept.key for kept in second.new_records()] == [KEYS[1]]
    assert [kept.key for kept in first.new_records()] == [KEYS[2]]


def test_half_of_a_record_of_somebody_dead_is_told_once(stores, tmp_path):
    first, second = stores
    first.append(record(KEYS[0], b"a") + record(KEYS[1], b"b")[:-1])
    first.close()
    assert [kept.key for kept in second.new_records()] == [KEYS[0]]
    (damage,) = second.new_damage()
    assert damage.cut
    third = Store(tmp_path / "store")
    assert [kept.key for kept in third.new_records()] == [KEYS[0]]
    assert third.new_damage() == []
    third.close()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "it is read-only"),
        (errno.EDQUOT, "the quota is used up"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_failed_write_leaves_no_trace(stores, monkeypatch, code, message):
    """Half of the record is written before the fault comes."""
    first, second = stores
    first.append(record(KEYS[0], b"a"))
    write, calls = os.write, []

    def failing(handle, data):
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(code, os.strerror(code))
        return write(handle, data[: len(data) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with pytest.raises(StoreError, match=message):
            first.append(record(KEYS[1], b"b"))
    first.append(record(KEYS[2], b"c"))
    assert keys(second) == [KEYS[0], KEYS[2]]
    assert second.new_damage() == []


def test_files_are_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, b"old")

    def failing(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match="full"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_another_form_of_store_is_refused(tmp_path):
    (tmp_path / "FORMAT").write_text("rosenblatt sweep store, format 9\n")
    with pytest.raises(StoreError, match="must be of the form"):
        Store(tmp_path)
    (tmp_path / "FORMAT").write_bytes(b"\xff")
    with pytest.raises(StoreError, match="must be of the form"):
        Store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        Store(tmp_path / "file")


def test_what_is_known_of_damages_may_be_damaged(stores, tmp_path):
    first, second = stores
    (tmp_path / "store" / "damages").write_bytes(b"\xff\n")
    first.append(record(KEYS[0], b"a")[:-1])
    first.close()
    assert list(second.new_records()) == []
    assert len(second.new_damage()) == 1
    assert second.new_damage() == []


def test_a_store_that_is_deleted_is_said(stores, tmp_path):
    first, _ = stores
    first.append(record(KEYS[0], b"a"))
    first.sync()
    shutil.rmtree(tmp_path / "store")
    with pytest.raises(StoreError, match="store' was deleted during the sweep"):
        first.sync()
