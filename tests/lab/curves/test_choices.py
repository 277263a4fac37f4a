import inspect

import pytest

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Rule, Schedule
from rosenblatt.lab.curves.choices import choices, names, replaced
from rosenblatt.specification.codec import parse


def test_all_rules_of_the_package_can_be_chosen():
    found = {
        made
        for made in (getattr(rb.rules, name) for name in rb.rules.__all__)
        if inspect.isclass(made) and issubclass(made, Rule | BeliefRule)
    }
    around = {rb.rules.Decay, rb.rules.Normalised, rb.rules.Shifted}
    offered = {type(parse(Rule, name, BeliefRule)) for name in names(Rule)}
    assert offered == found - around


@pytest.mark.parametrize("kind", [Rule, Schedule])
def test_each_parameter_can_be_changed(kind):
    for name in names(kind):
        part = parse(kind, name, BeliefRule)
        for choice in choices(part):
            if choice.options:
                for option in choice.options:
                    other = replaced(part, choice.path, option)
                    texts = {c.path: c.text for c in choices(other)}
                    assert texts[choice.path] == option
            else:
                other = replaced(part, choice.path, "0.25")
                texts = {c.path: c.text for c in choices(other)}
                assert texts[choice.path] == "0.25"


def test_parameters_of_inner_parts_are_offered():
    part = replaced(rb.rules.Delta(), ("activation",), "tanh")
    assert replaced(part, ("activation", "gain"), "2") == rb.rules.Delta(
        rb.rules.Tanh(gain=2.0)
    )


def test_a_bad_value_is_an_error_and_changes_nothing():
    part = rb.rules.Perceptron()
    for text in ("x", "-1", "", "nan"):
        with pytest.raises((ValueError, TypeError)):
            replaced(part, ("margin",), text)
    with pytest.raises(ValueError, match="there is no activation"):
        replaced(rb.rules.Delta(), ("activation",), "os.system")
