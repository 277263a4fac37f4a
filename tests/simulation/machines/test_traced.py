import math
import subprocess
import sys

import jax.numpy as jnp
import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.machines import Ball, Differentiated, Parity, SoftCommittee
from rosenblatt.specification.parts import RefusalError
from rosenblatt.streams import Normal, Sampled, Uniform
from tests.conformance.test_parts import disc

SLOW = rb.schedules.Power(4.0, 1.0, 10.0)


def inside(s, w):
    return 1 - jnp.sum((s - w) ** 2)


def product(s, w):
    return jnp.prod(jnp.sum((s * w).reshape(2, 3), axis=1))


def committee(s, w):
    return jnp.sum(jnp.tanh(w.reshape(3, 5) @ s))


def logarithm(s, w):
    return jnp.log(w[0] + 0.5 - jnp.abs(s[0])) - w[0]


CASES = {
    "disc": (Ball(), Differentiated(inside, 2, 2), Sampled(2, disc)),
    "parity": (Parity(2, 3), Differentiated(product, 6, 6, 2), Uniform(6)),
    "committee": (SoftCommittee(3, 5), Differentiated(committee, 5, 15, 3), Normal(5)),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_inputs_labels_and_tests_give_the_same_students(case):
    """Equal but for rounding, which learning does not amplify."""
    ours, theirs, stream = CASES[case]
    target = np.random.default_rng(0).standard_normal(ours.parameters) * 0.5
    given = {
        "examples": [0, 1, 255, 256, 257, 800],
        "noise": 0.1,
        "replicas": 70,
        "tests": 300,
    }
    a = rb.simulate_machine(ours, SLOW, target, stream, **given)
    b = rb.simulate_machine(theirs, SLOW, target, stream, **given)
    np.testing.assert_allclose(b.weights, a.weights, atol=1e-10)
    assert np.array_equal(b.mistakes, a.mistakes)
    if not a.attrs["exact"]:
        assert np.array_equal(b.error, a.error)
    assert b.attrs["exact"] == 0


def test_any_number_of_workers_and_replicas_gives_the_same_bits():
    machine, target = Differentiated(committee, 5, 15, 3), np.arange(15.0)
    runs = [
        rb.simulate_machine(
            machine, SLOW, target, examples=[7, 500], replicas=n, workers=w, tests=200
        )
        for n, w in ((130, 1), (130, 3), (10, 2))
    ]
    assert runs[0].identical(runs[1])
    for name in ("weights", "error", "mistakes"):
        assert np.array_equal(runs[0][name].values[:10], runs[2][name].values)


def test_a_schedule_of_mistakes_is_refused():
    with pytest.raises(RefusalError, match=r"PerMistake.* depends on the number of mi"):
        rb.simulate_machine(
            Differentiated(inside, 2, 2),
            rb.schedules.PerMistake(),
            [0.0, 0.0],
            examples=10,
        )


def late_nan(clock):
    return math.nan if clock.time >= 300 else 0.1


def test_numbers_that_are_not_finite_name_replica_and_example():
    given = {"examples": 1000, "replicas": 3, "target": [0.0, 0.0], "workers": 1}
    found = []
    for machine in (Ball(), Differentiated(inside, 2, 2)):
        with pytest.raises(
            ArithmeticError, match="in replica 0 at example 3"
        ) as caught:
            rb.simulate_machine(machine, late_nan, **given)
        found.append(str(caught.value).split(" in replica")[1])
    assert found[0] == found[1]
    with pytest.raises(ArithmeticError, match=r"in replica 0 at example \d+: f = nan"):
        rb.simulate_machine(
            Differentiated(logarithm, 1, 1), SLOW, [2.0], start=[1.0], examples=1000
        )


SCRIPT = """
import sys
import rosenblatt as rb
constant = rb.schedules.Constant()
machine = rb.machines.Differentiated(lambda s, w: s[0] - w[0], 1, 1)
rb.simulate_machine(rb.machines.Threshold(), constant, [0.0], examples=5)
print("jax" in sys.modules)
sys.modules["jax"] = None  # as if it were not installed
for _ in range(2):
    try:
        rb.simulate_machine(machine, constant, [0.0], examples=5)
    except ImportError as failure:
        print(failure)
"""


def test_jax_is_imported_when_it_is_needed_and_only_then():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    message = "a differentiated machine needs jax: install the extra rosenblatt[jax]"
    assert done.stdout.splitlines() == ["False", message, message]


def test_settings_of_jax_stay_as_they_are():
    before = jnp.ones(2).dtype
    rb.simulate_machine(Differentiated(inside, 2, 2), SLOW, [0.0, 0.0], examples=5)
    assert jnp.ones(2).dtype == before == np.float32
