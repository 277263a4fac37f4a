"""Vector instructions, generated with llvmlite: registers, lanes, loops, packed bits.

Loops over bits, rows and features are made of these pieces: ``bits``, ``rows``,
``filters``, ``networks`` and ``tables`` import them.
"""
