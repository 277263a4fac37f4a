"""Theory for N to infinity, from the same functions that the engines run.

``ode`` has learning curves, from the averages of ``drift``; ``online``, ``replica`` and
``binary_batch`` what Bayesian learners reach; ``closed`` closed forms; ``drifting``
teachers that move. Everything above may import it; it imports parts and below.
"""

from rosenblatt.theory import closed
from rosenblatt.theory.best_rate import best_rate
from rosenblatt.theory.best_schedule import best_schedule
from rosenblatt.theory.binary_batch import (
    BinaryTransitions,
    binary_branches,
    binary_transitions,
)
from rosenblatt.theory.boundary import Boundary, boundary
from rosenblatt.theory.calibration import Promise, calibration, promise
from rosenblatt.theory.control import BestSchedule
from rosenblatt.theory.drifting.best_constant import (
    BestConstant,
    best_constant_rate,
    best_decay,
)
from rosenblatt.theory.drifting.half_life import best_half_life
from rosenblatt.theory.drifting.stationary import Stationary, stationary
from rosenblatt.theory.ode import solve
from rosenblatt.theory.online import critical_alpha, online_asymptote, solve_online
from rosenblatt.theory.replica import BatchAsymptote, batch_asymptote, solve_batch

__all__ = [
    "BatchAsymptote",
    "BestConstant",
    "BestSchedule",
    "BinaryTransitions",
    "Boundary",
    "Promise",
    "Stationary",
    "batch_asymptote",
    "best_constant_rate",
    "best_decay",
    "best_half_life",
    "best_rate",
    "best_schedule",
    "binary_branches",
    "binary_transitions",
    "boundary",
    "calibration",
    "closed",
    "critical_alpha",
    "online_asymptote",
    "promise",
    "solve",
    "solve_batch",
    "solve_online",
    "stationary",
]
