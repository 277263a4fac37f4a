import pytest

from rosenblatt import papers
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.paper import Figure, Paper, collected


def claim(name):
    return Claim(
        id=name,
        where="here",
        statement="x is 1",
        published=1.0,
        expected=1.0,
        measure=lambda quick: Measurement(1.0, 0.0),
    )


def test_ids_must_belong_to_the_paper():
    with pytest.raises(ValueError, match="begin with 'rosenblatt1958/'"):
        Paper(key="rosenblatt1958", citation="", claims=(claim("minsky1969/x"),))


def test_ids_must_differ():
    twice = (claim("rosenblatt1958/x"), claim("rosenblatt1958/x"))
    with pytest.raises(ValueError, match="must differ"):
        Paper(key="rosenblatt1958", citation="", claims=twice)


@pytest.mark.parametrize("name", papers.__all__)
def test_every_paper_says_what_it_reproduces(name):
    module = getattr(papers, name)
    assert module.PAPER.key == name
    assert module.PAPER.claims == module.CLAIMS
    assert module.PAPER.errata == module.ERRATA
    assert " ".join(module.__doc__.split()).count(module.PAPER.citation) == 1
    public = {name: getattr(module, name) for name in module.__all__}
    figures = {name: one for name, one in public.items() if isinstance(one, Figure)}
    assert sorted(one.id for one in figures.values()) == sorted(
        figure.id for figure in module.PAPER.figures
    )
    for figure in figures:
        assert f":func:`{figure}`" in module.__doc__


def test_items_are_collected_by_kind_each_in_its_order():
    drawn = [Figure(f"rosenblatt1958/fig{k}", "", lambda *, quick: None) for k in "12"]
    said = [claim("rosenblatt1958/b"), claim("rosenblatt1958/a")]
    mixed = (said[0], drawn[0], said[1], drawn[1])
    found = collected("rosenblatt1958", "Title.\n\nF.\nRosenblatt.\n\nMore.", "", mixed)
    assert found.citation == "F. Rosenblatt."
    assert found.claims == tuple(said)
    assert found.figures == tuple(drawn)
    assert found.errata == found.tables == ()
