"""The second tab: points, learners, and both in a real browser."""

import re
import time

import numpy as np
import pytest
from sklearn.base import clone

from rosenblatt.lab.data import DataPlot
from rosenblatt.lab.points import (
    BUNDLED,
    BYTES,
    LEARNERS,
    LearningRun,
    Points,
    own,
    read_csv,
    read_points,
    write_points,
)
from tests.laboratory import PATIENCE, browser, comes, opened, servers, state_of, visit

__all__ = ["browser", "opened", "servers", "visit"]


def bundled(name):
    return BUNDLED[name][1]()


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sets_are_small_and_have_two_classes_in_the_plane(name):
    points = bundled(name)
    assert points.X.shape == (len(points.y), 2)
    assert len(points.y) <= 600
    assert set(points.y) == {0, 1}
    assert np.abs(points.X).max() < 10
    assert points.about


def test_points_survive_the_address():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 2))
    X[0, 0] = 1e9  # as far out as one of a thousand can be
    rows = "".join(f"{a},{b},{i % 2}\n" for i, (a, b) in enumerate(X))
    uploaded = read_csv(b"a,b,c\n" + rows.encode())
    iris = bundled("iris")
    for points in (
        read_points("0.5,1,0;-1.256,2,1"),
        uploaded,
        own(iris.X, iris.y),
        own(np.array([[1e3, -1e3]]), np.array([0])),
    ):
        again = read_points(write_points(points))
        np.testing.assert_array_equal(again.X, points.X)
        np.testing.assert_array_equal(again.y, points.y)
    assert uploaded.X.max() > 31
    assert len(read_points("").y) == 0


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "1,2",
        "1,2,3",
        "a,b,0",
        "nan,1,0",
        "1e9,1,0",
        "1,1,0.5",
        ";".join(["1,1,0"] * 1001),
    ],
)
def test_bad_points_are_refused(text):
    with pytest.raises(ValueError, match="points must be"):
        read_points(text)


def test_files_are_encoded_like_tables_for_training():
    rows = b"a,b,kind\n1,2,no\n3,4,yes\n5,9,no\n"
    for content in (rows, b"\xef\xbb\xbf" + rows):
        points = read_csv(content)
        assert points.X.shape == (3, 2)
        np.testing.assert_array_equal(points.y, [0, 1, 0])
        np.testing.assert_allclose(points.X.mean(axis=0), 0, atol=1e-4)
    gaps = read_csv(b"size,colour,kind\n1,red,a\n,blue,b\n3,red,b\n2,,a\n")
    assert gaps.X.shape == (4, 2)
    assert np.isfinite(gaps.X).all()


def test_more_columns_are_seen_from_where_they_vary_most():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    X[:, 2] = X[:, 0] + 1e-3 * rng.normal(size=50)  # two columns say the same
    lines = "".join(f"{a},{b},{c},{int(a > 0)}\n" for a, b, c in X)
    points = read_csv(b"a,b,c,kind\n" + lines.encode())
    assert abs(np.corrcoef(points.X[:, 0], X[:, 0])[0, 1]) > 0.99
    assert "of 3 columns" in points.about


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "CSV"),
        (b"kind\na\nb\n", "1 columns"),
        (b"x,kind\n", "0 rows"),
        (b"x,y,kind\n1,2,a\n1,3,a\n", "two classes"),
        (b"x,y,kind\n1,2,a\n1,3,b\n1,4,c\n", "two classes"),
        (b"x,kind\n1,2,a\n1,2,3,4,b\n", "CSV"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"x,kind\n" + b"1,a\n" * 1001, "1000 rows"),
        (b"1" * 600_000, "bytes"),
        (b",".join([b"1"] * 200) + b"\n", "200 columns"),
        (b"x,y,kind\n1e200,1,a\n-1e200,2,b\n", r"below 1e\+150"),
    ],
)
def test_bad_files_are_refused_with_a_reason(content, why):
    with pytest.raises(ValueError, match=why):
        read_csv(content)


@pytest.mark.parametrize("learner", LEARNERS)
def test_steps_are_what_partial_fit_does_and_the_boundary_is_the_models(learner):
    points = bundled("iris-hard")
    run = LearningRun(points, learner, order=4)
    run.step(1)
    run.step(149)
    rng = np.random.default_rng(4)
    orders = [rng.permutation(100)[::-1] for _ in range(2)]
    rows = np.concatenate(orders)[:150]
    model = clone(LEARNERS[learner])
    mistakes = 0
    for k, row in enumerate(rows):
        x, y = points.X[[row]], points.y[[row]]
        field = model.decision_function(x)[0] if k else 0.0
        mistakes += field * (2 * y[0] - 1) <= 0
        model.partial_fit(x, y, classes=[0, 1])
    assert (run.seen, run.mistakes, run.last) == (150, mistakes, rows[-1])
    where = np.random.default_rng(0).normal(size=(300, 2))
    fields = model.decision_function(where)
    np.testing.assert_array_equal(run.field(where), fields)
    if run.curved:
        assert run.margin is None
    else:
        assert (run.margin > 0) == (run.wrong == 0)
    wrong = model.decision_function(points.X) * (2 * points.y - 1) <= 0
    assert run.wrong == wrong.sum()
    sure = run.confidence(where)
    assert ((sure >= 0) & (sure <= 1)).all()
    np.testing.assert_array_equal(sure > 0.5, fields > 0)


@pytest.mark.parametrize("learner", ["perceptron", "bayes-curved"])
def test_a_boundary_is_drawn_and_the_band_of_a_curved_one(learner):
    run, drawing = LearningRun(bundled("moons"), learner, order=0), DataPlot()
    drawing.show_points(run.points)
    run.step(240)
    drawing.show(run)
    line, band = (
        np.column_stack([source.data["x"], source.data["y"]])
        for source in (drawing._line, drawing._band)
    )
    line, band = (each[~np.isnan(each[:, 0])] for each in (line, band))
    assert len(line) > 10
    assert np.abs(run.field(line)).max() < 0.05 * np.abs(run.field(run.points.X)).max()
    assert (len(band) > 10) == run.curved
    if run.curved:
        off = np.abs(run.confidence(band) - 0.5) - run.model.predict_std(band)
        assert np.abs(off).max() < 0.05


def test_nothing_and_one_class_are_no_errors():
    empty = LearningRun(Points(np.empty((0, 2)), np.empty(0, int)), "perceptron", 0)
    empty.step(3)
    assert (empty.seen, empty.margin, empty.separable) == (0, None, None)
    one = LearningRun(Points(np.ones((2, 2)), np.zeros(2, int)), "hebb", 0)
    one.step(3)
    assert one.separable is None
    assert one.wrong == 0


@pytest.mark.slow
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
    page.get_by_label("learner", exact=True).select_option("bayes")
    comes(page, {"learner": "bayes"})
    page.get_by_label("or a CSV file").set_input_files(
        {
            "name": "a.csv",
            "mimeType": "text/csv",
            "buffer": b"x,y,c\n1,2,a\n3,4,b\n2,1,b\n",
        }
    )
    page.get_by_text("3 points: your file, in standard deviations").wait_for()
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


@pytest.mark.slow
def test_what_is_wrong_with_an_address_stays_on_the_page(opened):
    page = opened("tab=data&data=drawn&points=99,99,1;0,0,0")
    page.get_by_text("wrong now").wait_for()  # the learners are ready
    page.get_by_text("points must be within 50").wait_for()
    order = page.get_by_label("seed of the order")
    order.fill("abc")
    order.press("Enter")
    page.get_by_text("order must be a number, got 'abc'").wait_for()
    assert order.input_value() == "0"
