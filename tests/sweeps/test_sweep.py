import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import rosenblatt as rb


class Calls:
    """Record of calls, unknown to a sweep, which would take a list for a parameter."""

    def __init__(self):
        self.all = []


CALLS = Calls()


def noted(x, y=0):
    CALLS.all.append((x, y))
    if x < 0:
        raise ValueError(f"x must not be negative, got {x}")
    return {"sum": x + y, "row": np.arange(3.0) + x}


def slow(x):
    CALLS.all.append(x)
    time.sleep(0.01)
    return float(x)


def interrupted(x):
    if x == 3:
        raise KeyboardInterrupt
    return float(x)


@pytest.fixture(autouse=True)
def forget():
    CALLS.all.clear()


def small(**more):
    return rb.sweep(
        "simulate",
        {
            "schedule": rb.schedules.Constant(),
            "dim": 10,
            "alpha": [1, 3],
            "replicas": 2,
        },
        axes={"rule": [rb.rules.Hebb(), rb.rules.Perceptron()], "seed": [0, 1, 5]},
        **more,
    )


def test_a_sweep_of_simulations_is_those_simulations():
    """Bit by bit, also from other processes."""
    found = small(cores=2)
    assert dict(found.sizes) == {"rule": 2, "seed": 3, "replica": 2, "alpha": 2}
    assert found.identical(small(cores=0))
    for number, rule in enumerate([rb.rules.Hebb(), rb.rules.Perceptron()]):
        alone = rb.simulate(
            rule, rb.schedules.Constant(), dim=10, alpha=[1, 3], replicas=2, seed=5
        )
        for name in alone.data_vars:
            assert np.array_equal(
                found[name].isel(rule=number).sel(seed=5), alone[name]
            )
            assert found[name].attrs == alone[name].attrs
    assert found.attrs["dim"] == 10
    assert found.attrs["done"] == found.attrs["items"] == 6


