import pytest

from rosenblatt import papers
from rosenblatt.report.running import available, select


def ids(chosen):
    return [item.id for paper in chosen for item in paper.items()]


def test_all_papers_are_found():
    assert [paper.key for paper in available()] == sorted(papers.__all__)


def test_nothing_asked_for_is_everything(paper):
    assert select([], [paper]) == (paper,)


def test_a_key_chooses_a_whole_paper(paper):
    assert select(["minsky1969"], [paper]) == (paper,)
    assert select(["minsky1969/"], [paper]) == (paper,)


def test_a_prefix_ends_at_a_slash(paper):
    assert ids(select(["minsky1969/fig1"], [paper])) == [
        "minsky1969/fig1",
        "minsky1969/fig1/right",
        "minsky1969/fig1/misprinted",
    ]


def test_an_id_chooses_one_item(paper):
    name = "minsky1969/erratum/eq1"
    assert ids(select([name], [paper])) == [name]


def test_several_targets_add_up_without_repetition(paper):
    chosen = select(["minsky1969/fig1/right", "minsky1969/fig1/right"], [paper])
    assert ids(chosen) == ["minsky1969/fig1/right"]


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
