from rosenblatt.core import Part, starts
from rosenblatt.specification.codec import name_of, parts


def test_every_name_leads_back_to_its_part():
    for name, kind in parts().items():
        assert name_of(kind) == name
        assert issubclass(kind, Part) or not name.startswith("rules.Perc")
    assert parts()["starts.Random"] is starts.Random
