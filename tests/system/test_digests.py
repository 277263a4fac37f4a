from rosenblatt.system.digests import SIZE, joined


def test_digests_depend_on_pieces_and_their_borders():
    found = {joined(*pieces) for pieces in ([], [b""], [b"ab"], [b"a", b"b"], [b"ba"])}
    assert len(found) == 5
    assert {len(digest) for digest in found} == {SIZE}


def test_digests_are_the_same_in_every_version():
    assert joined(b"a", b"b").hex() == "6a93c5780b9861cdd8d2761a748d9591"
