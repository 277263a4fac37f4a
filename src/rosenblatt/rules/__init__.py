"""Learning rules: each is one scalar function.

Each is a frozen dataclass, a ``Rule`` of ``core``; ``beliefs`` has the rules with a
belief about every weight. Everything above may import it; it imports ``bits``,
``numerics``, ``compiling`` and ``core``.
"""

from rosenblatt.core import AverageShift, FixedShift
from rosenblatt.rules.activations import Erf, Linear, Logistic, ReLU, Tanh
from rosenblatt.rules.adatron import AdaTron
from rosenblatt.rules.beliefs.binary_bayes import BinaryBayes
from rosenblatt.rules.beliefs.diagonal_bayes import DiagonalBayes
from rosenblatt.rules.beliefs.full_bayes import FullBayes
from rosenblatt.rules.decay import Decay
from rosenblatt.rules.delta import Delta
from rosenblatt.rules.hebb import Hebb
from rosenblatt.rules.normalised import Normalised
from rosenblatt.rules.passive_aggressive import PassiveAggressive
from rosenblatt.rules.perceptron import Perceptron
from rosenblatt.rules.residual import Residual
from rosenblatt.rules.shifted import Shifted
from rosenblatt.rules.spherical_bayes import SphericalBayes

__all__ = [
    "AdaTron",
    "AverageShift",
    "BinaryBayes",
    "Decay",
    "Delta",
    "DiagonalBayes",
    "Erf",
    "FixedShift",
    "FullBayes",
    "Hebb",
    "Linear",
    "Logistic",
    "Normalised",
    "PassiveAggressive",
    "Perceptron",
    "ReLU",
    "Residual",
    "Shifted",
    "SphericalBayes",
    "Tanh",
]
