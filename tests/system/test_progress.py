import threading

import pytest

from rosenblatt.system.progress import ProgressBar


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    monkeypatch.setenv("COLUMNS", "100")


def test_a_counted_bar_is_drawn_on_standard_error_without_a_thread(capfd):
    threads = threading.active_count()
    with ProgressBar(10, done=3) as bar:
        bar.update(7, "some words")
        assert threading.active_count() <= threads
        said = capfd.readouterr()
        bar.update(8, "a moment later")
        assert capfd.readouterr() == ("", "")
    assert said.out == ""
    assert "7/10" in said.err
    assert "some words" in said.err


def test_a_fraction_may_be_unknown_at_first(capfd):
    with ProgressBar(1.0, counted=False, keep=True) as bar:
        bar.update(None, "reading")
        bar.update(0.3, "some rows")
    assert " 30%" in capfd.readouterr().err


def test_nothing_is_shown_without_a_terminal_unless_asked_for(capfd, monkeypatch):
    monkeypatch.delenv("FORCE_COLOR")
    for shown in (False, None):
        with ProgressBar(10, shown=shown) as bar:
            assert not bar.shown
            bar.update(5, "words")
    assert capfd.readouterr() == ("", "")
    with ProgressBar(10, shown=True) as bar:
        bar.update(5, "words")
    assert "5/10" in capfd.readouterr().err
