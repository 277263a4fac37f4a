"""Numerical functions for kernels: random numbers, evidence, special functions.

All folders above may import it; it imports ``core`` and ``compiling`` only.
"""
