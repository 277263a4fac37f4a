"""Simulation of on-line learning of thresholded smooth functions.

``engine`` has the public function, ``task`` its checked arguments. ``compiled`` runs
machines that numba compiles, ``traced`` those that JAX differentiates. Others import it
from ``simulation``.
"""
