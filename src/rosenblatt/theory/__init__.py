"""Theory for N to infinity, from the same functions that the engines run."""

from rosenblatt.theory import closed
from rosenblatt.theory.best_rate import best_rate
from rosenblatt.theory.boundary import Boundary, boundary
from rosenblatt.theory.ode import solve
from rosenblatt.theory.replica import BatchAsymptote, batch_asymptote, solve_batch

__all__ = [
    "BatchAsymptote",
    "Boundary",
    "batch_asymptote",
    "best_rate",
    "boundary",
    "closed",
    "solve",
    "solve_batch",
]
