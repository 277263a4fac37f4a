import math

import pytest

from rosenblatt.report.page import in_order, locations, position, section
from rosenblatt.report.running import available


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


OUTLINE = (
    "abstract, section 1, section 2, section 2.1, eqs. (1) to (3), figure 1, section 3"
)


@pytest.mark.parametrize("paper", available(), ids=lambda paper: paper.key)
def test_every_item_has_a_place_in_the_outline_of_its_paper(paper):
    unknown = [
        item.where
        for item in paper.items()
        if not math.isfinite(position(item.where, paper.outline))
    ]
    assert unknown == []


def test_readers_come_to_things_in_this_order():
    wanted = [
        "abstract and section 3",
        "section 2",
        "section 2.1, text",
        "text before eq. (2)",
        "eqs. (2) and (3)",
        "text after eq. (2)",
        "section 2.1, eq. (3)",
        "section 2.1, after figure 1",
        "section 2, last paragraph",
        "section 3",
        "last paragraph of section 3",
        "nowhere",
    ]
    mixed = [(where, where) for where in (*wanted[1::2], *wanted[::2])]
    assert in_order(mixed, OUTLINE) == wanted


def test_without_an_outline_the_order_stays():
    assert in_order([("section 2", "b"), ("section 1", "a")], "") == ["b", "a"]


def test_sections_are_headings():
    assert section("eq. (1)", OUTLINE) == "Section 2.1"
    assert section("abstract", OUTLINE) == "Abstract"
    assert section("section 2.1, end", OUTLINE) == "Section 2.1"
    assert section("nowhere", OUTLINE) == ""
