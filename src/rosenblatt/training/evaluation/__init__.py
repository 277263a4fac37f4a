"""Evaluation of predictions: decisions from probabilities, and metrics of them."""
