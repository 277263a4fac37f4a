"""Simulation in NumPy, vectorised over replicas: a peer of ``rb.simulate``."""

from __future__ import annotations

import time

import numpy as np


def numpy_simulation(
    replicas: int, dim: int, examples: int, overlap: float, seed: int = 0
) -> float:
    """Return the seconds that normalised perceptrons take for so many examples.

    They start at this overlap with the teacher and have the rate 1.
    """
    rng = np.random.default_rng(seed)
    teacher = np.zeros(dim)
    teacher[0] = np.sqrt(dim)
    w = rng.standard_normal((replicas, dim))
    w[:, 0] = 0.0
    w *= np.sqrt(dim * (1 - overlap**2)) / np.linalg.norm(w, axis=1)[:, None]
    w += overlap * teacher
    began = time.perf_counter()
    for _ in range(examples):
        x = rng.standard_normal((replicas, dim))
        x /= np.sqrt(dim)
        h = np.einsum("ij,ij->i", w, x)
        y = np.sign(x @ teacher)
        wrong = h * y <= 0
        w[wrong] += y[wrong][:, None] * x[wrong]
        w[wrong] *= np.sqrt(dim) / np.linalg.norm(w[wrong], axis=1)[:, None]
    return time.perf_counter() - began
