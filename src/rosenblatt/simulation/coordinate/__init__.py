"""Simulation of learners with a belief about every weight, weight by weight.

``engine`` has the public function and the loop over examples. ``task`` has its checked
arguments, ``updates`` one example, ``inputs`` the inputs, ``result`` the names of the
result. Others import it from ``simulation``.
"""
