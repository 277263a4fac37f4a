"""Streams in their own order: every learner predicts a row, then learns it.

``python -m benchmarks.streams`` runs all learners on all streams. It imports the other
modules of ``benchmarks``, and each library only if it is installed.
"""
