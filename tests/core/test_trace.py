import numpy as np
import pytest
import xarray as xr

import rosenblatt as rb


@pytest.fixture
def run():
    return rb.simulate(
        rb.rules.Hebb(),
        rb.schedules.Constant(),
        rb.teachers.Sign(0.1),
        rb.streams.Gaussian(2.0, 1.0),
        dim=10,
        alpha=[0, 1, 2],
        replicas=3,
    )


def test_bad_paths_get_clear_errors(run, tmp_path):
    with pytest.raises(FileNotFoundError, match="path must be in an existing folder"):
        rb.save(run, tmp_path / "none" / "run.nc")
    with pytest.raises(FileNotFoundError, match="path must be an existing file"):
        rb.load(tmp_path / "run.nc")
    (tmp_path / "text.nc").write_text("no netCDF")
    with pytest.raises(ValueError, match="is not a netCDF file"):
        rb.load(tmp_path / "text.nc")
    xr.Dataset({"a": 1}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with pytest.raises(ValueError, match="is not a result of rosenblatt"):
        rb.load(tmp_path / "other.nc")


def test_a_student_at_zero_guesses(run):
    first = run.isel(alpha=0)
    assert np.all(first.error == 0.5)
    assert np.all(first.overlap == 0)
    assert np.all(first.norm == 0)


def test_error_is_exact_given_the_state():
    """Against counting on fresh inputs, for a biased stream with noisy labels."""
    run = rb.engines.full(
        rb.rules.Perceptron(),
        rb.schedules.Constant(),
        rb.teachers.Sign(0.2),
        rb.streams.Gaussian(2.0, -1.0),
        dim=3,
        alpha=0,
        start=rb.starts.Vector((1.0, -2.0, 0.5)),
    )
    rng = np.random.default_rng(0)
    s = rng.standard_normal((1_000_000, 3)) + np.array([-1.0, np.sqrt(3), 0])
    clean = s[:, 0] > 0
    label = clean ^ (rng.random(len(s)) < 0.2)
    wrong = ((s @ [1.0, -2.0, 0.5]) > 0) != label
    assert abs(wrong.mean() - run.error.item()) < 5 * 0.5 / 1000
    w = np.array([1.0, -2.0, 0.5])
    assert run.overlap.item() == pytest.approx(1 / np.linalg.norm(w))
    assert run.norm.item() == pytest.approx(np.linalg.norm(w) / np.sqrt(3))
    assert run.mean_overlap.item() == pytest.approx(
        w @ [-1.0, np.sqrt(3), 0] / np.linalg.norm(w)
    )
