"""Vector instructions, generated with llvmlite: registers, lanes, loops, packed bits.

Loops over bits, rows and features are made of these pieces: ``bits``, ``rows``,
``bayes``, ``committees`` and ``tables`` import them.
"""
