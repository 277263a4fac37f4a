import pytest

from rosenblatt.report.page.locations import index, locations
from rosenblatt.report.selection import available


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("figure 1 and text after eq. (6)", [("figure", "1"), ("eq", "6")]),
        ("eqs. (6), (10), (11)", [("eq", "6"), ("eq", "10"), ("eq", "11")]),
        ("sections 1 and 5", [("section", "1"), ("section", "5")]),
        ("section 4.1, after figure 2b", [("section", "4.1"), ("figure", "2b")]),
        ("eqs. (22) and (24), m even", [("eq", "22"), ("eq", "24")]),
        ("abstract and theorem 1", [("abstract", ""), ("theorem", "1")]),
        ("figure 1, steps 2 to 4", [("figure", "1")]),
        ("page 7", []),
    ],
)
def test_places_are_found_in_words(where, found):
    assert locations(where) == found


def test_numbers_are_in_their_order_and_not_in_that_of_letters():
    entries = [("figure 10", 1), ("figure 2b", 2), ("figure 2a", 3), ("section 5.1", 4)]
    assert index(entries) == [
        ("Sections", [("5.1", [4])]),
        ("Figures", [("2a", [3]), ("2b", [2]), ("10", [1])]),
    ]


def test_all_items_of_the_five_papers_have_a_place():
    for paper in available():
        for item in () if paper.further else paper.items():
            assert locations(item.where), item.id
