import pytest

from rosenblatt.core import Part, starts
from rosenblatt.rules import Perceptron
from rosenblatt.specification.names import modern, name_of, parts


def test_every_name_leads_back_to_its_part():
    for name, kind in parts().items():
        assert name_of(kind) == name
        assert issubclass(kind, Part) or not name.startswith("rules.Perc")
    assert parts()["starts.Random"] is starts.Random


@pytest.mark.parametrize("path", ["os:system", "rosenblatt.rules.perceptron:Missing"])
def test_old_paths_of_anything_else_have_no_name(path):
    assert modern(path) is None


def test_old_paths_have_the_names_of_today():
    assert parts()[modern("rosenblatt.rules.perceptron:Perceptron")] is Perceptron
