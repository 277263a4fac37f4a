"""The simulation engines by name: ``full``, ``reduced``, ``events``, ``coordinate``.

:func:`rosenblatt.simulate` takes the fastest of them that is exact for the parts. Here
each is a function with the same arguments.
"""

from functools import partial

from rosenblatt.simulation.simulate import simulate

__all__ = ["coordinate", "events", "full", "reduced"]

coordinate = partial(simulate, engine="coordinate")
events = partial(simulate, engine="events")
full = partial(simulate, engine="full")
reduced = partial(simulate, engine="reduced")
