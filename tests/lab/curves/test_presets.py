import math

import pytest

from rosenblatt.lab.curves.presets import OWN, PRESETS, name_of, options, preset_of
from rosenblatt.lab.jobs.experiment import check, experiment
from rosenblatt.lab.jobs.work import PAPERS
from rosenblatt.lab.state import State


def test_every_figure_of_every_paper_can_be_chosen():
    groups = options()
    for paper in PAPERS:
        offered = {value for value, _ in groups[paper.key]}
        assert {f"figure:{one.id}" for one in paper.figures} <= offered
    names = [value for group in groups.values() for value, _ in group]
    assert len(set(names)) == len(names)
    labels = [label for group in groups.values() for _, label in group]
    assert len(set(labels)) == len(labels)
    assert all(preset_of(name).state for name in names if name != OWN)


@pytest.mark.parametrize("name", PRESETS)
def test_live_presets_are_known_by_their_state_and_not_too_long(name):
    state = PRESETS[name].state
    assert name_of(state) == name
    check(state, experiment(state))


def test_scales_are_those_of_the_papers():
    """The best rate, and eq. (18) of barkai1995 with eta0 = 2 at q0 = -1.95."""
    best = f"power:scale={2 * math.sqrt(2 * math.pi):.6g}"
    assert PRESETS["barkai1995/fig1"].state.schedule == best
    scale = 2 * math.sqrt(math.pi / 2) * math.exp(1.95**2 / 2)
    known = PRESETS["barkai1995/fig2-known"].state
    assert (known.schedule, known.overlap) == (f"power:scale={scale:.6g}", -1.95)


def test_other_states_are_the_visitors_own():
    assert name_of(State(seed=77)) == OWN
    with pytest.raises(ValueError, match="there is no preset"):
        preset_of("os.system")


def test_what_controls_can_say_is_live():
    """Clipped Hebb, classes and gradient descent are not; they are shown as data."""
    live = {name.partition("/")[0] for name in PRESETS}
    assert live == {"barkai1995", "saad1995", "vicente1998", "winther1997"}
