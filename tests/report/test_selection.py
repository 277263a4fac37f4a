import pytest

from rosenblatt import papers
from rosenblatt.report.running import available, select


def ids(chosen):
    return [item.id for paper in chosen for item in paper.items()]


def test_all_papers_are_found():
    assert [paper.key for paper in available()] == sorted(papers.__all__)


@pytest.mark.parametrize("targets", [[], ["minsky1969"], ["minsky1969/"]])
def test_nothing_asked_for_or_its_key_is_the_whole_paper(paper, targets):
    assert select(targets, [paper]) == (paper,)


@pytest.mark.parametrize(
    ("targets", "chosen"),
    [
        (["fig1"], ["fig1", "fig1/right", "fig1/misprinted"]),  # and not fig10
        (["erratum/eq1"], ["erratum/eq1"]),
        (["fig1/right", "fig1/right"], ["fig1/right"]),
    ],
)
def test_ids_and_their_beginnings_choose_items(paper, targets, chosen):
    found = select([f"minsky1969/{name}" for name in targets], [paper])
    assert ids(found) == [f"minsky1969/{name}" for name in chosen]


@pytest.mark.parametrize(
    ("target", "listed"),
    [
        ("", "minsky1969"),
        ("minsky", "minsky1969"),
        ("x/fig1", "minsky1969"),
        ("minsky1969/fig", "fig1"),
        ("minsky1969/fig1/left", "right"),
    ],
)
def test_an_unknown_target_lists_what_is_possible_there(paper, target, listed):
    with pytest.raises(ValueError, match="there is no target") as failure:
        select(["minsky1969", target], [paper])
    words = str(failure.value)
    assert repr(target) in words
    assert listed in words.partition(": ")[2].split(", ")


def test_what_is_said_of_an_unknown_target_fits_on_a_screen():
    for target in ("nosuch", "barkai1995/nosuch", "golea1993/fgi2a"):
        with pytest.raises(ValueError, match="there is no target") as failure:
            select([target])
        assert len(str(failure.value)) < 10 * 80
    assert " under golea1993/: " in str(failure.value)


def test_exhibits_can_be_left_out(paper):
    chosen = select([], [paper], exhibits=False)
    assert len(ids(chosen)) == 5
    with pytest.raises(ValueError, match="there is no target"):
        select(["minsky1969/fig2"], [paper], exhibits=False)
