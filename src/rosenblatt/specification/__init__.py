"""Specification of an experiment: its parts, their names in files, and plain data.

Simulation, theory, estimators and models may import it; it imports the parts.
"""
