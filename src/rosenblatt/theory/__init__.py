"""Theory for N to infinity, from the same functions that the engines run.

``ode`` has learning curves, from the averages of ``drift``; ``stationary`` and
``control`` the best rates; ``bayesian`` and ``calibration`` what Bayesian learners
reach; ``closed`` closed forms. ``posterior`` is
for given examples. Everything above may import it; it imports parts and below.
"""

from rosenblatt.theory import closed
from rosenblatt.theory.bayesian import (
    BatchAsymptote,
    batch_asymptote,
    critical_alpha,
    online_asymptote,
    solve_batch,
    solve_online,
)
from rosenblatt.theory.calibration import calibration
from rosenblatt.theory.control import BestSchedule, best_schedule
from rosenblatt.theory.ode import solve
from rosenblatt.theory.posterior import BatchPosterior, batch_posterior
from rosenblatt.theory.stationary import (
    BestConstant,
    Stationary,
    best_constant_rate,
    best_decay,
    best_half_life,
    best_rate,
    stationary,
)

__all__ = [
    "BatchAsymptote",
    "BatchPosterior",
    "BestConstant",
    "BestSchedule",
    "Stationary",
    "batch_asymptote",
    "batch_posterior",
    "best_constant_rate",
    "best_decay",
    "best_half_life",
    "best_rate",
    "best_schedule",
    "calibration",
    "closed",
    "critical_alpha",
    "online_asymptote",
    "solve",
    "solve_batch",
    "solve_online",
    "stationary",
]
