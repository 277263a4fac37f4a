"""Claims on the symmetric plateau, and what the report says of them."""

from rosenblatt.papers.saad1995 import plateau, rectified


def test_statements_name_the_quantity_that_is_claimed():
    by_id = {one.id: one.statement for one in (*plateau.CLAIMS, *rectified.CLAIMS)}
    assert by_id["saad1995/plateau/alike-3"] == (
        "The overlap C of two students on the symmetric plateau of K = M = 3 units, "
        "for small rates."
    )
    assert by_id["saad1995/rectified/length"].startswith("The squared length Q of a ")
    assert all(statement[0].isupper() for statement in by_id.values())
