"""The laboratory in a real browser."""

import csv
import io
import re
import subprocess
import sys
import time
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.web.code import script
from rosenblatt.web.data_sets import BUNDLED, BYTES
from rosenblatt.web.experiment import experiment, grid
from rosenblatt.web.learning import LEARNERS
from rosenblatt.web.presets import PRESETS
from rosenblatt.web.state import State, from_query, query
from tests.browser import browser, visit

__all__ = ["browser", "visit"]

QUICK = State(dim=50, alpha=20.0, replicas=20)
# Seconds on a machine that is busy, or that compiles everything for the first time; all
# waits end as soon as what they wait for is there.
PATIENCE = 120
ALPHA = re.compile(r"alpha\s*([\d.e+]+)")


@pytest.fixture(scope="module")
def servers(browser):
    """Start a plain server and one that allows code; both stop by themselves."""
    command = [sys.executable, "-m", "rosenblatt", "lab", "--stop-after", "600"]
    running = {
        name: subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, options in {"plain": [], "code": ["--allow-code"]}.items()
    }
    try:
        yield {name: one.stdout.readline().strip() for name, one in running.items()}
    finally:
        for one in running.values():
            one.terminate()
        words = {name: one.communicate(timeout=60)[1] for name, one in running.items()}
    assert "Traceback" not in words["plain"], words["plain"]
    assert "Traceback" not in words["code"], words["code"]


@pytest.fixture
def opened(servers, visit):
    """Return a function that opens a state; in the end, nothing was wrong with it."""
    visits = []

    def open_(state, server="plain", **more):
        address = state if isinstance(state, str) else query(state)
        seen = visit(f"{servers[server]}?{address}", **more)
        seen.page.set_default_timeout(1000 * PATIENCE)
        visits.append((seen, urlsplit(servers[server]).netloc))
        return seen.page

    yield open_
    for seen, host in visits:
        assert seen.complaints == []
        assert seen.hosts() == {host}  # no other machine was asked for anything


def finished(page):
    page.get_by_text("Done.").wait_for()


def state_of(page):
    """Return what the address of a page says."""
    given = parse_qs(urlsplit(page.url).query)
    state, wrong = from_query({name: values[0] for name, values in given.items()})
    assert wrong == []
    return state


def comes(page, wanted):
    """Wait until the address is that of a state with these values."""
    end = time.monotonic() + PATIENCE
    while True:
        found = state_of(page)
        if all(getattr(found, name) == value for name, value in wanted.items()):
            return
        assert time.monotonic() < end, (wanted, found)
        page.wait_for_timeout(50)


def column(page, plot, name):
    """Return a column of data that a plot shows, the first of this name."""
    code = """([label, name]) => {
        for (const model of Bokeh.documents[0]._all_models.values()) {
            const said = model.renderers && model.html_attributes?.["aria-label"];
            if (!said || !said.startsWith(label)) continue;
            for (const drawn of model.renderers)
                if (drawn.data_source.data[name])
                    return Array.from(drawn.data_source.data[name]);
        }
    }"""
    return np.array(page.evaluate(code, [plot, name]), dtype=float)


def test_a_curve_grows_beside_theory(opened):
    state = State(
        rule="hebb", normalised=False, schedule="constant", dim=500, replicas=20, seed=4
    )
    page = opened(state)
    seen = []
    while not page.get_by_text("Done.").count():
        for text in page.locator("dl.numbers").all_inner_texts()[:1]:
            seen += [found[1] for found in [ALPHA.search(text)] if found]
        page.wait_for_timeout(20)
    times = [float(text) for text in dict.fromkeys(seen)]
    assert len(times) >= 3  # it was seen to grow
    assert times == sorted(times)
    text = page.locator("dl.numbers").first.inner_text()
    assert "engine\nreduced" in text
    assert re.search(r"theory\n0.01\d+\nequivalent examples per second\n[\d.e+]+", text)
    run = rb.simulate(
        *experiment(state), dim=500, alpha=grid(state), replicas=20, seed=4
    )
    errors = run.error.values
    for axes in ("log", "linear"):
        shown = column(page, f"Learning curve: {axes}", "median")
        np.testing.assert_array_equal(shown, np.median(errors, axis=0)[-shown.size :])
    assert column(page, "Histogram", "top").sum() == 20
    # the student points to the teacher in the end
    assert column(page, "The students", "along")[-1] == pytest.approx(
        (run.norm * run.overlap).values[:, -1].mean() / run.norm.values.max()
    )


