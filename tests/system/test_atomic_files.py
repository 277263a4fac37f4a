import os

import pytest

from rosenblatt.system.atomic_files import replacing, write_whole


def names(folder):
    return [entry.name for entry in folder.iterdir()]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"

    def fail(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=r"a.txt cannot be written \(No space left"):
        write_whole(path, b"newer")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.txt"]


def test_an_error_while_writing_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def write_half():
        with replacing(path) as partial:
            partial.write_bytes(b"half of it")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


def test_a_link_stays_one(tmp_path):
    path, link = tmp_path / "a.txt", tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
