"""A claim to be changed by tests."""

from rosenblatt.papers.claims import Claim, Measurement


def claim(measure=lambda quick: Measurement(1.0, 0.01), **changes):
    fields = {
        "id": "rosenblatt1958/x",
        "where": "here",
        "statement": "x is 1",
        "published": 1.0,
        "expected": 1.0,
    }
    return Claim(measure=measure, **(fields | changes))
