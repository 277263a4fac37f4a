"""Values come back as they were, to type and bit."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.reading import Reader
from rosenblatt.models.tree import Writer


def back(value):
    writer = Writer()
    plain = writer.plain(value, "x")
    return Reader({n: a.copy() for n, a in writer.tensors.items()}, {}).value(plain)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -(2**80), 0.1, -0.0, float("inf"), float("-inf"), "", "\u00e9\0",
        (), [], {}, (1, [2, (3,)]), {1: "a", "1": 2, None: (True,), (1, 2): 0.5},
        np.float32(0.1), np.int8(-3), np.bool_(True), np.str_("ab"), np.uint64(2**63),
        np.datetime64("2020-01-02"), rb.rules.Decay(rb.rules.Hebb(), 0.5),
        rb.schedules.Power(),
    ],
)  # fmt: skip
def test_plain_values(value):
    found = back(value)
    assert type(found) is type(value)
    assert found == value
    assert repr(found) == repr(value)


def test_not_a_number():
    assert np.isnan(back(float("nan")))
    assert type(back(float("nan"))) is float


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3), np.zeros((0, 3)), np.array(2.5),
        np.asfortranarray(np.arange(6).reshape(2, 3)), np.arange(9)[::2],
        np.array([2**63, 1], np.uint64), np.array([True, False]),
        np.array([1, 2], np.float16), np.array(["ab", "", "\u00e9\u4e2d"]),
        np.array([b"ab", b""]), np.array(["a", None, 3, "b"], object).reshape(2, 2),
        np.array(["2020-01-02", "NaT"], "M8[D]"), np.array([1.0, np.nan, -np.inf]),
        np.array(["a", "long"], np.dtypes.StringDType()), np.zeros((0, 2), "<U3"),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)  # fmt: skip
def test_arrays(array):
    found = back(array)
    np.testing.assert_array_equal(found, array, strict=True)
    assert found.flags.f_contiguous == array.flags.f_contiguous or array.ndim == 1
    assert found.flags.writeable


def test_nothing_that_is_read_shares_memory():
    array, entries = np.zeros(3), [1]
    first, second, third, fourth = back((array, {"a": array}, entries, [entries]))
    assert not np.shares_memory(first, second["a"])
    assert third is not fourth[0]


def test_a_tensor_is_used_once():
    reader = Reader({"x": np.zeros(3)}, {})
    assert reader.unused == ["x"]
    with pytest.raises(ModelFileError, match="used twice"):
        reader.value([{"array": "x"}, {"array": "x"}])


def test_what_cannot_be_kept_is_named():
    loop = []
    loop.append(loop)
    for bad in (object(), lambda: 1, {1, 2}, np.array([1j]), 1j, type):
        with pytest.raises(TypeError, match=r"x\.1 is"):
            Writer().plain([0, bad], "x")
    with pytest.raises(TypeError, match="contains itself"):
        Writer().plain(loop, "x")


@pytest.mark.parametrize(
    "random",
    [np.random.RandomState(3), np.random.default_rng(3),
     np.random.Generator(np.random.Philox(1))],
)  # fmt: skip
def test_generators_go_on(random):
    random.standard_normal(3)
    found = back(random)
    np.testing.assert_array_equal(found.standard_normal(5), random.standard_normal(5))
