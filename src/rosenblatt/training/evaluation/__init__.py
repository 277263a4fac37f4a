"""Evaluation of models: decisions, metrics of predictions, joint tests of columns.

``decisions`` turns probabilities into classes, ``metrics`` counts mistakes, and
``column_tests`` tests columns. Only ``training`` imports this folder.
"""
