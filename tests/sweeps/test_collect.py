import numpy as np
import pytest
import xarray as xr

import rosenblatt as rb


def test_results_of_different_sizes_are_joined():
    def ragged(n):
        return xr.Dataset(
            {"a": ("k", np.arange(n) + 0.0), "n": n},
            coords={"k": [30, 10, 20][:n]},
            attrs={"same": 1, "other": n},
        )

    found = rb.sweep(ragged, axes={"n": [1, 3]}, cores=0)
    assert found.k.values.tolist() == [10, 20, 30]
    np.testing.assert_array_equal(found.a, [[np.nan, np.nan, 0], [1, 2, 0]])
    assert "same" in found.attrs
    assert "other" not in found.attrs
    assert found["n"].values.tolist() == [1, 3]
    assert found.swept_n.values.tolist() == [1, 3]  # the axis of the same name


def named(n):
    found = xr.Dataset(
        {f"v{n % 2}": ("name", [1.0 * n], {"unit": f"of {n}"})},
        coords={"name": ("name", [f"n{-n}"], {"about": f"by {n}"})},
        attrs={"n": float("nan")},
    )
    return found


def test_the_order_in_which_results_were_stored_changes_nothing(tmp_path):
    for axis in ([3, 2, 1, 0], range(4)):
        found = rb.sweep(named, axes={"n": axis}, store=tmp_path / "kept", cores=0)
    anew = rb.sweep(named, axes={"n": range(4)}, cores=0)
    assert found.identical(anew)
    assert list(found) == list(anew) == ["v0", "v1"]
    assert found.name.values.tolist() == ["n-1", "n-2", "n-3", "n0"]
    assert found.v1.attrs == {"unit": "of 1"}
    assert found.name.attrs == {"about": "by 0"}
    assert np.isnan(found.attrs["n"])


def test_labels_may_be_nan_or_repeated():
    def labelled(n):
        values = ("k", n + np.arange(4.0))
        return xr.Dataset({"v": values}, coords={"k": [2.0, np.nan, 1.0, 1.0]})

    found = rb.sweep(labelled, axes={"n": [0, 10]}, cores=0)
    np.testing.assert_array_equal(found.k, [2, np.nan, 1, 1])
    np.testing.assert_array_equal(found.v, [[0, 1, 2, 3], [10, 11, 12, 13]])


@pytest.mark.parametrize(
    "values", [np.array([0.5, 0.1], np.float32), [np.int8(3), np.float32(0.1)], [1, 2]]
)
def test_labels_of_all_kinds_come_back_from_a_store(tmp_path, values):
    found = rb.sweep(
        lambda x: float(x), axes={"x": values}, store=tmp_path / "kept", cores=0
    )
    assert found.identical(rb.open_sweep(tmp_path / "kept"))
    assert found.x.dtype == rb.open_sweep(tmp_path / "kept").x.dtype
