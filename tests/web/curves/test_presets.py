import pytest

from rosenblatt.web.curves.presets import OWN, PRESETS, name_of, options, preset_of
from rosenblatt.web.jobs.experiment import check, experiment
from rosenblatt.web.jobs.work import PAPERS
from rosenblatt.web.state import State


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


def test_other_states_are_the_visitors_own():
    assert name_of(State(seed=77)) == OWN
    with pytest.raises(ValueError, match="there is no preset"):
        preset_of("os.system")


def test_what_controls_can_say_is_live():
    """Clipped Hebb, classes and gradient descent are not; they are shown as data."""
    live = {name.partition("/")[0] for name in PRESETS}
    assert live == {"barkai1995", "saad1995", "vicente1998", "winther1997"}
