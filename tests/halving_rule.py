"""A rule that ``rosenblatt lab --rule tests/halving_rule.py:Halving`` offers."""

from dataclasses import dataclass

from rosenblatt.core import Rule, Update


@dataclass(frozen=True)
class Halving(Rule):
    """Correct mistakes by half as much."""

    def bind(self):
        """Return the step."""

        def step(p):
            wrong = p.label * p.field <= 0.0
            return Update(gain=0.5 * p.rate * p.label if wrong else 0.0, decay=0.0)

        return step
