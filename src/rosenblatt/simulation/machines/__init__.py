"""Simulation of on-line learning of thresholded smooth functions."""
