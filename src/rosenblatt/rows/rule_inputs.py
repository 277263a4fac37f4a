"""Inputs that a rule reads: engines leave out all others."""

from __future__ import annotations

import itertools
import math

from rosenblatt.compiling import storage
from rosenblatt.compiling.jit import compiled, remembered
from rosenblatt.core.vocabulary import Percept, Rule

__all__ = ["reads_lengths"]

# Both sides of the boundary, inside and outside of any margin, and on it.
_FIELDS = (-1e9, -3.0, -0.1, 0.0, 0.1, 3.0, 1e9)


@remembered
def reads_lengths(rule: Rule) -> bool:
    """Return whether the update depends on the lengths of input and weights.

    The rule is tried with lengths that are no numbers: whoever reads them answers with
    what is none, or in another way. That is no proof for a rule with branches that the
    trials miss, so it is believed of this package's own rules only.

    Examples
    --------
    >>> from rosenblatt.rules import PassiveAggressive, Perceptron
    >>> reads_lengths(Perceptron(margin=0.5)), reads_lengths(PassiveAggressive())
    (False, True)
    """
    if storage.name_of(rule) is None:
        return True
    step = compiled(rule)
    for field, label in itertools.product(_FIELDS, (-1.0, 1.0)):
        found = [
            step(Percept(field, label, q, x2, 0.5, 10.0, 0.0))
            for q, x2 in ((1.0, 1.0), (math.nan, 1.0), (1.0, math.nan), (0.1, 7.0))
        ]
        if any(tuple(other) != tuple(found[0]) for other in found):
            return True
    return False
