r"""The soft committee: rates that are "sufficiently large" after eq. (27).

Three units that see the same three inputs, :math:`f = \sum_k \tanh(w_k \cdot s)`, learn
a target of orthonormal units. On its decision boundary the gradients are close to
parallel, so that the matrix

.. math:: \langle \delta(f_0)\, \nabla f\, \nabla f^T \rangle   \tag{1}

has a very small eigenvalue :math:`\lambda`: the rate :math:`\eta_0 / n` needs an
:math:`\eta_0 > 1/\lambda` of about 3300 for the error to fall as 1/n. If each unit is
kept at its length, which takes three directions away, it is 165. With
:math:`u_k = \tanh s_k` eq. (1) is an integral over the hexagon
:math:`|u_1|, |u_2|, |u_1 + u_2| < 1`,

.. math::
    \int \frac{du_1\, du_2\, \phi(s_1) \phi(s_2) \phi(s_3)}
        {(1 - u_1^2)(1 - u_2^2)(1 - u_3^2)}\,
        (1 - u_i^2) s_j (1 - u_k^2) s_l, \qquad u_3 = -u_1 - u_2.   \tag{2}
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.machines import SoftCommittee
from rosenblatt.papers.barkai1995.equations import SEED, simulated_machine
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import power_law
from rosenblatt.schedules import Power
from rosenblatt.theory import boundary

__all__ = ["CLAIMS", "smallest_rate"]

_UNITS = 3
_TARGET = np.eye(_UNITS).ravel()
_POINTS = 200  # of a quadrature in each direction, good to 5 digits
_NEAR = 0.1  # spread of the first weights around the target's


@functools.cache
def smallest_rate(normalised: bool) -> float:
    """Return the smallest eigenvalue of eq. (1), by the quadrature of eq. (2).

    Examples
    --------
    >>> round(1 / smallest_rate(True)), round(1 / smallest_rate(False))
    (165, 3302)
    """
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    # u1 from -1 to 0 is half of the hexagon; u2 then goes from -1 - u1 to 1.
    first = 0.5 * (nodes - 1)
    half = 0.5 * (2 + first)[:, None]
    second = -1 - first[:, None] + half * (nodes + 1)
    area = 2 * 0.5 * weights[:, None] * half * weights
    u = np.stack([np.broadcast_to(first[:, None], second.shape), second])
    u = np.concatenate([u, -u.sum(axis=0, keepdims=True)]).reshape(_UNITS, -1)
    s, slope = np.arctanh(u), (1 - u) * (1 + u)
    density = np.exp(-0.5 * (s**2).sum(axis=0)) / (2 * math.pi) ** 1.5
    measure = area.ravel() * density / slope.prod(axis=0)
    gradient = (slope[:, None] * s).reshape(_UNITS**2, -1)
    matrix = (gradient * measure) @ gradient.T
    if normalised:  # unit k lies along axis k: its own component is its length
        across = np.flatnonzero(_TARGET == 0)
        matrix = matrix[np.ix_(across, across)]
    return float(np.linalg.eigvalsh(matrix)[0])


@claim("barkai1995/committee/normalised", "text after eq. (27)")
@expect(lambda quick: smallest_rate(True), catches=0.15 * smallest_rate(True))
def _eigenvalue(quick: bool) -> Measurement:
    """Smallest eigenvalue on the boundary of a soft committee of three orthonormal
    units, normalised to length 1: from f and a sampler (measured), by quadrature.
    """
    samples = 100_000 if quick else 300_000
    machine = SoftCommittee(_UNITS, _UNITS)
    found = boundary(machine, _TARGET, samples=samples, seed=SEED)
    return Measurement(found.smallest, found.smallest_error)


def _exponent(name: str, scale: float, expected: float, offset: float) -> Claim:
    """Return a claim about a schedule whose first steps are 1/offset."""

    @claim(f"barkai1995/committee/{name}", "text after eq. (27)")
    # it catches half of the difference between the two
    @expect(expected, catches=0.3)
    @allow(
        0.01,
        "fluctuations below the threshold, and the start above it, are still "
        "a few percent of the distance",
    )
    @fill(scale=scale, expected=expected, name=name)
    def measure(quick: bool) -> Measurement:
        """Soft committee, rate eta0/n with eta0 lambda = {scale:g}: the distance from
        the target falls as n^{expected:g}, {name} the threshold.
        """
        rate = scale / smallest_rate(True)
        replicas = 48
        examples = (20_000, 100_000) if quick else (30_000, 300_000)
        rng = np.random.default_rng(SEED)
        near = _TARGET + _NEAR * rng.standard_normal((replicas, _TARGET.size))
        run = simulated_machine(
            SoftCommittee(_UNITS, _UNITS),
            Power(rate, 1.0, offset * rate),
            _TARGET,
            examples=examples,
            replicas=replicas,
            start=near,
            tests=1,  # errors are not asked for: distances tell more
        )
        far: FloatArray = np.linalg.norm(run["weights"].values - _TARGET, axis=-1)
        return power_law(run["example"].values + offset * rate, far)

    return measure


CLAIMS = (
    _eigenvalue,
    _exponent("above", 3.0, -1.0, 10.0),  # the start is soon forgotten ...
    _exponent("below", 0.4, -0.4, 100.0),  # ... or hardly disturbed
)
