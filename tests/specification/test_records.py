import inspect
import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import Schedule
from rosenblatt.experiments import TASKS
from rosenblatt.rules import Delta, FixedShift, Normalised, Perceptron, Shifted, Tanh
from rosenblatt.schedules import Constant, Custom, Power
from rosenblatt.specification.codec import (
    FORMAT,
    SpecificationError,
    _hints,
    decode,
    describe,
    parts,
)

GOLDEN = Path(__file__).parents[1] / "golden"
EXAMPLES = [
    Shifted(Normalised(Perceptron(0.5)), FixedShift(1.0, 0.25)),
    Delta(Tanh(2.0)),
    Power(1.0, 0.5, 2.0),
    rb.rules.PassiveAggressive(1.0, math.inf),
    rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=(1, 4)),
    rb.streams.Normal(3, mean=(1.0, 2.0, 3.0)),
    rb.streams.ProductBits((0.5, 0.25)),
    rb.starts.Overlap(0.5, None),
    rb.starts.Vector((1.0, 2.0)),
    rb.machines.Parity(2, 5, True),
]


class Odd(Schedule):
    def __init__(self, held):
        self.held = held

    def bind(self):
        return halving


def halving(clock):
    return 0.5


def passed(**given):
    return json.loads(json.dumps(describe("simulate", **given)))


@pytest.mark.parametrize("part", EXAMPLES, ids=lambda part: type(part).__name__)
def test_parts_survive_json(part):
    assert decode(passed(part=part)["part"]) == part


def test_what_a_file_cannot_keep_is_said():
    plain = passed(schedule=Odd(object()))["schedule"]
    with pytest.raises(SpecificationError, match="which cannot be stored"):
        decode(plain, {"Odd": Odd})


def test_own_parts_and_functions_come_from_the_caller():
    plain = passed(schedule=Custom(halving))["schedule"]
    assert decode(plain, {"halving": halving}) == Custom(halving)
    assert decode(passed(schedule=Odd(3))["schedule"], {"Odd": Odd}) == Odd(3)
    for given in (Custom(halving), Odd(3)):
        with pytest.raises(SpecificationError, match=r"pass it as parts=\{'"):
            decode(passed(schedule=given)["schedule"])


def hostile(**entry):
    """Return a result whose rule is this entry."""
    run = rb.simulate(rb.rules.Hebb(), Constant(), dim=10, alpha=1, engine="full")
    spec = json.loads(run.attrs["spec"])
    run.attrs["spec"] = json.dumps({**spec, **entry})
    return run


CALL = {"args": "touch HACKED", "shell": True}
HOSTILE = [
    {"part": "subprocess:call", "given": CALL},
    {"part": "subprocess:call", "fields": CALL},
    {"part": "subprocess.call", "fields": CALL},
    {"part": "rosenblatt.rules.subprocess:call", "given": CALL},
    {"part": "rules.__init__", "fields": {}},
    {"part": "rosenblatt.specification.codec:load", "given": {"file": "evil.py"}},
    {"part": ["rules.Hebb"], "fields": {}},
    {"own": "subprocess:call", "fields": CALL},
    {"own": "call", "fields": CALL, "source": "import os; os.system('touch HACKED')"},
    {"own": ["x"]},
    {"function": "os:abort"},
    {"part": "rules.Hebb"},
    {"part": "rules.Hebb", "fields": []},
    {"part": "rules.Hebb", "fields": {"margin": 1}},
    {"part": "rules.Perceptron", "fields": {"margin": "1"}},
    {"part": "rules.Perceptron", "fields": {"margin": True}},
    {"part": "rules.Perceptron", "fields": {"margin": [1.0]}},
    {"part": "rules.Perceptron", "fields": {"margin": -1.0}},
    {"part": "rules.Perceptron", "fields": {}},
    {"part": "rules.Decay", "fields": {"rule": 3, "strength": 1.0}},
    {"text": "x"},
    {"text": "x", "more": 1},
    {},
]


def refuse(run, kinds=SpecificationError, match=None):
    """Assert that a result is not run again, and that this is said in one line."""
    with pytest.raises(kinds, match=match) as refused:
        rb.rerun(run)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("rule", HOSTILE, ids=str)
def test_a_result_runs_nothing_that_it_names(rule, tmp_path, monkeypatch):
    def called(*given, **more):
        raise AssertionError("a file made us call something")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "call", called)
    refuse(hostile(rule=rule))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "entry",
    [
        {"dim": 0},
        {"dim": "10"},
        {"dim": 1e300},
        {"dim": True},
        {"dim": {"part": "rules.Hebb", "fields": {}}},
        {"replicas": -1},
        {"replicas": 0.5},
        {"seed": -1},
        {"alpha": []},
        {"alpha": [2, 1]},
        {"alpha": "12"},
        {"alpha": [math.inf]},
        {"alpha": [1e18]},
        {"alpha": [[1]]},
        {"stream": {"part": "rules.Hebb", "fields": {}}},
        {"start": 3},
        {"workers": 10**9},
        {"progress": True},
        {"engine": "shell"},
    ],
    ids=str,
)
def test_numbers_of_a_result_are_checked_like_those_of_simulate(entry):
    refuse(hostile(**entry), (ValueError, TypeError))


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "{", '{"format": 3}', "[" * 100_000, None, 3, b"\xff"]
)
def test_a_specification_that_is_none_is_one_line(text):
    run = hostile()
    run.attrs["spec"] = text
    refuse(run)


def test_parts_in_parts_without_end_are_refused():
    rule = {"part": "rules.Hebb", "fields": {}}
    for _ in range(400):
        rule = {"part": "rules.Normalised", "fields": {"rule": rule}}
    refuse(hostile(rule=rule), match="too deep")


@pytest.mark.parametrize("task", ["theory", "os.system", None, 3, ["simulate"]])
def test_a_task_that_is_none_is_refused(task):
    refuse(hostile(task=task), ValueError, "there is no task")


@pytest.mark.parametrize("number", [0, 1, 2, 99, "2", True, None, [2]])
def test_other_formats_are_refused_in_one_line(number):
    said = rf"has format {re.escape(repr(number))}; .* rosenblatt reads {FORMAT}"
    refuse(hostile(format=number), match=said)


def test_a_golden_result_is_read_and_rerun():
    kept = rb.load(GOLDEN / f"result-{FORMAT}.nc")
    again = rb.rerun(kept)
    for name in kept.data_vars:
        np.testing.assert_allclose(again[name], kept[name], rtol=1e-12)


def layout():
    """Return all that a specification of this format may say."""

    def written(hint):  # without modules, which may move
        text = re.sub(r"\b(\w+\.)+(?=\w)", "", str(hint))
        return (
            re.sub(r"<class '(.*)'>", r"\1", text).partition("Callable[")[0] or "call"
        )

    return {
        "tasks": {
            name: sorted(inspect.signature(function).parameters)
            for name, function in TASKS.items()
        },
        "parts": {
            name: {field: written(hint) for field, hint in _hints(kind).items()}
            for name, kind in parts().items()
        },
    }


def test_the_layout_is_that_of_its_format_number():
    """A new part is added to the file; any other change needs a new FORMAT and file."""
    pinned = json.loads((GOLDEN / f"specification-{FORMAT}.json").read_text())
    assert layout() == pinned
