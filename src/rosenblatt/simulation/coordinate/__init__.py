"""Simulation of learners with a belief about every weight, weight by weight.

``engine`` has the public function and the loop over examples, ``task`` its checked
arguments, ``updates`` one example, ``inputs`` the inputs, ``result`` the labels of the
result. Others import it from ``simulation``.
"""
