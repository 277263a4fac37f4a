"""Learning from real rows by a rule: dense, sparse, shifted, one row, binary weights.

Filters, separation, estimators and River may import it; it imports ``specification``
and below.
"""
