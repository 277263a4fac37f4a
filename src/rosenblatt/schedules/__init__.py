"""Learning-rate schedules: each is one function of the clock.

Each is a frozen dataclass, a ``Schedule`` of ``core``. Everything above may import it;
it imports ``core`` only.
"""

from rosenblatt.core import Clock
from rosenblatt.schedules.constant import Constant
from rosenblatt.schedules.custom import Custom
from rosenblatt.schedules.per_mistake import PerMistake
from rosenblatt.schedules.power import Power

__all__ = ["Clock", "Constant", "Custom", "PerMistake", "Power"]
