"""Likelihoods: each is one scalar function, the log-probability of a label.

Each is a frozen dataclass, a ``Likelihood`` of ``core``. Everything above may import
it; it imports ``numerics`` and ``core``.
"""

from rosenblatt.likelihoods.gaussian import Gaussian
from rosenblatt.likelihoods.logistic import Logistic
from rosenblatt.likelihoods.poisson import Poisson
from rosenblatt.likelihoods.sign import Sign
from rosenblatt.likelihoods.student_t import StudentT

__all__ = ["Gaussian", "Logistic", "Poisson", "Sign", "StudentT"]
