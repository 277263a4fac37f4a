"""Combinators around a rule: shifted, with decay, normalised."""

from __future__ import annotations

from enum import StrEnum

import rosenblatt as rb

__all__ = ["Shift", "combined"]


class Shift(StrEnum):
    """The kinds of shift of a rule."""

    average = "average"
    field = "field"
    known = "known"


def combined(
    rule: rb.core.Rule | rb.core.BeliefRule,
    stream: rb.core.Stream,
    *,
    shifted: Shift | None,
    decay: float | None,
    normalised: bool,
    opening: float = 20.0,
) -> rb.core.Rule | rb.core.BeliefRule:
    """Return the rule shifted, then with decay, then normalised: that is the order.

    Examples
    --------
    >>> combined(rb.rules.Hebb(), rb.streams.Gaussian(), shifted=None, decay=0.5,
    ...     normalised=True)
    Normalised(rule=Decay(rule=Hebb(), strength=0.5))
    """
    if isinstance(rule, rb.core.BeliefRule):
        if shifted is not None or decay is not None or normalised:
            raise ValueError(
                f"shifted, decay and normalised cannot go with {rule!r}, which keeps a "
                "belief about every weight"
            )
        return rule
    if shifted is Shift.average:
        rule = rb.rules.Shifted(rule, opening=opening)
    elif shifted is Shift.field:
        along = rb.rules.AverageShift(uniform=False)
        rule = rb.rules.Shifted(rule, along, opening)
    elif shifted is Shift.known:
        if not isinstance(stream, rb.core.GaussianStream):
            raise ValueError("the known shift needs a stream of Gaussian inputs")
        rule = rb.rules.Shifted.known(rule, overlap=stream.center[0], opening=opening)
    if decay is not None:
        rule = rb.rules.Decay(rule, decay)
    return rb.rules.Normalised(rule) if normalised else rule
