import pytest

import rosenblatt as rb
from rosenblatt.specification.codec import function, kebab, maker, names, possible


def test_names_of_classes_are_written_with_hyphens():
    assert kebab("PassiveAggressive") == "passive-aggressive"
    assert "per-mistake" in names(rb.core.Schedule)
    assert set(names(rb.core.Schedule)).isdisjoint(names(rb.core.Rule))


@pytest.mark.parametrize("name", ["per-mistake", "PerMistake", "per_mistake"])
def test_a_class_is_found_by_any_spelling_of_its_name(name):
    assert maker("schedule", (rb.core.Schedule,), None, name) is rb.schedules.PerMistake


def test_an_unknown_name_is_answered_by_the_possible_ones():
    with pytest.raises(ValueError, match=r"no schedule 'hourly'; possible: .*constant"):
        maker("schedule", (rb.core.Schedule,), None, "hourly")
    assert possible([]) == "possible: none"


def test_functions_come_from_a_users_file(tmp_path):
    file = tmp_path / "own_function.py"
    file.write_text("def slow(clock):\n    return 0.1\n")
    assert function(str(file), "slow")(None) == 0.1
    with pytest.raises(ValueError, match="has no function 'fast'; possible: slow"):
        function(str(file), "fast")
