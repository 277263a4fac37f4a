from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.curves.presets import PRESETS
from rosenblatt.lab.curves.script import (
    committee_script,
    figure_script,
    python,
    script,
)
from rosenblatt.lab.jobs.experiment import experiment, grid
from rosenblatt.lab.state import State, from_query, offer
from tests.lab.jobs.test_work import OWN
from tests.scripts import run_script

STATES = [
    State(dim=20, alpha=10.0, replicas=3, seed=5),
    State(rule="binary-bayes:floor=0", normalised=False, dim=10, alpha=2.0, replicas=2),
    from_query(
        dict(
            parse_qsl(
                "rule=passive-aggressive:aggressiveness%3D0.3&shifted=known&opening=2&"
                "decay=0.1&mean=2&overlap=1&noise=0.1&dim=20&alpha=5&replicas=2"
            )
        )
    )[0],
]


def expected(state):
    return rb.simulate(
        **experiment(state)._asdict(),
        dim=state.dim,
        alpha=grid(state),
        replicas=state.replicas,
        seed=state.seed,
        progress=False,
    )


def test_the_code_of_views_gives_their_numbers_bit_by_bit(tmp_path):
    # all in one process, since each would have to load everything
    for i, state in enumerate(STATES):
        (tmp_path / f"{i}").mkdir()
        (tmp_path / f"{i}" / "view.py").write_text(script(state))
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "half_rule.py"
    file.write_text(OWN)
    offer([f"{file}:Half"])
    own = replace(STATES[0], rule="half")
    (tmp_path / "own" / "view.py").write_text(script(own, last=4.0))
    runner = (
        "import os, pathlib, runpy\n"
        "for path in sorted(pathlib.Path().resolve().iterdir()):\n"
        "    os.chdir(path)\n"
        "    runpy.run_path('view.py')\n"
    )
    done = run_script(runner, tmp_path, strict=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("error ") == 4
    for i, state in enumerate(STATES):
        found = rb.load(tmp_path / f"{i}" / "curve.nc")
        whole = expected(state)
        for name in whole.data_vars:
            np.testing.assert_array_equal(found[name], whole[name])
        assert (tmp_path / f"{i}" / "curve.png").stat().st_size > 1000
    assert done.stdout.count("theory ") == 4
    half = rb.load(tmp_path / "own" / "curve.nc")
    whole = expected(own)
    np.testing.assert_array_equal(half.error, whole.error.sel(alpha=slice(0, 4)))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_code_of_all_presets_compiles_and_names_its_parts(preset):
    state = PRESETS[preset].state
    text = committee_script(state) if state.units else script(state)
    compile(text, "view.py", "exec")
    for name, part in experiment(state)._asdict().items():
        if part is None:  # no motion
            continue
        if state.units and name != "schedule":
            continue
        assert f"{name} = {python(part)}\n" in text
        assert eval(python(part), {"rb": rb}) == part


def test_the_code_of_a_figure_gives_its_data(tmp_path):
    done = run_script(figure_script("winther1997/calibration"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "figure.csv").read_text().startswith("series,role,x,y")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_the_code_of_a_committee_gives_its_overlaps(tmp_path):
    state = State(units=2, schedule="constant", dim=50, alpha=5.0, seed=4)
    done = run_script(committee_script(state), tmp_path, strict=True)
    assert done.returncode == 0, done.stderr
    run = rb.committees.simulate(
        rb.committees.Committee(rb.rules.Erf(), 2, 2), 1.0, dim=50, alpha=grid(state),
        seed=4, progress=False
    )  # fmt: skip
    np.testing.assert_array_equal(rb.load(tmp_path / "overlaps.nc").R, run.R)
    assert (tmp_path / "overlaps.png").stat().st_size > 1000
