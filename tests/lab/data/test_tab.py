"""The second tab of the laboratory in a real browser."""

import re
import time

import pytest

from rosenblatt.lab.data.learner import LEARNERS
from rosenblatt.lab.data.points import BUNDLED, BYTES
from rosenblatt.lab.state import State
from tests.laboratory import PATIENCE, browser, comes, opened, servers, state_of, visit

__all__ = ["browser", "opened", "servers", "visit"]

pytestmark = pytest.mark.slow  # minutes of a browser


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
    end = time.monotonic() + PATIENCE  # the address follows a little later
    while [row[-1] for row in state_of(page).points.split(";")] != ["0", "1"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    page.get_by_label("learner", exact=True).select_option(LEARNERS["bayes"][0])
    comes(page, {"learner": "bayes"})
    page.get_by_label("or a CSV file").set_input_files(
        {"name": "a.csv", "mimeType": "text/csv", "buffer": b"1,2,a\n3,4,b\n2,1,b\n"}
    )
    page.get_by_text("3 points: your file, in standard deviations").wait_for()
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


def test_what_is_wrong_with_an_address_stays_on_the_page(opened):
    page = opened("tab=data&data=drawn&points=99,99,1;0,0,0")
    page.get_by_text("wrong now").wait_for()  # the learners are ready
    page.get_by_text("points must be within 50").wait_for()
    order = page.get_by_label("seed of the order")
    order.fill("abc")
    order.press("Enter")
    page.get_by_text("order must be a number, got 'abc'").wait_for()
    assert order.input_value() == "0"


def test_classes_of_a_paper_are_learned_with_its_gains(opened):
    page = opened(State(tab="data"))
    page.get_by_text("100 points").wait_for()
    label = BUNDLED["bhattacharya-5"][0]
    page.get_by_label("data", exact=True).select_option(label)
    comes(page, {"data": "bhattacharya-5"})
    page.get_by_text("sigma = 5").wait_for()
    page.get_by_label("learner", exact=True).select_option(LEARNERS["per-mistake"][0])
    comes(page, {"learner": "per-mistake"})
    page.get_by_label("examples a second").select_option("100")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("wrong now").wait_for()
    numbers = page.get_by_text("examples seen").locator("../..")
    end = time.monotonic() + PATIENCE
    # 12 standard deviations apart: nearly all are soon right
    while not re.search(r"wrong now\n\d of 300", numbers.inner_text()):
        assert time.monotonic() < end
        page.wait_for_timeout(50)