def test_a_bar_shows_results_workers_and_failures(capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.warns(UserWarning, match="1 of 3 experiments failed"):
        rb.sweep(lambda x: 1 / x, axes={"x": [0, 1, 2]}, cores=0, progress=True)
    said = capfd.readouterr()
    assert said.out == ""
    assert "/3" in said.err
    assert "1 at work, 1 failed" in said.err


def test_what_is_there_is_not_computed_again(tmp_path):
    first = rb.sweep(noted, axes={"x": [1, 2]}, store=tmp_path / "kept", cores=0)
    assert CALLS.all == [(1, 0), (2, 0)]
    again = rb.sweep(noted, axes={"x": [1, 2]}, store=tmp_path / "kept", cores=0)
    assert first.identical(again)
    assert first.identical(rb.open_sweep(tmp_path / "kept"))
    assert len(CALLS.all) == 2
    larger = rb.sweep(noted, axes={"x": [1, 2, 3]}, store=tmp_path / "kept", cores=0)
    assert CALLS.all[2:] == [(3, 0)]
    assert larger["sum"].values.tolist() == [1, 2, 3]
    rb.sweep(noted, axes={"y": [7], "x": [2, 1]}, store=tmp_path / "kept", cores=0)
    assert CALLS.all[3:] == [(2, 7), (1, 7)]  # other experiments


def test_another_version_of_the_code_computes_everything_again(tmp_path, monkeypatch):
    rb.sweep(noted, {"x": 1}, store=tmp_path / "kept", cores=0)
    monkeypatch.setattr("rosenblatt.sweeps.plan.code_digest", lambda: "another")
    rb.sweep(noted, {"x": 1}, store=tmp_path / "kept", cores=0)
    assert CALLS.all == [(1, 0), (1, 0)]


def test_failures_are_nan_and_told_and_tried_again(tmp_path):
    def run():
        with pytest.warns(UserWarning, match="1 of 3 .* x=-1: ValueError: x must not"):
            return rb.sweep(
                noted, axes={"x": [1, -1, 2]}, store=tmp_path / "kept", cores=0
            )

    found = run()
    np.testing.assert_array_equal(found["sum"], [1, np.nan, 2])
    (failure,) = json.loads(found.attrs["failures"])
    assert failure["item"] == "x=-1"
    assert "line " in failure["reason"]
    run()
    assert CALLS.all == [(1, 0), (-1, 0), (2, 0), (-1, 0)]


def test_experiments_listed_twice_are_computed_once():
    found = rb.sweep(noted, experiments=[{"x": 1}, {"x": 2}, {"x": 1}], cores=0)
    assert found["sum"].values.tolist() == [1, 2, 1]
    assert found.x.values.tolist() == [1, 2, 1]
    assert len(CALLS.all) == 2


def test_partial_results_are_readable_while_it_runs(tmp_path):
    def watching(x):
        time.sleep(0.21)  # results are written five times a second
        found = rb.open_sweep(tmp_path / "kept")
        CALLS.all.append(found.attrs["done"])
        if x == 3:
            np.testing.assert_array_equal(found.value, [0, 1, 2, np.nan, np.nan])
        return x

    found = rb.sweep(watching, axes={"x": range(5)}, store=tmp_path / "kept", cores=0)
    assert CALLS.all == [0, 1, 2, 3, 4]
    assert found.value.dtype == np.int64  # complete, so that nothing is NaN


def test_an_interrupt_says_how_to_go_on(tmp_path):
    for _ in range(2):
        with pytest.raises(
            KeyboardInterrupt, match=r"3 of 5 experiments are in .*again"
        ):
            rb.sweep(
                interrupted, axes={"x": range(5)}, store=tmp_path / "kept", cores=0
            )


def test_nothing_depends_on_the_time_of_day(tmp_path, monkeypatch):
    times = iter(np.random.default_rng(0).uniform(-1e9, 4e9, 10_000))
    monkeypatch.setattr(time, "time", lambda: float(next(times)))
    found = rb.sweep(noted, axes={"x": range(9)}, store=tmp_path / "kept", cores=0)
    assert found.identical(rb.open_sweep(tmp_path / "kept"))
    assert len(CALLS.all) == 9


def test_what_cannot_be_is_explained_before_anything_runs(tmp_path):
    for given, message in (
        ({"cores": -1}, "cores must be a whole number"),
        ({"workers": 0}, "workers must be a whole number"),
        ({"cores": 1, "workers": 1}, "only one of cores, workers and scheduler"),
    ):
        with pytest.raises(ValueError, match=message):
            rb.sweep(noted, {"x": 1}, store=tmp_path / "store", **given)
    with pytest.raises(ValueError, match="axes must be set in the file"):
        rb.sweep("spec.toml", axes={"x": [1]})
    for axes, message in (
        ({1: [1]}, "axes must have names of parameters, got 1"),
        ({"x": range(10**9)}, "axis 'x' must have at most 1000000 values"),
        ({"x": range(10**5), "y": range(10**4)}, "at most 1000000 experiments"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            rb.sweep(noted, axes=axes)
    with pytest.raises(OSError, match="store must be the file of a sweep"):
        rb.open_sweep(tmp_path / "kept")
    assert CALLS.all == []
    assert not (tmp_path / "store").exists()


def test_a_store_that_is_deleted_meanwhile_is_an_error(tmp_path):
    def deleting(x):
        if x == 2:
            (tmp_path / "store").unlink()
        return x

    with pytest.raises(OSError, match="was deleted during the sweep; run the same"):
        rb.sweep(deleting, axes={"x": range(4)}, store=tmp_path / "store", cores=0)


def test_functions_of_a_script_run_in_other_processes(tmp_path):
    """A script needs no ``if __name__`` and its helpers travel with it."""
    (tmp_path / "helping.py").write_text("def half(x):\n    return x / 2\n")
    (tmp_path / "script.py").write_text(
        "import rosenblatt as rb, helping\n"
        "def task(x): return helping.half(x)\n"
        "print(rb.sweep(task, axes={'x': [1, 2, 3]}, cores=2).value.values)\n"
    )
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[0.5 1.  1.5]\n", "")


def test_what_other_processes_cannot_have_is_named():
    lock = threading.Lock()
    with pytest.raises(TypeError, match="x must be made of numbers"):
        rb.sweep(lambda x: 1, {"x": lock}, cores=1)
