"""Simulation of on-line learning of thresholded smooth functions.

``engine`` has the public function, ``task`` its checked arguments, ``compiled`` the
loop. Others import it from ``simulation``.
"""
