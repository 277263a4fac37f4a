import pytest

from rosenblatt.report.running.store import Store


def test_what_is_kept_comes_back_with_all_digits(tmp_path):
    value = {"x": [0.1 + 0.2, float("inf"), None, "\u00e9"], "n": 3}
    Store(tmp_path / "new").put("a", "key", value)
    assert Store(tmp_path / "new").get("a", "key") == value


def test_another_key_and_another_name_are_not_known(tmp_path):
    store = Store(tmp_path)
    store.put("a", "key", 1)
    assert store.get("a", "other") is None
    assert store.get("b", "key") is None


@pytest.mark.parametrize("part", [0, 0.3, 0.9])
def test_a_file_that_is_cut_short_is_not_believed(tmp_path, part):
    store = Store(tmp_path)
    store.put("a", "key", list(range(50)))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: int(part * len(whole))])
    assert store.get("a", "key") is None


def test_a_changed_digit_is_noticed(tmp_path):
    store = Store(tmp_path)
    store.put("a", "key", {"measured": 1.25})
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text().replace("1.25", "1.26"))
    assert store.get("a", "key") is None
    store.put("a", "key", {"measured": 1.25})
    assert store.get("a", "key") == {"measured": 1.25}


def test_what_is_no_text_is_not_believed(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b.json").mkdir()
    assert Store(tmp_path).get("a", "key") is None
    assert Store(tmp_path).get("b", "key") is None


def test_fresh_reads_nothing_but_keeps_what_is_new(tmp_path):
    Store(tmp_path).put("a", "key", 1)
    fresh = Store(tmp_path, fresh=True)
    assert fresh.get("a", "key") is None
    fresh.put("a", "key", 2)
    assert Store(tmp_path).get("a", "key") == 2


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "folder")
    store.put("a", "key", 1)
    assert store.get("a", "key") is None


def test_no_folder_keeps_nothing():
    store = Store(None)
    store.put("a", "key", 1)
    assert store.get("a", "key") is None
