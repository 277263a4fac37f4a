import pytest

from rosenblatt import papers
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.paper import Paper


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
    for figure in module.PAPER.figures:
        function = getattr(module, figure.build.__name__)
        assert function is figure.build
        assert f":func:`{function.__name__}`" in module.__doc__
