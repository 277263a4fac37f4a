"""Linear separability of two classes, with certificates that are proved.

Papers and the laboratory may import it; it imports ``rows`` for the perceptron rule.
The folder is not called ``separability``, since :func:`rosenblatt.separability` is.
"""

from rosenblatt.separation.cycles import perceptron_cycle
from rosenblatt.separation.separability import separability

__all__ = ["perceptron_cycle", "separability"]
