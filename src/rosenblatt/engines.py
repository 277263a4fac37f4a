"""The simulation engines by name: ``full``, ``reduced``, ``events``, ``coordinate``.

:func:`rosenblatt.simulate` takes the fastest of them that is exact for the parts.
"""

from rosenblatt.simulation import ENGINES, coordinate, events, full, reduced

__all__ = ["ENGINES", "coordinate", "events", "full", "reduced"]
