"""Specification of an experiment: its parts, checked, and their codec.

``codec`` turns parts into plain data and text, and back. ``parts`` gathers the parts of
an experiment, and tries a user's functions. Simulation, theory, estimators,
models and what lies above may import it; it imports the parts.
"""
