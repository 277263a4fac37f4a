"""Controls, presets and programs of the first tab."""

import math
import shutil
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Combinator, Rule, Schedule
from rosenblatt.lab.curves import Controls, names, parameters, python, script
from rosenblatt.lab.job import PAPERS, experiment
from rosenblatt.lab.presets import CHOSEN, PRESETS, name_of, options, preset_of
from rosenblatt.lab.state import State, from_query, offer
from rosenblatt.specification import codec
from tests.conformance.test_parts import BELIEFS, RULES
from tests.laboratory import OWN_FILE, simulated
from tests.scripts import run_script


class Page:
    def __init__(self):
        self.states, self.complaints = [], []
        self.controls = Controls(State(), self.states.append, self.complaints.append)
        self.inputs = self.controls.inputs


def test_a_change_gives_a_new_state():
    page = Page()
    page.inputs["dim"].value = "50"
    page.inputs["rule"].value = "hebb"
    assert [state.dim for state in page.states] == [50, 50]
    assert page.states[-1].rule == "hebb"


def test_a_wrong_input_is_explained_and_the_old_one_shown():
    page = Page()
    page.inputs["dim"].value = "many"
    assert page.states == []
    assert page.complaints == ["weights N: must be a number, got 'many'"]
    assert page.inputs["dim"].value == "1000"


def test_a_rule_that_keeps_a_belief_has_no_rate_and_no_length():
    page = Page()
    page.inputs["rule"].value = "binary-bayes"
    assert page.states[-1].schedule == "constant"
    assert not page.states[-1].normalised
    assert page.inputs["decay"].disabled


def test_all_rules_of_the_package_can_be_chosen():
    kinds = (Rule, BeliefRule)
    known = [*RULES, *BELIEFS]
    wanted = {type(rule) for rule in known if not isinstance(rule, Combinator)}
    assert {type(codec.parse(Rule, n, BeliefRule)) for n in names(kinds)} == wanted


@pytest.mark.parametrize("kinds", [(Rule, BeliefRule), (Schedule,)])
def test_each_parameter_can_be_changed(kinds):
    for name in names(kinds):
        part = codec.parse(kinds[0], name, *kinds[1:])
        for path, _, given in parameters(part):
            for text in given or ["0.25"]:
                other = codec.replace(part, path, text)
                assert {p: t for p, t, _ in parameters(other)}[path] == text


def test_every_figure_of_every_paper_can_be_chosen():
    groups = options()
    for paper in PAPERS:
        offered = {value for value, _ in groups[paper.key]}
        assert {f"figure:{one.id}" for one in paper.figures} <= offered
    chosen = [value for group in groups.values() for value, _ in group]
    assert len(set(chosen)) == len(chosen)
    labels = [label for group in groups.values() for _, label in group]
    assert len(set(labels)) == len(labels)
    assert all(preset_of(name).state for name in chosen if name != CHOSEN)
    assert name_of(State(seed=77)) == CHOSEN


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_known_by_their_state_and_their_code_has_their_parts(name):
    state = PRESETS[name].state
    assert name_of(state) == name
    text = script(state)
    compile(text, "view.py", "exec")
    for part in experiment(state).values():
        assert part is None or f" = {python(part)}\n" in text
        assert eval(python(part), {"rb": rb}) == part


def test_scales_are_those_of_the_papers():
    """The best rate, and eq. (18) of barkai1995 with eta0 = 2 at q0 = -1.95."""
    best = f"power:scale={2 * math.sqrt(2 * math.pi):.6g}"
    assert PRESETS["barkai1995/fig1"].state.schedule == best
    scale = 2 * math.sqrt(math.pi / 2) * math.exp(1.95**2 / 2)
    known = PRESETS["barkai1995/fig2-known"].state
    assert (known.schedule, known.overlap) == (f"power:scale={scale:.6g}", -1.95)


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


def test_the_code_of_views_gives_their_numbers_bit_by_bit(tmp_path):
    # all in one process, since each would have to load everything
    for i, state in enumerate(STATES):
        (tmp_path / f"{i}").mkdir()
        (tmp_path / f"{i}" / "view.py").write_text(script(state))
    (tmp_path / "own").mkdir()
    file = shutil.copy(OWN_FILE, tmp_path / "own" / "half_rule.py")
    offer([f"{file}:Halving"])
    own = replace(STATES[0], rule="halving")
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
        whole = simulated(state)
        for name in whole.data_vars:
            np.testing.assert_array_equal(found[name], whole[name])
        assert (tmp_path / f"{i}" / "curve.png").stat().st_size > 1000
    assert done.stdout.count("theory ") == 3
    assert done.stdout.count("no theory: ") == 1
    half = rb.load(tmp_path / "own" / "curve.nc")
    whole = simulated(own)
    np.testing.assert_array_equal(half.error, whole.error.sel(alpha=slice(0, 4)))


def test_the_code_of_a_figure_gives_its_data(tmp_path):
    done = run_script(script(State(figure="winther1997/calibration")), tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "figure.csv").read_text().startswith("series,role,x,y")
    assert (tmp_path / "figure.png").stat().st_size > 1000
