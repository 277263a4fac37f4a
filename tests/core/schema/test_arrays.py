import numpy as np
import pytest

from rosenblatt.core.schema import Array, Labels, Texts
from tests.core.schema.refusals import refused


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros(3, np.float32), np.zeros((3, 1)), np.zeros(2), [0.0, 0.0, 0.0],
        np.ma.zeros(3), np.array([0.0, np.nan, 0.0]), np.array([0.0, np.inf, 0.0]),
        np.array([0.0, -1.0, 0.0]), np.array([0.0, 2.0, 0.0]),
    ],
)  # fmt: skip
def test_arrays_have_type_shape_and_range(bad):
    field = Array((("columns",),), low=0.0, high=1.0)
    field.check("x", np.array([0.0, 0.5, 1.0]), {"columns": 3}, True)
    refused(
        field,
        bad,
        r"finite float64 \(columns,\), at least 0, at most 1",
        {"columns": 3},
    )


def test_entries_of_arrays_are_looked_at_if_asked_for():
    Array((("n",),)).check("x", np.array([np.nan]), {}, False)


@pytest.mark.parametrize(
    "bad",
    [
        np.array([1, 1]), np.array([2, 1]), np.array([1.0, np.nan]), np.array([1]),
        np.array([[1, 2]]), np.array(["a", 1], object), np.array([(1,), (2,)], object),
        np.array([1j, 2j]), [1, 2], np.array([2**31, 2**31 + 1], np.uint32).view("U1"),
    ],
)  # fmt: skip
def test_labels_rise(bad):
    refused(Labels(), bad, "two or more, rising")


def test_names_are_text():
    Texts("columns").check("x", np.array(["a", "b"], object), {"columns": 2}, True)
    refused(Texts("columns"), np.array(["a", 1], object), "text")
    refused(Texts("columns"), np.array(["a"], object), "text", {"columns": 2})
