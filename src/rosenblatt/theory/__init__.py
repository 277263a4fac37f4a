"""Theory for N to infinity, from the same functions that the engines run."""

from rosenblatt.theory import closed
from rosenblatt.theory.best_rate import best_rate
from rosenblatt.theory.boundary import Boundary, boundary
from rosenblatt.theory.ode import solve

__all__ = ["Boundary", "best_rate", "boundary", "closed", "solve"]
