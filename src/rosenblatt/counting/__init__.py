"""Learning by counting: binary weights from packed bits, their guarantees, thresholds.

Estimators, models and papers may import it; it imports ``bits`` and below.
"""
