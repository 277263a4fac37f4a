"""Encoding of rows as features: the coding of each column, and matrices of features.

``encoder`` describes the encoding, and chooses it from the first batch. ``matrices``
applies it to every batch. ``codings``, ``dates`` and ``hashing`` are for single
columns. Others import it from ``tables``.
"""
