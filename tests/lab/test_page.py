"""The first tab of the laboratory, and the page as a whole, in a real browser."""

import csv
import io
import re

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.curves import script
from rosenblatt.lab.presets import PRESETS
from rosenblatt.lab.state import State
from tests.browser import EDGE
from tests.laboratory import (
    QUICK,
    browser,
    column,
    comes,
    finished,
    opened,
    servers,
    simulated,
    visit,
)

__all__ = ["browser", "opened", "servers", "visit"]

pytestmark = pytest.mark.slow  # minutes of a browser

ALPHA = re.compile(r"\u03b1\s*([\d.e+]+)")


def enter(page, label, text):
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Enter")
    return box


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
    assert re.search(r"theory\n0.01\d+\nequivalent examples per second\n[\d,]+", text)
    run = simulated(state)
    errors = run.error.values
    shown = column(page, "Learning curve: log", "median")
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
        "shift of the inputs": ("learned: M / <y>", {"shifted": "average"}),
        "length of the weights": ("free", {"normalised": False}),
    }
    for label, (option, wanted) in selects.items():
        page.get_by_label(label, exact=True).select_option(option)
        comes(page, wanted)
    texts = {
        "activation gain": ("2", {"rule": "delta:activation=tanh(gain=2)"}),
        "rate": ("0.5", {"schedule": "constant:rate=0.5"}),
        "weight decay": ("0.1", {"decay": 0.1}),
        "opening": ("2", {"opening": 2.0}),
        "share of wrong labels": ("0.2", {"noise": 0.2}),
        "mean input: length": ("2", {"mean": 2.0}),
        "along the teacher": ("-1", {"overlap": -1.0}),
        "weights N": ("40", {"dim": 40}),
        "\u03b1, up to": ("30", {"alpha": 30.0}),
        "replicas": ("10", {"replicas": 10}),
        "seed": ("7", {"seed": 7}),
    }
    for label, (text, wanted) in texts.items():
        enter(page, label, text)
        comes(page, wanted)
    finished(page)
    # a bad value is said, and leaves everything as it was
    before = page.url
    for label, text, why in (
        ("replicas", "many", "must be a number, got 'many'"),
        ("share of wrong labels", "0.9", "from 0 to 0.5, got 0.9"),
        ("weights N", "0", "from 1 to 1e+09, got 0"),
    ):
        kept = page.get_by_label(label, exact=True).input_value()
        box = enter(page, label, text)
        page.get_by_text(re.compile(f"{label}: .*{re.escape(why)}")).wait_for()
        assert box.input_value() == kept
    assert page.url == before
    # too much is refused, with a reason
    enter(page, "weights N", "1e9")
    page.get_by_text(re.compile("limit here|longer than it may")).wait_for(
        timeout=150_000  # a job may take 90 s of processor time
    )


def test_presets_show_papers(opened):
    page = opened(QUICK)
    presets = page.get_by_label("example or figure")
    presets.select_option(PRESETS["winther1997/fig1"].label)
    comes(page, {"rule": "binary-bayes:floor=0", "dim": 50, "axes": "linear"})
    assert page.get_by_label("weight decay", exact=True).is_disabled()
    finished(page)
    presets.select_option("winther1997/calibration: eq. (7)")
    comes(page, {"figure": "winther1997/calibration"})
    page.get_by_text("a learner that knows the noise", exact=False).wait_for()
    page.get_by_role("button", name="figure.csv").wait_for()
    # what no control can say is shown as it is in the report
    presets.select_option("golea1993/fig3: figure 3")
    comes(page, {"figure": "golea1993/fig3"})
    page.get_by_text("The samples of a curve grow", exact=False).wait_for()
    # any other choice leaves the figure again
    enter(page, "seed", "5")
    comes(page, {"figure": "", "seed": 5})
    finished(page)


def test_downloads_are_the_data_and_the_code_of_the_view(opened, tmp_path):
    page = opened(QUICK)
    finished(page)
    for name in ("curve.csv", "curve.nc", "view.py"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Download {name}").click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
    # that this program gives these numbers is tested where programs are
    assert (tmp_path / "view.py").read_text() == script(QUICK)
    run = simulated(QUICK)
    np.testing.assert_array_equal(rb.load(tmp_path / "curve.nc").error, run.error)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "curve.csv").read_text())))
    errors = [float(row["error"]) for row in rows]
    np.testing.assert_array_equal(errors, run.error.values.ravel())


