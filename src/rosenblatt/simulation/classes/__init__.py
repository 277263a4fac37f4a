"""Simulation of learning from labelled classes, several schedules on one stream.

``engine`` has the public function, ``task`` its checked arguments, ``replica`` the loop
over examples. Others import it from ``simulation``.
"""