def test_every_control_changes_the_address(opened):
    page = opened(QUICK)
    selects = {
        "axes": ("linear", {"axes": "linear"}),
        "rule": ("delta", {"rule": "delta"}),
        "activation": ("tanh", {"rule": "delta:activation=tanh"}),
        "schedule": ("constant", {"schedule": "constant"}),
        "shift": ("learned: M / <y>", {"shifted": "average"}),
    }
    for label, (option, wanted) in selects.items():
        page.get_by_label(label, exact=True).select_option(option)
        comes(page, wanted)
    texts = {
        "activation gain": ("2", {"rule": "delta:activation=tanh(gain=2)"}),
        "rate": ("0.5", {"schedule": "constant:rate=0.5"}),
        "decay": ("0.1", {"decay": 0.1}),
        "opening: Hebbian examples per weight": ("2", {"opening": 2.0}),
        "share of wrong labels": ("0.2", {"noise": 0.2}),
        "mean input: length": ("2", {"mean": 2.0}),
        "along the teacher": ("-1", {"overlap": -1.0}),
        "weights N": ("40", {"dim": 40}),
        "alpha, up to": ("30", {"alpha": 30.0}),
        "replicas": ("10", {"replicas": 10}),
        "seed": ("7", {"seed": 7}),
    }
    for label, (text, wanted) in texts.items():
        box = page.get_by_label(label, exact=True)
        box.fill(text)
        box.press("Enter")
        comes(page, wanted)
    page.get_by_role("checkbox").click()
    comes(page, {"normalised": False})
    finished(page)
    # a bad value is said, and leaves everything as it was
    before = page.url
    box = page.get_by_label("replicas", exact=True)
    box.fill("many")
    box.press("Enter")
    page.get_by_text("replicas must be a number, got 'many'").wait_for()
    assert box.input_value() == "10"
    assert page.url == before
    # too much is refused, with a reason
    page.get_by_label("weights N", exact=True).fill("1e9")
    page.get_by_label("weights N", exact=True).press("Enter")
    page.get_by_text("is the limit here").wait_for()


def test_presets_show_papers(opened):
    page = opened(QUICK)
    presets = page.get_by_label("the papers' figures")
    presets.select_option(PRESETS["winther1997/fig1"].label)
    comes(page, {"rule": "binary-bayes:floor=0", "dim": 50, "axes": "linear"})
    assert page.get_by_label("decay", exact=True).is_disabled()
    finished(page)
    presets.select_option("winther1997/calibration: eq. (7)")
    comes(page, {"figure": "winther1997/calibration"})
    page.get_by_text("a learner that knows the noise", exact=False).wait_for()
    page.get_by_text("figure.csv").wait_for()
    # any other choice leaves the figure again
    page.get_by_label("seed", exact=True).fill("5")
    page.get_by_label("seed", exact=True).press("Enter")
    comes(page, {"figure": "", "seed": 5})
    finished(page)


def test_an_address_restores_all_controls_and_says_what_is_wrong_with_it(opened):
    state = State(
        rule="passive-aggressive:margin=0.5",
        normalised=False,
        decay=0.1,
        schedule="power:scale=2,offset=1",
        noise=0.05,
        mean=1.0,
        overlap=0.5,
        dim=30,
        alpha=5.0,
        replicas=9,
        seed=11,
        axes="linear",
    )
    hostile = "%3Cimg+src%3Dx+onerror%3Dalert(1)%3E=1&tab=third"
    page = opened(f"{query(state)}&{hostile}")
    values = {
        "rule": "passive-aggressive",
        "margin": "0.5",
        "aggressiveness": "inf",
        "decay": "0.1",
        "schedule": "power",
        "scale": "2",
        "offset": "1",
        "share of wrong labels": "0.05",
        "mean input: length": "1",
        "along the teacher": "0.5",
        "weights N": "30",
        "alpha, up to": "5",
        "replicas": "9",
        "seed": "11",
        "axes": "linear",
    }
    for label, value in values.items():
        assert page.get_by_label(label, exact=True).input_value() == value, label
    assert not page.get_by_role("checkbox").is_checked()
    page.get_by_text("there is nothing called '<img src=x").wait_for()
    finished(page)
    assert page.locator("img").count() == 0


def test_downloads_are_the_data_and_the_code_of_the_view(opened, tmp_path):
    page = opened(QUICK)
    finished(page)
    for name in ("curve.csv", "curve.nc", "view.py"):
        with page.expect_download() as waiting:
            page.get_by_text(name, exact=True).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
    # that this program gives these numbers is tested where programs are
    assert (tmp_path / "view.py").read_text() == script(QUICK)
    run = rb.simulate(
        *experiment(QUICK), dim=50, alpha=grid(QUICK), replicas=20, progress=False
    )
    np.testing.assert_array_equal(rb.load(tmp_path / "curve.nc").error, run.error)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "curve.csv").read_text())))
    errors = [float(row["error"]) for row in rows]
    np.testing.assert_array_equal(errors, run.error.values.ravel())
    link = page.get_by_text("view.py", exact=True).get_attribute("href")
    other = re.sub(r"download/[\w-]+", "download/guess", link)
    assert page.request.get(f"{page.url.partition('?')[0]}{other}").status == 404


