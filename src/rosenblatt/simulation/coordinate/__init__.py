"""Simulation of learners with a belief about every weight, weight by weight."""
