"""Runs that find what earlier ones computed, on a small paper that counts its runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from rosenblatt.core.figures import FigureData, Picture
from rosenblatt.papers.claims import Figure
from rosenblatt.report import reproduce, running
from rosenblatt.report.running import Store, available


@pytest.fixture
def known(monkeypatch):
    """Let the small paper be one whose sources are known; return their digest."""
    sources = {"digest": "1"}
    monkeypatch.setattr(
        running, "_module", lambda item: "rosenblatt.papers.minsky1969.x"
    )
    monkeypatch.setattr(running, "code_digest", lambda *a, **k: sources["digest"])
    return sources


@pytest.fixture
def calls(monkeypatch):
    """Return names of what is computed."""
    made, found = [], running._found

    def counted(item, quick):
        made.append(item.id.removeprefix("minsky1969/"))
        return found(item, quick)

    monkeypatch.setattr(running, "_found", counted)
    return made


def picture(*, quick):
    return FigureData("t", "c", "", "", (), pictures=(Picture("p", [[0.5, -1]]),))


# These are tried every time.
FAILING = ["fig2", "fig3", "fig1/misprinted", "fig10/broken", "nothing"]


@pytest.fixture
def run(paper, tmp_path, calls, known):
    paper = replace(
        paper, figures=(*paper.figures, Figure("minsky1969/p", "", picture))
    )

    def once(**options):
        calls.clear()
        report = reproduce(
            [], tmp_path, progress=False, library=[paper], **({"quick": True} | options)
        )
        return report, sorted(calls)

    return once


def test_a_second_run_computes_only_what_failed_and_says_the_same(run, tmp_path):
    first, made = run()
    assert len(made) == 10
    assert first.cached == frozenset()
    page = (tmp_path / "minsky1969.html").read_text()
    second, made = run()
    assert made == sorted(FAILING)
    assert len(second.cached) == 5
    assert [repr(replace(o, seconds=0)) for o in first.outcomes] == [
        repr(replace(o, seconds=0)) for o in second.outcomes
    ]
    for before, after in zip(first.exhibits, second.exhibits, strict=True):
        assert (before.data, before.drawing) == (after.data, after.drawing)
    again = (tmp_path / "minsky1969.html").read_text()
    assert ", cached" in again
    assert "marked &#34;cached&#34;" in (tmp_path / "index.html").read_text()
    assert ", cached" not in page


def test_other_sources_quick_and_full_are_different_results(run, known):
    run()
    _, made = run(quick=False)
    assert len(made) == 10
    _, made = run()
    assert made == sorted(FAILING)
    known["digest"] = "2"
    _, made = run()
    assert len(made) == 10


def test_fresh_runs_everything(run):
    run()
    report, made = run(fresh=True)
    assert len(made) == 10
    assert report.cached == frozenset()
    assert run()[1] == sorted(FAILING)


def spoilt(content):
    """Files that are cut short, changed in a digit, empty, or no text."""
    yield from (content[: int(part * len(content))] for part in (0, 0.3, 0.9))
    yield content.replace(b"0.5", b"0.6", 1)
    yield b"\xff\xfe\x00"


def test_a_spoilt_result_is_computed_again(run, tmp_path):
    run()
    file = tmp_path / ".results" / "minsky1969-fig1.quick.json"
    for content in spoilt(file.read_bytes()):
        file.write_bytes(content)
        _, made = run()
        assert made == sorted([*FAILING, "fig1"])
        assert run()[1] == sorted(FAILING)


def test_a_folder_that_cannot_be_made_is_no_error(paper, tmp_path, known):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "folder", None):
        store = Store(folder)
        found = running._found(paper.claims[0], True)
        store.put(found, True)
        assert store.get(paper.claims[0], True) is None


def test_the_sources_of_all_items_of_all_papers_are_known():
    items, store = [i for p in available() for i in p.items()], Store(Path())
    places = {store._file(item, quick) for item in items for quick in (True, False)}
    assert None not in places
    assert len(places) == 2 * len(items)
