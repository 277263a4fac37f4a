"""Encoding of rows as features: the coding of each column, and matrices of features.

``first_batch`` chooses the encoding, ``encoder`` applies it to every batch, and
``matrices`` has the result. ``codings``, ``dates`` and ``hashing`` are for single
columns. Others import it from ``tables``.
"""
