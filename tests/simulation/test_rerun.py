import pytest

import rosenblatt as rb

COMMITTEE = rb.committees.Committee(rb.rules.Erf(), 2, 1, decay=0.1)
RATE = rb.schedules.Power(0.5, 0.5, 1.0)
CLASSES = rb.streams.TwoClasses([(-1, 0), (1, 0)])


@pytest.mark.parametrize(
    "compute",
    [
        lambda: rb.solve(
            rb.rules.Hebb(), RATE, alpha=[0, 1], start=rb.starts.Overlap(0.5)
        ),
        lambda: rb.solve(
            rb.rules.Hebb(), RATE, alpha=2, motion=rb.motions.RandomWalk(0.1)
        ),
        lambda: rb.committees.simulate(COMMITTEE, RATE, dim=9, alpha=1, replicas=2),
        lambda: rb.committees.solve(COMMITTEE, RATE, alpha=[0, 1], second_rate=0.1),
        lambda: rb.committees.fluctuations(COMMITTEE, RATE, alpha=[0, 1], points=64),
        lambda: rb.simulate_machine(
            rb.machines.Ball(), RATE, [0.1, 0.2], examples=[0, 10], replicas=3
        ),
        lambda: rb.simulate_classes(
            rb.rules.Residual(), [RATE], CLASSES, examples=[5, 50], replicas=2, tests=10
        ),
    ],
)
def test_results_are_saved_and_computed_again(compute, tmp_path):
    result = compute()
    rb.save(result, tmp_path / "result.nc")
    assert rb.rerun(rb.load(tmp_path / "result.nc")).identical(result)


@pytest.mark.parametrize("engine", ["full", "reduced", "events"])
def test_a_rerun_gives_the_same_bits(engine):
    run = rb.simulate(
        rb.rules.Shifted.known(rb.rules.Normalised(rb.rules.Perceptron()), 1.0),
        rb.schedules.Power(1.0, 0.5, 1.0),
        rb.teachers.Sign(0.1),
        rb.streams.Gaussian(2.0, 1.0),
        dim=10,
        alpha=[0, 3],
        replicas=3,
        seed=5,
        start=rb.starts.Hebbian(2.0),
        engine=engine,
    )
    assert rb.rerun(run, workers=1).identical(run)


def halving(clock):
    return 0.5


def test_a_function_of_ones_own_is_passed_by_name():
    run = rb.simulate(rb.rules.Hebb(), halving, dim=10, alpha=3)
    assert rb.rerun(run, parts={"halving": halving}).identical(run)
    with pytest.raises(ValueError, match=r"pass it as parts=\{'halving'"):
        rb.rerun(run)
