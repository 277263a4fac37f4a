from rosenblatt.sweeps.store.records import record
from rosenblatt.sweeps.store.segments import Segments

KEYS = [bytes([k]) * 16 for k in range(4)]


def keys(segments):
    return [kept.key for kept in segments.new_records()]


def test_half_of_a_record_is_waited_for(stores):
    first, second = stores
    data = record(KEYS[0], b"a" * 100)
    first.append(data[:60])
    assert list(second.new_records()) == []
    assert second.new_damage() == []  # somebody is writing it
    first.append(data[60:])
    assert [kept.key for kept in second.new_records()] == [KEYS[0]]


def test_large_files_are_read_in_pieces(stores, monkeypatch):
    first, second = stores
    monkeypatch.setattr("rosenblatt.sweeps.store.segments._WINDOW", 100)
    sizes = [10, 500, 0, 90]
    for key, size in zip(KEYS, sizes, strict=True):
        first.append(record(key, b"x" * size))
    assert [len(kept.body) for kept in second.new_records()] == sizes


def test_what_else_lies_in_a_store_does_not_matter(stores, tmp_path):
    first, second = stores
    first.append(record(KEYS[0], b"a"))
    records = tmp_path / "store" / "records"
    (records / "folder.records").mkdir()
    (records / "gone.records").symlink_to(tmp_path / "nothing")
    (records / "note.txt").write_text("hello")
    assert [kept.key for kept in second.new_records()] == [KEYS[0]]


def test_a_folder_that_is_not_there_is_empty(tmp_path):
    assert keys(Segments(tmp_path / "nothing")) == []
