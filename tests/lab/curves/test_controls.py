import pytest

from rosenblatt.lab.curves.controls import Controls
from rosenblatt.lab.curves.presets import PRESETS
from rosenblatt.lab.state import State


class Page:
    def __init__(self, state=None):
        self.states, self.complaints = [], []
        self.controls = Controls(
            state or State(), self.states.append, self.complaints.append
        )


def test_a_change_gives_a_new_state():
    page = Page()
    page.controls.numbers["dim"].value = "50"
    page.controls.parts["rule"].value = "hebb"
    assert [state.dim for state in page.states] == [50, 50]
    assert page.states[-1].rule == "hebb"


def test_a_wrong_input_is_explained_and_the_old_one_shown():
    page = Page()
    page.controls.numbers["dim"].value = "many"
    assert page.states == []
    assert page.complaints == ["weights N: must be a number, got 'many'"]
    assert page.controls.numbers["dim"].value == "1000"


@pytest.mark.parametrize("name", ["barkai1995/fig2", "winther1997/fig1"])
def test_a_preset_sets_all_controls(name):
    page = Page()
    page.controls.preset.value = name
    wanted = PRESETS[name].state
    assert page.states == [wanted]
    assert page.controls.numbers["noise"].value == wanted.noise
    assert page.controls.axes.value == wanted.axes


def test_a_rule_that_keeps_a_belief_has_no_rate_and_no_length():
    page = Page()
    page.controls.parts["rule"].value = "binary-bayes"
    assert page.states[-1].schedule == "constant"
    assert not page.states[-1].normalised
    assert page.controls.decay.disabled


def test_a_slider_and_its_number_move_together():
    page = Page()
    slider = page.controls.sliders["noise"]
    page.controls.numbers["noise"].value = 0.2
    assert slider.value == 0.2
    slider.trigger("value_throttled", 0.2, 0.1)
    assert page.states[-1].noise == 0.1
    assert page.controls.numbers["noise"].value == 0.1
