import numpy as np
import pytest

from rosenblatt.lab.data.points import (
    BUNDLED,
    bundled,
    own,
    read_csv,
    read_points,
    write_points,
)


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
    uploaded = read_csv(rows.encode())
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


def test_files_with_and_without_a_heading_are_read():
    rows = b"1,2,no\n3,4,yes\n5,9,no\n"
    for content in (rows, b"a,b,kind\n" + rows, b"\xef\xbb\xbf" + rows):
        points = read_csv(content)
        assert points.X.shape == (3, 2)
        np.testing.assert_array_equal(points.y, [0, 1, 0])
        np.testing.assert_allclose(points.X.mean(axis=0), 0, atol=1e-12)


def test_more_columns_are_seen_from_where_they_vary_most():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    X[:, 2] = X[:, 0] + 1e-3 * rng.normal(size=50)  # two columns say the same
    lines = "".join(f"{a},{b},{c},{int(a > 0)}\n" for a, b, c in X)
    points = read_csv(lines.encode())
    assert abs(np.corrcoef(points.X[:, 0], X[:, 0])[0, 1]) > 0.99
    assert "of 3 columns" in points.about


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "rows of 1"),
        (b"1\n2\n", "rows of 1"),
        (b"1,2,a\n1,b\n", "row 2"),
        (b"1,2,a\nx,2,b\n", "row 2"),
        (b"1,2,a\nnan,2,b\n", "row 2"),
        (b"1,2,a\n1,3,a\n", "two classes"),
        (b"1,2,a\n1,3,b\n1,4,c\n", "two classes"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"1,a\n" * 1001, "1000 rows"),
        (b"1" * 600_000, "bytes"),
        (b",".join([b"1"] * 200) + b"\n", "rows of 1"),
        (b"1;2;a\n3;4;b\n", "with commas"),
        (b"1,2," + b"a" * 200_000 + b"\n3,4,b\n", "must be CSV"),
        (b"1e200,1,a\n-1e200,2,b\n", r"below 1e\+150"),
    ],
)
def test_bad_files_are_refused_with_a_reason(content, why):
    with pytest.raises(ValueError, match=why):
        read_csv(content)
