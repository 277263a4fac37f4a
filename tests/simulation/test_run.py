import numpy as np
import pytest

from rosenblatt.simulation.run import EXACT, Run

SETTINGS = {"replicas": 3, "seed": 5, "workers": None, "progress": None}


def test_marks_are_rounded_examples_per_weight():
    run = Run.at_alpha([0, 0.24, 2], 10, **SETTINGS)
    assert run.marks.tolist() == [0, 2, 20]
    assert run.alpha.tolist() == [0.0, 0.24, 2.0]


def test_whole_floats_count_as_numbers():
    run = Run.at_examples([1e3], **{**SETTINGS, "replicas": 2.0})
    assert run.marks.tolist() == [1000]
    assert run.replicas == 2
    assert isinstance(run.replicas, int)


@pytest.mark.parametrize("bad", [0.5, 2.0**54])
def test_examples_must_be_whole_numbers_that_floats_tell_apart(bad):
    with pytest.raises(ValueError, match="whole numbers up to 2"):
        Run.at_examples(bad, **SETTINGS)


def test_the_number_of_examples_is_limited():
    with pytest.raises(ValueError, match="must not exceed"):
        Run.at_alpha(EXACT, 2, **SETTINGS)
    with pytest.raises(ValueError, match="dim must be at most"):
        Run.at_alpha(0, 1e308, **SETTINGS)


def test_the_number_of_recorded_states_is_limited():
    with pytest.raises(ValueError, match=f"at most {2**27} for 2 .* got {2**70}"):
        Run.at_examples([1, 2], **{**SETTINGS, "replicas": 2**70})


@pytest.mark.parametrize(
    ("name", "bad"), [("replicas", 0), ("seed", -1), ("workers", 0), ("progress", 1)]
)
def test_bad_settings_are_named(name, bad):
    with pytest.raises((ValueError, TypeError), match=f"{name} must be"):
        Run.at_examples(10, **{**SETTINGS, name: bad})


def test_random_numbers_of_a_replica_do_not_depend_on_the_others():
    run = Run.at_examples(10, **SETTINGS)
    np.testing.assert_array_equal(
        run.generators(range(2), 4)[1], run.generators(range(1, 2), 4)[0]
    )
    first, again = (run.seeds(1)[0].random() for _ in range(2))
    assert first == again
    assert first != run.seeds(0)[0].random()
