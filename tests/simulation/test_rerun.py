import pytest

import rosenblatt as rb


def test_theory_cannot_be_rerun_as_a_simulation():
    curve = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=1)
    with pytest.raises(ValueError, match=r"must come from rosenblatt\.simulate"):
        rb.rerun(curve)


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


def test_a_result_of_a_committee_says_what_runs_it_again():
    committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    run = rb.committees.simulate(committee, 1.0, dim=9, alpha=1)
    with pytest.raises(ValueError, match=r"take rosenblatt\.networks\.rerun"):
        rb.rerun(run)
