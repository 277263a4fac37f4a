"""Linear separability of two classes, with certificates that are proved.

Papers and the laboratory may import it; it imports ``linear`` for the perceptron rule.
The folder is not called ``separability``, since :func:`rosenblatt.separability` is.
"""

from rosenblatt.separation.cycles import Cycle, perceptron_cycle
from rosenblatt.separation.separability import Separability, separability, signed

__all__ = ["Cycle", "Separability", "perceptron_cycle", "separability", "signed"]
