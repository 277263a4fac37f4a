"""Theory for N to infinity, from the same functions that the engines run."""

from rosenblatt.theory import closed
from rosenblatt.theory.best_rate import best_rate
from rosenblatt.theory.ode import solve

__all__ = ["best_rate", "closed", "solve"]
