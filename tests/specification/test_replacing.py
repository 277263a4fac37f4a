import pytest

import rosenblatt as rb
from rosenblatt.specification.codec import replace

SHIFTED = rb.rules.Shifted(rb.rules.Perceptron(0.5), rb.rules.FixedShift(1.0, 0.25))


def test_a_field_of_a_part_inside_is_replaced_and_nothing_else():
    found = replace(SHIFTED, "rule.margin", 2.0)
    assert found.rule == rb.rules.Perceptron(2.0)
    assert (found.by, found.opening) == (SHIFTED.by, SHIFTED.opening)
    assert SHIFTED.rule.margin == 0.5


def test_texts_are_read_as_in_commands():
    assert replace(SHIFTED, "rule.margin", "1e-1").rule.margin == 0.1
    assert replace(SHIFTED, "rule", "perceptron:margin=3").rule.margin == 3.0
    assert replace(SHIFTED, "by.teacher", "0.5").by.teacher == 0.5


@pytest.mark.parametrize(
    ("path", "given", "match"),
    [
        ("rate", 1.0, "shifted has no parameter 'rate'; possible: rule, by, opening"),
        ("rule.rate", 1.0, "perceptron has no parameter 'rate'; possible: margin"),
        ("rule.margin", -1.0, "'Perceptron' cannot be made: margin must"),
        ("rule.margin", True, "margin of the part 'Perceptron' must be of type float"),
        ("rule", 3, "rule of the part 'Shifted' must be of type Rule, got 3"),
        ("rule", "mine.py:Rule", "rule must be one of rosenblatt here"),
        ("rule", "oracle", "there is no rule 'oracle'"),
    ],
)
def test_other_fields_and_values_are_refused(path, given, match):
    with pytest.raises(ValueError, match=match) as refused:
        replace(SHIFTED, path, given)
    assert "\n" not in str(refused.value)
