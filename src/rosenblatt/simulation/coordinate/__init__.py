"""Simulation of learners with a belief about every weight, weight by weight.

``engine`` has the public function and the loop over examples, and ``task`` its checked
arguments. ``updates`` learns one example, ``inputs`` draws inputs, and ``result``
labels the result. Others import it from ``simulation``.
"""
