import sys

import pytest

from rosenblatt.specification.codec import load


def test_a_file_is_a_module_of_its_own_name_with_its_neighbours(own):
    module = load(own("")[:-1])
    assert module is sys.modules["own_parts"]
    assert module.HALF == 0.5
    assert load(own("")[:-1]) is module


def test_a_name_that_is_taken_is_refused(tmp_path):
    (tmp_path / "typing.py").write_text("")
    with pytest.raises(ValueError, match="must be renamed: 'typing' is another"):
        load(str(tmp_path / "typing.py"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\nx = 1 / 0", "line 2: ZeroDivisionError: division by zero"),
        ("x = (", r"line 1: '\(' was never closed"),
        ("import own_nowhere", "ModuleNotFoundError: No module named 'own_nowhere'"),
    ],
)
def test_a_file_that_fails_says_where(tmp_path, monkeypatch, text, fault):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_broken.py").write_text(text)
    with pytest.raises(ValueError, match=f"cannot be loaded: .*{fault}"):
        load(str(tmp_path / "own_broken.py"))
    assert "own_broken" not in sys.modules
