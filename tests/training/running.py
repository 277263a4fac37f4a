"""Runs of ``rb.train`` with their records, for tests."""

import rosenblatt as rb
from rosenblatt.training.loop import Run


def learn(*given, **options):
    """Return the run of a model that was trained."""
    return Run.of(rb.train(*given, **options))
