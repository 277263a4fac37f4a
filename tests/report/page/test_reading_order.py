import math

import pytest

from rosenblatt.report.page.reading_order import in_order, position, section
from rosenblatt.report.selection import available

OUTLINE = (
    "abstract, section 1, section 2, section 2.1, eqs. (1) to (3), figure 1, section 3"
)


FIVE = [paper for paper in available() if not paper.further]


@pytest.mark.parametrize("paper", FIVE, ids=lambda paper: paper.key)
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
