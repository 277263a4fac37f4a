import json

import numpy as np
import pytest
import xarray as xr

import rosenblatt as rb
from rosenblatt.sweeps.store.results import as_result, decode, encode


def again(value):
    return decode(encode(as_result(value)))


def test_datasets_come_back_to_the_bit():
    run = rb.simulate(
        rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=[1, 2], replicas=3
    )
    back = again(run)
    for name in run.data_vars:
        assert back.variables[name].dims == ("replica", "alpha")
        assert np.array_equal(back.variables[name].values, run[name])
        assert back.variables[name].attrs == run[name].attrs
    assert np.array_equal(back.coordinates["alpha"].values, run.alpha)
    assert back.attrs == run.attrs


def test_numbers_arrays_and_dictionaries_are_results():
    assert again(3).variables["value"].values == 3
    assert again(3).variables["value"].values.dtype == np.int64
    back = again({"a": np.array([[1.0, np.nan]]), "big": np.array([1], ">i4")})
    assert np.isnan(back.variables["a"].values[0, 1])
    assert back.variables["a"].dims == ("a_0", "a_1")
    assert back.variables["big"].values == 1
    named = xr.DataArray([1.0, 2.0], dims="k", coords={"k": ["x", "y"]})
    assert again(named).coordinates["k"].values.tolist() == ["x", "y"]
    assert again({"word": "yes"}).variables["word"].values == "yes"


def test_scalar_coordinates_are_kept_as_variables():
    part = xr.Dataset({"a": ("k", [1, 2])}, coords={"k": [3, 4], "noise": 0.5})
    assert again(part).variables["noise"].values == 0.5


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="a result must be a number"):
        as_result({"a": object()})
    with pytest.raises(TypeError, match="a result must be a number"):
        as_result(None)


def encoded(said, numbers=bytes(16)):
    text = said if isinstance(said, bytes) else json.dumps(said).encode()
    return len(text).to_bytes(4, "little") + text + numbers


GOOD = {"dims": ["x"], "shape": [2], "dtype": "<f8"}


BAD = [
    GOOD | {"dtype": "O"},
    GOOD | {"dtype": "|O8"},
    GOOD | {"dtype": "<U4"},
    GOOD | {"dtype": 8},
    GOOD | {"dtype": "<f9"},
    GOOD | {"shape": [3]},
    GOOD | {"shape": [1]},
    GOOD | {"shape": [-1]},
    GOOD | {"shape": [2**62, 4], "dims": ["x", "y"]},
    GOOD | {"shape": [2.0]},
    GOOD | {"dims": []},
    GOOD | {"dims": [3]},
    GOOD | {"dims": ["x", "x"], "shape": [1, 2]},
    GOOD | {"attrs": {"a": [1]}},
    GOOD | {"attrs": 3},
    GOOD | {"more": 3},
    {"dims": ["x"], "shape": [2], "text": [1, 2]},
    {"dims": ["x"], "shape": [2], "text": "ab"},
    3,
]


@pytest.mark.parametrize("about", BAD, ids=str)
def test_a_result_of_another_shape_is_refused(about):
    assert len(decode(encoded(result(GOOD))).variables["v"].values) == 2
    with pytest.raises(ValueError, match="is not as this version writes it"):
        decode(encoded(result(about)))


def result(about):
    return {"variables": {"v": about}, "coordinates": {}, "attrs": {}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01",
        encoded([]),
        encoded({}),
        encoded(b"{"),
        encoded(b"[" * 100000),
        encoded(result(GOOD) | {"attrs": []}),
        encoded(result(GOOD) | {"variables": 3}),
        encoded(result(GOOD), bytes(17)),
        b"\xff\xff\xff\xff" + bytes(9),
    ],
)
def test_bytes_that_are_no_result_are_refused(data):
    with pytest.raises(ValueError, match="is not as this version writes it"):
        decode(data)
