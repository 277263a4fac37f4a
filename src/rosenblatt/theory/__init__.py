"""Theory for N to infinity, from the same functions that the engines run."""

from rosenblatt.theory.ode import solve

__all__ = ["solve"]