def test_two_visitors_do_not_wait_for_each_other(opened):
    long = opened(State(rule="hebb", alpha=2000.0, replicas=30, schedule="constant"))
    long.get_by_text("equivalent").wait_for()
    short = opened(QUICK)
    finished(short)
    assert "seed" not in long.url
    # a newer choice supersedes the one under way
    long.get_by_label("alpha, up to", exact=True).fill("3")
    long.get_by_label("alpha, up to", exact=True).press("Enter")
    finished(long)
    assert column(long, "Learning curve: log", "alpha").max() == 3


def test_data_are_drawn_uploaded_and_learned(opened):
    page = opened("tab=data&data=iris&learner=perceptron")
    page.get_by_text("100 points").wait_for()
    numbers = page.get_by_text("examples seen").locator("../..")
    assert "separable\nyes" in numbers.inner_text()
    page.get_by_role("button", name="Step", exact=True).click()
    page.get_by_text("margin of the boundary").wait_for()
    assert re.search(r"mistakes so far\n1\n", numbers.inner_text())
    page.get_by_label("examples a second").select_option("100")
    page.get_by_role("button", name="Play").click()
    end = time.monotonic() + PATIENCE
    while "wrong now\n0 of 100" not in numbers.inner_text():
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("0 points").wait_for()
    canvas = page.get_by_label("Points of two classes")
    for kind, place in ((0, (150, 150)), (1, (350, 300)), (1, (300, 250))):
        page.get_by_role("button", name=f"add to class {kind}").click()
        canvas.click(position=dict(zip("xy", place, strict=True)))
        page.get_by_text(f"{kind + 1 if place[0] != 300 else 3} points").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("2 points").wait_for()
    comes(page, {"data": "drawn"})
    points = state_of(page).points
    assert [row[-1] for row in points.split(";")] == ["0", "1"]
    page.get_by_label("learner", exact=True).select_option(LEARNERS["bayes"][0])
    comes(page, {"learner": "bayes"})
    page.get_by_label("or a CSV file").set_input_files(
        {"name": "a.csv", "mimeType": "text/csv", "buffer": b"1,2,a\n3,4,b\n2,1,b\n"}
    )
    page.get_by_text("3 points").wait_for()
    page.get_by_label("or a CSV file").set_input_files(
        {"name": "b.csv", "mimeType": "text/csv", "buffer": b"1,2,a\nx,4,b\n"}
    )
    page.get_by_text("row 2 must have 2 numbers").wait_for()
    page.get_by_label("or a CSV file").set_input_files(
        {"name": "c.csv", "mimeType": "text/csv", "buffer": b"1,2,a\n3,4,b\n" * 10**6}
    )
    page.get_by_text(f"{BYTES} bytes at most").wait_for()  # and the page lives on
    page.get_by_label("data", exact=True).select_option(BUNDLED["xor"][0])
    comes(page, {"data": "xor", "tab": "data"})
    page.get_by_text("120 points").wait_for()
    page.get_by_role("tab", name="Learning curves").click()
    comes(page, {"tab": "curves"})
    assert page.get_by_label("rule", exact=True).is_visible()


def test_an_address_restores_drawn_points(opened):
    page = opened(State(tab="data", data="drawn", points="0.5,1,0;-1,0.25,1", order=2))
    page.get_by_text("2 points").wait_for()
    assert page.get_by_label("seed of the order").input_value() == "2"


def test_code_is_taken_only_where_it_was_allowed(opened):
    plain = opened(QUICK)
    finished(plain)
    assert plain.get_by_label("a rule of your own").count() == 0
    page = opened(QUICK, server="code")
    finished(page)
    before = column(page, "Learning curve: log", "median")
    page.get_by_role("button", name="Run this rule").click()
    page.get_by_text("Working").wait_for()
    finished(page)
    after = column(page, "Learning curve: log", "median")
    assert not np.array_equal(before, after)
    page.get_by_label("a rule of your own").fill("import os\n1/0")
    page.get_by_role("button", name="Run this rule").click()
    page.get_by_text("line 2: ZeroDivisionError").wait_for()


def test_it_fits_on_a_phone(opened):
    page = opened(QUICK, width=390, height=800)
    finished(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("tab", name="Data").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
