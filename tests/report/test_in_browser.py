"""The pages of a report in a real browser, opened as files."""

import itertools
from pathlib import Path

import pytest

from rosenblatt.report import reproduce, select
from tests.browser import EDGE, browser, visit
from tests.report.example import FIGURES, PAPER

__all__ = ["browser", "visit"]

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
SCREEN = {"width": 1280, "height": 900}
TARGETS = ["barkai1995/eq5", "barkai1995/erratum/eq8", "barkai1995/fig2/regular"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    library = [*select(TARGETS), PAPER]
    reproduce([], folder, quick=True, progress=False, library=library)
    return f"file://{folder / 'minsky1969.html'}"


@pytest.fixture
def front(address):
    return address.replace("minsky1969", "index")


@pytest.fixture
def barkai(address):
    return address.replace("minsky1969", "barkai1995")


def made(page):
    return page.locator(".plot[data-state=made]")


def opened(visit, address, **settings):
    """A page whose first figure is in view and interactive."""
    page = visit(address, **settings).page
    in_view(page)
    return page


def in_view(page):
    """Wait until the first figure is in view and interactive."""
    page.locator(".plot").first.scroll_into_view_if_needed()
    made(page).first.wait_for()


@pytest.fixture(scope="module")
def shared(browser, address):
    """A page for all tests that leave it as it was; to load one takes a second."""
    window = browser.new_context(viewport=SCREEN)
    page = window.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    yield page
    window.close()


def test_figures_become_interactive_when_they_come_into_view(visit, address):
    seen = visit(address)
    page = seen.page
    last = page.locator(".plot").last
    assert page.evaluate("typeof window.Bokeh") in ("undefined", "object")
    assert last.get_attribute("data-state") is None
    last.scroll_into_view_if_needed()
    page.wait_for_function(
        "plot => plot.dataset.state === 'made'", arg=last.element_handle()
    )
    assert last.locator("canvas").count() > 0
    # those far away are given up, or were never made
    assert made(page).count() < page.locator(".plot").count() - 3
    assert not page.locator("img.still").first.is_visible()
    assert seen.complaints == []
    assert seen.hosts() == set()
    asked = [a for a in seen.addresses if not a.startswith(("data:", "blob:"))]
    assert asked == [address]


def renderers(page):
    return page.evaluate(
        "Bokeh.documents.flatMap(d => d.roots()).flatMap(r => r.renderers ?? [])"
        ".filter(r => r.name === '1').map(r => r.visible)"
    )


def test_the_first_tab_key_skips_to_the_content(shared):
    shared.keyboard.press("Tab")
    words = shared.evaluate("document.activeElement.textContent")
    assert words == "Skip to the content"
    shared.keyboard.press("Enter")
    assert shared.evaluate("document.activeElement.id") == "main"


def test_a_click_on_the_legend_hides_a_series_and_shows_it_again(shared):
    page = shared
    in_view(page)
    before = renderers(page)
    assert len(before) >= 2
    assert all(before)
    button = page.locator(".legend button[data-series='1']").first
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    hidden = renderers(page)
    assert hidden.count(False) == 2  # the band and its line, of one chart
    button.click()
    assert all(renderers(page))


def test_a_pointer_over_a_curve_tells_its_numbers(shared):
    page = shared
    in_view(page)
    point = page.evaluate(
        """() => {
          const view = [...Bokeh.index.roots].find(v => v.frame);
          const box = view.canvas_view.el.getBoundingClientRect();
          const x = view.frame.x_scale.compute(10), y = view.frame.y_scale.compute(0.1);
          return [box.x + x, box.y + y];
        }"""
    )
    page.mouse.move(point[0] - 3, point[1] - 3)
    page.mouse.move(*point)
    page.wait_for_timeout(300)
    # locators look into shadow roots, too
    words = " ".join(page.locator(".bk-Tooltip div").all_text_contents())
    assert "line" in words
    assert "0.1" in words


@pytest.mark.parametrize("size", [PHONE, {"width": 320}, {"width": 1280}])
def test_nothing_is_wider_than_the_window(visit, shared, address, size):
    if size is PHONE:
        page = opened(visit, address, **size)
    else:
        page = shared
        page.set_viewport_size(SCREEN | size)
        in_view(page)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= size["width"]
    box = page.locator(".wide").last
    inner = box.evaluate("box => [box.scrollWidth, box.clientWidth]")
    if size["width"] < 500:
        assert inner[0] > inner[1]  # the table scrolls inside itself
        assert page.locator(".live").first.bounding_box()["width"] > 300 * 0.9


def test_anchors_lead_to_their_items(visit, address):
    page = visit(f"{address}#minsky1969/table").page
    page.wait_for_timeout(300)
    top = page.locator("[id='minsky1969/table']").bounding_box()["y"]
    assert 0 <= top < 900


def test_a_button_copies_the_command(visit, barkai):
    seen = visit(barkai, permissions=["clipboard-read", "clipboard-write"])
    page = seen.page
    row = page.locator("[id='barkai1995/eq5/limit']")
    row.locator("summary").click()
    row.locator(".copy").click()
    row.get_by_text("copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "rosenblatt claims barkai1995/eq5/limit --quick"
    assert seen.complaints == []


def test_on_paper_there_are_pictures_and_no_buttons(shared):
    page = shared
    page.emulate_media(media="print")
    assert page.locator("img.still").first.is_visible()
    assert not page.locator(".live").first.is_visible()
    assert not page.locator(".copy").first.is_visible()
    loaded = (
        "[...document.querySelectorAll('img.still')].map(i => i.naturalWidth > 500)"
    )
    assert page.evaluate(loaded) == [True] * FIGURES
    # two to a row: all figures are on fewer sheets than there are figures
    document = page.pdf(format="A4")
    sheets = document.count(b"/Type /Page") - document.count(b"/Type /Pages")
    assert 2 <= sheets < FIGURES
    page.emulate_media(media="screen")


def test_without_scripts_there_are_pictures(visit, address):
    page = visit(address, java_script_enabled=False).page
    assert page.locator("img.still").first.is_visible()
    assert not page.locator(".live").first.is_visible()


def test_a_chart_that_cannot_be_made_leaves_the_picture(visit, address, tmp_path):
    text = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    spoilt = tmp_path / "spoilt.html"
    spoilt.write_text(text.replace('"doc":{', '"dok":{', 1), encoding="utf-8")
    page = visit(f"file://{spoilt}").page
    figure = page.locator("figure").first
    figure.scroll_into_view_if_needed()
    figure.locator("img.still").wait_for(state="visible")
    assert not figure.locator(".live").is_visible()


def shown(page):
    return page.locator("[data-verdict]:visible").count()


def test_search_and_filters_leave_what_is_wanted(visit, front, barkai):
    seen = visit(front)
    page = seen.page
    folded = shown(page)
    page.locator("#items > summary").click()
    everything = shown(page)
    assert folded < everything
    page.locator("#items > summary").click()
    page.get_by_label("errata", exact=True).check()  # unfolds the list
    assert 0 < shown(page) < everything
    assert {
        item.get_attribute("data-verdict")
        for item in page.locator("[data-verdict]:visible").all()
    } == {"erratum"}
    page.get_by_label("all", exact=True).check()
    page.get_by_label("Search").fill("barkai1995/eq5/limit")
    assert shown(page) == 1
    page.get_by_label("Search").fill("")
    page.locator(".filters select").select_option("minsky1969")
    assert 0 < shown(page) < everything
    page.goto(barkai)
    everything = shown(page)
    page.locator(".filters select").select_option(index=1)
    assert 0 < shown(page) < everything
    assert seen.complaints == []
    assert seen.hosts() == set()


def test_the_front_page_has_a_wall_of_pictures_that_lead_to_figures(visit, front):
    page = visit(front).page
    assert page.locator(".wall img").count() == FIGURES
    page.locator(".wall a").last.click()
    page.wait_for_url("**/minsky1969.html#minsky1969/pictures")
    top = page.locator("[id='minsky1969/pictures']").bounding_box()["y"]
    assert 0 <= top < 900


def test_headings_stay_in_view_and_fold_their_part(shared):
    page = shared
    page.locator(".plot").nth(5).scroll_into_view_if_needed()
    head = page.locator("#figures > summary")
    assert 0 <= head.bounding_box()["y"] < 150
    head.click()
    assert not page.locator("figure").first.is_visible()
    head.click()
    assert page.locator("figure").first.is_visible()


def test_charts_follow_the_colours_of_the_page(visit, address):
    page = opened(visit, address, color_scheme="dark")
    fills = (
        "Bokeh.documents.flatMap(d => d.roots()).map(r => r.background_fill_color)[0]"
    )
    assert page.evaluate(fills) == "#171717"
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => {fills} === '#ffffff'")
    page.wait_for_function(f"() => ({EDGE})() > 200")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({EDGE})() < 60")  # no light edge stays


def test_no_level_of_headings_is_left_out(shared):
    code = "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])"
    levels = shared.evaluate(code)
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
