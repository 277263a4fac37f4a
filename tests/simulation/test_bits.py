"""A replica has the same bits whatever else is simulated, recorded, or run at once."""

import numpy as np
import pytest

import rosenblatt as rb

RULE = rb.rules.Normalised(rb.rules.Perceptron())
RATE = rb.schedules.Power(1.0, 0.5, 1.0)
NOISY = rb.teachers.Sign(0.1)
LAST = 1025  # examples: past the ends of blocks and pieces


def simulated(rule=RULE, stream=None, **options):
    def run(marks, **given):
        dim = 25 if stream is None else stream.dim
        return rb.simulate(
            rule, RATE, NOISY, stream, dim=dim, alpha=np.array(marks) / dim,
            **options, **given,
        )  # fmt: skip

    return run


def machine(marks, **given):
    target, inputs = np.arange(12.0), rb.streams.Uniform(12)
    return rb.simulate_machine(
        rb.machines.Parity(3, 4), RATE, target, inputs, examples=marks, noise=0.1,
        tests=50, **given,
    )  # fmt: skip


def classes(*schedules):
    def run(marks, **given):
        stream = rb.streams.TwoClasses([(20, 40), (80, 60)], 400.0, constant=-1.0)
        rule, start = rb.rules.Perceptron(), [0.01, -0.03, 1.0]
        found = rb.simulate_classes(
            rule, schedules, stream, examples=marks, tests=50, start=start, **given
        )
        return found.isel(schedule=0, drop=True)

    return run


ENGINES = "full", "reduced", "events"
MOTIONS = rb.motions.RandomWalk(0.5), rb.motions.Rotation(0.5), rb.motions.Retreat(0.2)
MOTIONS += (rb.motions.Abrupt((1.0, 3.0)),)
BELIEF = rb.rules.BinaryBayes(0.1)
RUNS = {
    **{name: simulated(engine=name) for name in ENGINES},
    **{
        f"{name} {motion}": simulated(engine=name, motion=motion)
        for name in ENGINES
        for motion in MOTIONS
    },
    "bits": simulated(stream=rb.streams.UniformBits(6), tests=20),
    "rows": simulated(stream=rb.streams.Empirical(((1.0, 2.0), (0.5, -1.0))), tests=20),
    "belief": simulated(BELIEF),
    "belief of signs": simulated(BELIEF, rb.streams.UniformBits(33), tests=20),
    "belief of vectors": simulated(BELIEF, rb.streams.Uniform(33, -1.7, 1.7), tests=20),
    "machine": machine,
    "classes": classes(RATE),
}


@pytest.mark.parametrize("name", RUNS)
def test_bits_depend_on_seed_and_replica_alone(name):
    marks = [0, 7, 25, 300, LAST]
    often = RUNS[name](marks, replicas=9, workers=1, seed=3)
    once = RUNS[name]([LAST], replicas=20, workers=7, seed=3)
    other = RUNS[name]([LAST], replicas=9, seed=4)
    for key, values in once.data_vars.items():
        # errors of classes are products of matrices, whose rounding depends on shapes
        near = 1e-14 if (name, key) == ("classes", "error") else 0.0
        np.testing.assert_allclose(values[:9, 0], often[key][:, -1], near)
    assert not often.mistakes[:, -1].equals(other.mistakes[:, 0])


def test_other_schedules_change_no_bit():
    alone, beside = (
        classes(*schedules)([LAST], replicas=2)
        for schedules in ([RATE], [RATE, rb.schedules.PerMistake(2.0, 0.9)])
    )
    for key, values in alone.data_vars.items():
        np.testing.assert_allclose(values, beside[key], 1e-14 * (key == "error"))
