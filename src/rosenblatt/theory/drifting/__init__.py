"""Teachers that move: stationary states and the best constants of learning.

``stationary`` has the states; ``best_constant`` and ``half_life`` minimise their error.
Others import it from ``theory``.
"""