def test_two_visitors_do_not_wait_for_each_other(opened):
    long = opened(State(rule="hebb", alpha=2000.0, replicas=30, schedule="constant"))
    long.get_by_text("equivalent").wait_for()
    short = opened(QUICK)
    finished(short)
    assert "seed" not in long.url
    # a newer choice supersedes the one under way
    enter(long, "\u03b1, up to", "3")
    finished(long)
    assert column(long, "Learning curve: log", "alpha").max() == 3


def test_a_rule_of_the_servers_owner_is_offered_beside_the_others(opened):
    page = opened(QUICK, server="rule")
    finished(page)
    before = column(page, "Learning curve: log", "median")
    page.get_by_label("rule", exact=True).select_option("halving")
    page.wait_for_function("location.search.includes('rule=halving')")
    page.get_by_text("Working").wait_for()
    finished(page)
    after = column(page, "Learning curve: log", "median")
    assert not np.array_equal(before, after)


def test_it_fits_on_a_phone(opened):
    page = opened(QUICK, width=390, height=800)
    finished(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # the plane of student and teacher shows angles as they are
    units = page.evaluate("""() => {
        const views = [...Bokeh.index.roots];
        for (const view of views) {
            views.push(...(view.child_views ?? []));
            const label = view.model.html_attributes?.["aria-label"] ?? "";
            if (!label.startsWith("The students in the plane")) continue;
            const {x_range, y_range} = view.model, {width, height} = view.frame.bbox;
            return [width / (x_range.end - x_range.start),
                    height / (y_range.end - y_range.start)];
        }
    }""")
    assert units[0] == pytest.approx(units[1], rel=0.02)
    page.get_by_role("tab", name="Data").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1300, 390])
def test_plot_and_messages_stay_in_view_while_controls_are_used(opened, width):
    page = opened(QUICK, width=width, height=844)
    finished(page)
    page.get_by_label("seed", exact=True).scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    box = page.locator("#curves .stay").bounding_box()
    assert -1 < box["y"] < 844 - 200  # a pixel of rounding
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_and_its_plots_become_dark_without_a_light_edge(opened):
    page = opened(QUICK, color_scheme="light")
    finished(page)
    page.wait_for_function(f"() => ({EDGE})() > 200")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "() => [...Bokeh.documents[0]._all_models.values()]"
        ".filter(m => m.type === 'Figure')"
        ".every(m => m.background_fill_color === '#1d1f21')"
    )
    page.wait_for_function(f"() => ({EDGE})() > 0 && ({EDGE})() < 60")
    assert page.evaluate(f"({EDGE})()") < 60


def test_two_curves_can_be_compared(opened):
    page = opened(QUICK)
    finished(page)
    page.get_by_role("button", name="Keep this curve to compare").click()
    drop = page.get_by_role("button", name="Drop the kept curve")
    drop.wait_for()
    assert drop.is_enabled()


def test_three_presets_and_a_tour_of_five_steps_work_with_the_keyboard(opened):
    page = opened(QUICK)
    links = page.get_by_role("navigation").get_by_role("link")
    assert links.count() == 3  # the tour is closed
    summary = page.get_by_text("Tour in five steps")
    summary.focus()
    page.keyboard.press("Enter")
    steps = page.locator("nav li a")
    assert steps.count() == 5
    for step in steps.all():
        assert step.is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent").startswith("A student")
    steps.nth(1).press("Enter")
    finished(page)
    assert page.get_by_label("weights N").input_value() == "50"
    page.get_by_role("tab", name="Learning curves").press("ArrowRight")
    assert page.get_by_role("button", name="Play").is_visible()


def test_controls_and_pictures_have_names(opened):
    page = opened(QUICK)
    finished(page)
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    roles = {"button", "link", "textbox", "combobox", "radio", "tab", "image", "img"}
    unnamed = [
        node["role"]["value"]
        for node in nodes["nodes"]
        if not node["ignored"]
        and node["role"]["value"] in roles
        and not node["name"]["value"]
    ]
    assert unnamed == []
