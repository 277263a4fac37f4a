"""Learning-rate schedules: one file each, one function of the clock each."""

from rosenblatt.core import Clock, Conditions
from rosenblatt.schedules.constant import Constant
from rosenblatt.schedules.custom import Custom
from rosenblatt.schedules.per_mistake import PerMistake
from rosenblatt.schedules.power import Power

__all__ = ["Clock", "Conditions", "Constant", "Custom", "PerMistake", "Power"]
