"""Inputs of classifiers: checked rows, labels, weights, and columns of two levels.

``bases`` and the classifiers of ``estimators`` import it. It imports ``bits``,
``linear`` and ``core``.
"""
