"""Simulation of learning from labelled classes, several schedules on one stream."""
