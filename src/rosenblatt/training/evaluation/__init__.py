"""Evaluation of models: decisions, metrics of predictions, joint tests of columns."""
