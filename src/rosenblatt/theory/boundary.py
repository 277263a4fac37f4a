r"""Matrix of gradients on the target's boundary, which bounds the rate.

Close to the target, :math:`w = w_0 + \delta`, an input is a mistake if
:math:`f(s, w_0)` lies between 0 and :math:`-\nabla f \cdot \delta`. On average a small
rate then moves

.. math:: \frac{d \delta}{d n} = -\eta\, M \delta, \qquad
    M = \langle \delta(f)\, \nabla f\, \nabla f^T \rangle,  \tag{1}

with a delta function of :math:`f(s, w_0)`. With a rate :math:`\eta_0 / n` the error
falls as :math:`1/n` if :math:`\eta_0 \lambda > 1` for the smallest eigenvalue
:math:`\lambda` of :math:`M`, and as :math:`n^{-\eta_0 \lambda}` if it is less. Where
groups of weights are normalised, directions that change their lengths are projected
out.

The delta function is taken from inputs close to the boundary. Their distance from it,
in weights, is :math:`t = f / |\nabla f|`, and

.. math:: M = \langle K_\epsilon(t)\, |\nabla f|\, u u^T \rangle + O(\epsilon^6),
    \qquad u = \nabla f / |\nabla f|, \qquad
    K_1(t) = \tfrac18 (15 - 10 t^2 + t^4)\, \frac{e^{-t^2/2}}{\sqrt{2\pi}},  \tag{2}

a kernel whose moments up to the fifth vanish, so that the first two terms of the bias
are gone. Widths :math:`\epsilon` are halved as long as the result changes by more than
its noise. The result is that of half the width at which it stopped changing. Errors
contain the noise of the sample and, for the bias that may be left, the change on
halving the width once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag, null_space

from rosenblatt.compiling import compiled, kernel, types
from rosenblatt.compiling.jit import MACHINE, filling
from rosenblatt.compiling.vectors import normalised
from rosenblatt.core import Machine, VectorStream
from rosenblatt.core.arguments import part, whole
from rosenblatt.core.gaussian import normal_density
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import generators
from rosenblatt.specification.parts import stream_for
from rosenblatt.specification.probing import probe, probe_stream

_BATCHES = 32  # independent estimates; a standard error from them is good to 13%
_WIDTHS = 8  # tried: half the median distance from the boundary, a quarter, ...
_REACH = 9.0  # widths at which the kernel has fallen below 1e-14
_ROOM = 2_000_000  # numbers of inputs and gradients held at a time
_NOISE = 3.0  # standard errors that a change may have and count as none


@dataclass(frozen=True, eq=False)
class Boundary:
    """The matrix of eq. (1), estimated from a sample, and what follows from it.

    ``eigenvalues`` are those of the matrix as it is: noise spreads equal ones. The
    ``smallest`` is free of this, since its direction is found in one half of the
    sample and its value in the other.
    """

    matrix: FloatArray
    matrix_error: FloatArray  # of each entry
    eigenvalues: FloatArray  # increasing; of directions in which the machine can move
    smallest: float
    smallest_error: float
    width: float  # of the kernel, in units of weights

    @property
    def threshold(self) -> float:
        """The smallest ``eta0`` for which a rate ``eta0 / n`` gives errors ~ 1/n."""
        return 1 / self.smallest if self.smallest > 0 else math.inf

    @property
    def threshold_error(self) -> float:
        """The standard error of the threshold."""
        return self.smallest_error * self.threshold**2


def _tangent(target: FloatArray, groups: int) -> FloatArray:
    """Return orthonormal directions, in columns, that keep the lengths of groups."""
    if groups == 0:
        return np.eye(target.size)
    parts = target.reshape(groups, 1, -1)
    return np.asarray(block_diag(*(null_space(direction) for direction in parts)))


def _kernel(t: FloatArray) -> FloatArray:
    """Return the kernel of eq. (2)."""
    return np.asarray((15 - 10 * t**2 + t**4) / 8 * normal_density(t))


_vector, _table = types.float64[::1], types.float64[:, ::1]


@kernel(types.void, MACHINE, _table, _vector, _vector, _table)
def _evaluate(
    function: Callable[[FloatArray, FloatArray, FloatArray], float],
    inputs: FloatArray,
    w: FloatArray,
    values: FloatArray,
    gradients: FloatArray,
) -> None:
    """Write values and gradients of a machine for inputs in rows."""
    for i in range(len(inputs)):
        values[i] = function(inputs[i], w, gradients[i])


def _near(
    machine: Machine,
    target: FloatArray,
    stream: VectorStream,
    basis: FloatArray,
    rng: Words,
    count: int,
) -> tuple[FloatArray, FloatArray]:
    """Return distances t of inputs from the boundary, and gradients in the basis."""
    inputs = np.zeros((count, machine.inputs))
    filling(stream)(rng, inputs)
    values, gradients = np.empty(count), np.empty((count, target.size))
    _evaluate(compiled(machine), inputs, target, values, gradients)
    slopes = gradients @ basis
    lengths = np.linalg.norm(slopes, axis=1)
    far = np.full(count, np.inf)
    return np.divide(np.abs(values), lengths, out=far, where=lengths > 0), slopes


def _estimates(
    near: FloatArray, slopes: FloatArray, widths: FloatArray
) -> list[FloatArray]:
    """Return the sums of eq. (2) for each width."""
    sums = []
    for width in widths:
        close = near < _REACH * width  # widths decrease: fewer every time
        near, slopes = near[close], slopes[close]
        lengths = np.linalg.norm(slopes, axis=1)
        weight = _kernel(near / width) / width / lengths
        sums.append((slopes * weight[:, None]).T @ slopes)
    return sums


def _choice(found: FloatArray) -> int:
    """Return the width to trust, of estimates (batch, width, direction, direction)."""
    diagonals = np.diagonal(found, axis1=2, axis2=3)
    last = int(found.shape[1]) - 2  # one more is needed to tell the bias
    for j in range(last):
        change = diagonals[:, j + 1 :] - diagonals[:, [j]]
        # the largest of so many is larger than one of them, by chance
        many = _NOISE + math.sqrt(2 * math.log(change[0].size))
        if all(
            np.all(
                np.abs(c.mean(axis=0))
                <= allowed * c.std(axis=0, ddof=1) / math.sqrt(len(c))
            )
            for c, allowed in ((change, many), (change.sum(axis=2), _NOISE))
        ):
            return j + 1
    return last


def boundary(
    machine: Machine,
    target: npt.ArrayLike,
    stream: VectorStream | None = None,
    *,
    samples: int = 1_000_000,
    seed: int = 0,
) -> Boundary:
    """Return the matrix of gradients on a target's boundary, from f and inputs alone.

    Parameters
    ----------
    machine
        The dichotomy, see :mod:`rosenblatt.machines`.
    target
        Its weights; normalised groups are rescaled to length 1.
    stream
        The inputs; by default standard normal.
    samples
        Number of inputs.
    seed
        The same seed gives the same inputs.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> found = boundary(rb.machines.Ball(2, 1.0), [0.0, 0.0])
    >>> exact = math.exp(-1 / 2)  # r^2 exp(-r^2/2) times the identity
    >>> bool(abs(found.smallest - exact) < 5 * found.smallest_error)
    True
    """
    part("machine", Machine, machine)
    stream = stream_for(machine, stream)
    batch = whole("samples", samples, low=100 * _BATCHES) // _BATCHES
    aim = np.array(target, dtype=np.float64)
    if aim.shape != (machine.parameters,):
        raise ValueError(
            f"target must be {machine.parameters} numbers, got shape {aim.shape}"
        )
    if not np.isfinite(aim).all():
        raise ValueError(f"target must be finite numbers, got {aim}")
    aim = normalised(aim[None], machine.groups, "target")[0]
    probe(machine, aim)
    probe_stream(stream)
    basis = _tangent(aim, machine.groups)
    if basis.shape[1] == 0:
        raise ValueError(f"machine {machine!r} has no direction in which to move")
    rng = generators(whole("seed", seed, low=0), range(1), 1)[0, 0]
    near, _ = _near(machine, aim, stream, basis, rng, batch)
    widths = np.median(near) * 0.5 ** np.arange(1, _WIDTHS + 1)
    if not (np.isfinite(widths).all() and widths[-1] > 0):
        raise ValueError(
            f"stream {stream!r} has no smooth density around the boundary: "
            f"half of its inputs are at most {2 * widths[0]} away from it"
        )
    size = basis.shape[1]
    found = np.zeros((_BATCHES, _WIDTHS, size, size))
    chunk = max(1, _ROOM // (machine.inputs + machine.parameters))
    for b in range(_BATCHES):
        for first in range(0, batch, chunk):
            count = min(chunk, batch - first)
            pieces = _near(machine, aim, stream, basis, rng, count)
            found[b] += _estimates(*pieces, widths)
    chosen = _choice(found)
    wide, half = np.moveaxis(found[:, chosen : chosen + 2] / batch, 1, 0)
    return _boundary(wide, half, basis, float(widths[chosen]))


def _error(wide: FloatArray, half: FloatArray) -> FloatArray:
    """Return the error of a mean over batches: noise, and the change with the width."""
    noise = wide.std(axis=0, ddof=1) / math.sqrt(len(wide))
    return np.asarray(np.hypot(noise, (wide - half).mean(axis=0)))


def _boundary(
    wide: FloatArray, half: FloatArray, basis: FloatArray, width: float
) -> Boundary:
    """Combine independent estimates with two widths."""
    even, odd = slice(0, None, 2), slice(1, None, 2)
    values = []
    for here, there in ((even, odd), (odd, even)):
        direction = np.linalg.eigh(wide[here].mean(axis=0))[1][:, 0]
        values.append([m[there] @ direction @ direction for m in (wide, half)])
    smallest, other = np.concatenate(values, axis=1)
    whole_space = [basis @ m @ basis.T for m in (wide, half)]
    return Boundary(
        matrix=whole_space[0].mean(axis=0),
        matrix_error=_error(*whole_space),
        eigenvalues=np.linalg.eigvalsh(wide.mean(axis=0)),
        smallest=float(smallest.mean()),
        smallest_error=float(_error(smallest, other)),
        width=width,
    )
