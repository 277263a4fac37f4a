from pathlib import Path

import rosenblatt
from rosenblatt.core import code

PACKAGE = Path(rosenblatt.__file__).parent
# What shows, spells or hands out, and computes nothing itself.
OTHERS = {"cli", "plotting", "report", "spelling", "sweeps", "web"}


def test_all_that_computes_is_part_of_the_version():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - OTHERS == {name for name in code._COMPUTING if "." not in name}


def test_a_change_of_any_library_is_another_version(monkeypatch):
    before = code.code_digest.__wrapped__()
    assert code.code_digest.__wrapped__() == before
    monkeypatch.setattr(code, "version", lambda name: "0")
    assert code.code_digest.__wrapped__() != before
