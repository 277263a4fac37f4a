"""Evaluation of models: decisions, metrics of predictions, joint tests of columns.

``decisions`` turns probabilities into classes, ``metrics`` counts mistakes, and
Only ``training`` imports this folder.
"""
