"""Fitted models on disk and in other programs."""
