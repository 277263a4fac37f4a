import random
from dataclasses import fields
from urllib.parse import parse_qs

import pytest

from rosenblatt.lab.presets import PRESETS
from rosenblatt.lab.state import State, changed, from_query, query

OTHER = State(
    tab="data",
    rule="passive-aggressive:margin=0.3333333333333333",
    normalised=False,
    decay=0.25,
    shifted="field",
    opening=3.5,
    schedule="power:scale=1e-07,exponent=0.51",
    noise=0.1,
    mean=4.0,
    overlap=-1.95,
    motion="random-walk:strength=0.5",
    dim=123_456_789,
    alpha=0.1 + 0.2,
    replicas=7,
    seed=2**52 + 1,
    axes="linear",
    figure="golea1993/fig3",
    data="drawn",
    learner="bayes",
    order=3,
    points="0.5,1,0;-1,2.25,1",
)


def opened(text):
    """Return what a browser that opens the address gives the server."""
    given = parse_qs(text, keep_blank_values=True, strict_parsing=bool(text))
    assert all(len(values) == 1 for values in given.values())
    return from_query({name: values[0] for name, values in given.items()})


def test_every_choice_differs_in_the_example():
    for field in fields(State):
        assert getattr(OTHER, field.name) != getattr(State(), field.name), field.name


@pytest.mark.parametrize(
    "state", [State(), OTHER, *(p.state for p in PRESETS.values())], ids=str
)
def test_an_address_gives_the_same_state_back(state):
    assert opened(query(state)) == (state, [])


BAD = {
    "tab": ["", "third", "<script>"],
    "rule": ["", "nothing", "os.py:system", "x" * 300, "perceptron:margin=-1"],
    "normalised": ["1", "yes", ""],
    "decay": ["-1", "nan", "inf", "much"],
    "shifted": ["", "average2"],
    "opening": ["-1", "x"],
    "schedule": ["custom", "custom:function=a.py:b", "power:exponent=x"],
    "noise": ["0.6", "-0.1", "nan", "inf", ""],
    "mean": ["-1", "1e9", "1,5"],
    "overlap": ["nan", "1e9"],
    "motion": ["walk", "rotation:speed=-1", "abrupt:times=(2,1)"],
    "dim": ["0", "-5", "1.5", "1e10", "9" * 190, "1e400"],
    "alpha": ["0", "-1", "1e13", "nan"],
    "replicas": ["0", "1001", "many"],
    "seed": ["-1", "1.5", str(2**64)],
    "axes": ["log"],
    "figure": ["x" * 300, "\x00"],
    "data": ["x" * 300],
    "learner": ["x" * 300],
    "order": ["-1"],
    "points": ["1" * 7000],
}


def test_all_choices_are_tried_with_bad_values():
    assert set(BAD) == {field.name for field in fields(State)}


@pytest.mark.parametrize(
    ("name", "text"), [(n, t) for n, ts in BAD.items() for t in ts]
)
def test_a_bad_value_gives_a_message_and_the_default(name, text):
    state, wrong = from_query(
        {name: text, "replicas" if name != "replicas" else "dim": "3"}
    )
    assert getattr(state, name) == getattr(State(), name)
    assert 3 in (state.replicas, state.dim)  # what is right is taken
    (message,) = wrong
    assert message
    with pytest.raises((ValueError, TypeError)):
        changed(State(), **{name: text})


def test_no_garbage_is_ever_an_exception():
    rng = random.Random(8)
    letters = "abcxyz0189.:,;()=-_<>'\"\\\x00\u2603 %&/"
    names = [field.name for field in fields(State)]
    for _ in range(3000):
        text = "".join(rng.choices(letters, k=rng.randrange(30)))
        state, _ = from_query({rng.choice(names): text})
        assert opened(query(state))[0] == state
