import math
import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import Rule, Update
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    Batch,
    Engine,
    Experiment,
    Run,
)
from tests.simulation.interrupting import interrupt

PERCEPTRON = rb.rules.Normalised(rb.rules.Perceptron())


def simulated(engine, **given):
    schedule = rb.schedules.Constant()
    return rb.simulate(
        PERCEPTRON, schedule, dim=20, alpha=[1, 5], engine=engine, **given
    )


@dataclass(frozen=True)
class Fragile(Rule):
    """Breaks once its student is close enough to the teacher."""

    @property
    def mistakes_only(self):
        return True

    def bind(self):
        def step(p):
            if p.rate < 0.01:
                return Update(gain=math.nan, decay=0.0)
            return Update(gain=p.rate * p.label, decay=0.0)

        return step


class TwoFailures(Experiment):
    """Replicas of which the second fails at once, and the first a little later."""

    record_size = 1

    def failure(self, place, fault):
        return ArithmeticError(place)

    def label(self, engine, records):
        raise AssertionError


def test_the_first_replica_that_fails_is_named_whichever_thread_is_faster():
    failed = threading.Event()

    def begin(task, replicas):
        batch = Batch(len(replicas), task.run.marks, task.record_size)

        def advance():
            batch.counts[:, EXAMPLES] += 1
            if replicas.start == 0 and batch.counts[0, EXAMPLES] == 1:
                assert failed.wait(10)
                time.sleep(0.1)  # the other thread has noted its failure by then
                return
            failed.set()
            batch.counts[:, FAULT] = 1

        batch.advance = advance
        return batch

    task = TwoFailures(Run.at_examples(10, 2, 0, 2, False))
    with pytest.raises(ArithmeticError, match="replica 0"):
        Engine("none", begin, together=lambda _: (1, 1)).run(task)


@pytest.mark.parametrize("engine", ["full", "reduced", "events"])
def test_seeds_differ_and_replicas_differ(engine):
    a, b = (simulated(engine, replicas=50, seed=seed) for seed in (0, 1))
    assert np.unique(np.concatenate([a.angle, b.angle])).size == 200


@pytest.mark.parametrize("engine", ["full", "reduced", "events"])
def test_a_rule_that_returns_nan_is_reported_with_replica_and_time(engine):
    message = r"rule Fragile\(\) returned gain nan, decay 0.0 in replica 0 at example "
    with pytest.raises(ArithmeticError, match=message) as caught:
        rb.simulate(
            Fragile(),
            rb.schedules.Power(1.0, 1.0),
            dim=10,
            alpha=1e4,
            engine=engine,
        )
    assert "alpha = 10" in str(caught.value)  # the rate falls below 0.01 at alpha 100
    assert "rate=0.00" in str(caught.value)


@pytest.mark.parametrize("engine", ["full", "reduced", "events"])
def test_weights_that_become_too_short_for_their_squares_are_reported(engine):
    message = r"AdaTron\(\) have become too short .*alpha = 2[0-9]{3}.*Normalised\(rule"
    with pytest.raises(ArithmeticError, match=message):
        rb.simulate(
            rb.rules.AdaTron(),
            rb.schedules.Constant(),
            rb.teachers.Sign(0.2),
            dim=20,
            alpha=3000,
            engine=engine,
        )


SCRIPT = """
import rosenblatt as rb
rule = rb.rules.Normalised(rb.rules.Perceptron())
for engine in ("full", "reduced", "events"):
    given = {"dim": 1000, "replicas": 2, "engine": engine}
    rb.simulate(rule, rb.schedules.Constant(), alpha=1, **given)
    try:
        print("ready", flush=True)
        rb.save(rb.simulate(rule, rb.schedules.Constant(), alpha=1e9, **given), "x.nc")
    except KeyboardInterrupt:
        continue
    raise SystemExit(f"{engine} has ended")
"""


def test_ctrl_c_stops_a_long_run_soon(tmp_path):
    assert interrupt(SCRIPT, tmp_path, times=3) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_progress_bar_that_is_asked_for_appears(capsys):
    rb.simulate(
        PERCEPTRON,
        rb.schedules.Constant(),
        dim=1000,
        alpha=4e3,
        replicas=4,
        engine="reduced",
        progress=True,
    )
    assert "reduced: 4 replicas" in capsys.readouterr().err
