"""Encoding of rows as features: the coding of each column, and matrices of features."""
