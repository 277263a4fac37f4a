r"""Random numbers for kernels: counter-based, so that every replica has its own stream.

The n-th word of a stream is the SplitMix64 finaliser of ``key + n * gamma``; each
replica has its own key and its own odd gamma. Gaussians come from the transform of Box
and Muller. Short polynomials, which the compiler turns into vector instructions,
replace the logarithm and the circle functions:

* ``normals64``: 53-bit uniforms, exact to rounding, for engines in which one Gaussian
  decides whether there is a mistake;
* ``normals32``: 32-bit uniforms, values to 24 bits and up to 6.7 standard deviations,
  for engines that add up many of them.

A generator is an array of three words: key, gamma, counter.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import force_inlined
from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray, Words

_U = np.uint64
_F = np.float32
_I = np.int32
_LOG2 = math.log(2)
SPARE_BITS = 10  # log2 of the numbers set aside for an example whose draw is rejected
# A gamma with few bit changes mixes badly; the bound and the remedy are those of
# Steele, Lea and Flood (2014).
_CHANGES, _ALTERNATING = 24, 0xAAAAAAAAAAAAAAAA
# Bits of sqrt(1/2): logarithms are taken of a mantissa between sqrt(1/2) and sqrt(2).
_HALF64, _ONE64 = 0x3FE6A09E667F3BCD, 0x3FF0000000000000
_HALF32, _ONE32 = 0x3F3504F3, 0x3F800000
# Taylor coefficients: of atanh(s)/s, sin(t)/t and cos(t) in the squares of s and t; as
# many as rounding error asks for where |s| < 0.172 and |t| < pi/4.
_L = tuple(1 / (2 * k + 1) for k in range(11))
_S = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(9))
_C = tuple((-1) ** k / math.factorial(2 * k) for k in range(9))


def generator(seed: np.random.SeedSequence) -> Words:
    """Return a stream of its own for this seed."""
    key, gamma = (int(word) for word in seed.generate_state(2, np.uint64))
    gamma |= 1
    if (gamma ^ (gamma >> 1)).bit_count() < _CHANGES:
        gamma ^= _ALTERNATING
    return np.array([key, gamma, 0], dtype=np.uint64)


def _finalise(z: Any) -> Any:
    """Return words, or one, with their bits mixed: the finaliser of SplitMix64."""
    z = (z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)
    return z ^ (z >> _U(31))


_finalised = inlined(_finalise)


def generators(seed: int, replicas: range, roles: int) -> Words:
    """Return streams for many replicas and some uses of each: (replica, role, 3).

    They depend on the seed, the number of the replica and the role, on nothing else.
    One seed sequence serves all, since making one takes longer than a short run.
    """
    key, gamma, _ = generator(np.random.SeedSequence(seed))
    first = 2 * roles * np.arange(replicas.start, replicas.stop, dtype=np.uint64)
    n = first[:, None, None] + np.arange(2 * roles, dtype=np.uint64).reshape(roles, 2)
    result = np.zeros((len(replicas), roles, 3), np.uint64)
    result[..., :2] = _finalise(key + n * gamma)
    odd = result[..., 1] | _U(1)
    plain = np.bitwise_count(odd ^ (odd >> _U(1))) < _CHANGES
    result[..., 1] = np.where(plain, odd ^ _U(_ALTERNATING), odd)
    return result


@inlined
def word(key: np.uint64, gamma: np.uint64, n: np.uint64) -> np.uint64:
    """Return the n-th random word of a stream."""
    return _finalised(key + n * gamma)  # type: ignore[no-any-return]


@inlined
def apart(rng: Words, n: int) -> Words:
    """Return a stream of its own for the number n, at its beginning."""
    result = rng.copy()
    result[0], result[2] = word(rng[0], rng[1], _U(n)), _U(0)
    return result


@inlined
def uniform(rng: Words) -> float:
    """Return a number strictly between 0 and 1."""
    z = word(rng[0], rng[1], rng[2])
    rng[2] += _U(1)
    return (np.float64(z >> _U(11)) + 0.5) * 2.0**-53


@inlined
def normal(rng: Words) -> float:
    """Return one Gaussian; for many at a time there is ``normals64``."""
    radius = math.sqrt(-2.0 * math.log(uniform(rng)))
    return radius * math.cos(2.0 * math.pi * uniform(rng))


@force_inlined
def pair64(drawn: np.uint64, turned: np.uint64) -> tuple[float, float]:
    """Return two Gaussians made from two random words."""
    u = (np.float64(drawn >> _U(11)) + 0.5) * 2.0**-53
    bits = np.float64(u).view(np.int64) + (_ONE64 - _HALF64)
    mantissa = np.int64((bits & 0xFFFFFFFFFFFFF) + _HALF64).view(np.float64)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    z = s * s
    series = _L[8] + z * (_L[9] + z * _L[10])
    series = _L[4] + z * (_L[5] + z * (_L[6] + z * (_L[7] + z * series)))
    series = _L[0] + z * (_L[1] + z * (_L[2] + z * (_L[3] + z * series)))
    log_u = np.float64((bits >> 52) - 1023) * _LOG2 + 2.0 * s * series
    radius = math.sqrt(-2.0 * log_u)
    # An angle within pi/4 of an axis; two bits choose which axis.
    turn = np.uint64(turned).view(np.int64)
    t = np.float64(turn >> 2) * (math.pi / 4 * 2.0**-61)
    z = t * t
    sine = _S[4] + z * (_S[5] + z * (_S[6] + z * (_S[7] + z * _S[8])))
    sine = t * (_S[0] + z * (_S[1] + z * (_S[2] + z * (_S[3] + z * sine))))
    cosine = _C[4] + z * (_C[5] + z * (_C[6] + z * (_C[7] + z * _C[8])))
    cosine = _C[0] + z * (_C[1] + z * (_C[2] + z * (_C[3] + z * cosine)))
    swapped = (turn & 1) != 0
    signed = radius * (1.0 - np.float64(turn & 2))
    first, second = sine if swapped else cosine, cosine if swapped else sine
    return signed * first, signed * second


@inlined
def normals64(out: npt.NDArray[np.float64], rng: Words) -> None:
    """Fill an array of even size with Gaussians of double precision."""
    key, gamma, first = rng[0], rng[1], rng[2]
    half = out.size // 2
    for i in range(half):
        n = first + _U(2 * i)
        drawn, turned = word(key, gamma, n), word(key, gamma, n + _U(1))
        out[i], out[half + i] = pair64(drawn, turned)
    rng[2] = first + _U(2 * half)


@inlined
def _pair32(drawn: np.int32, turn: np.int32) -> tuple[np.float32, np.float32]:
    """Return two Gaussians made from two numbers of 32 random bits."""
    u = (_F(_I((drawn >> _I(1)) & _I(0x7FFFFFFF))) + _F(0.5)) * _F(2.0**-31)
    bits = _I(_F(u).view(_I) + _I(_ONE32 - _HALF32))
    mantissa = _I((bits & _I(0x7FFFFF)) + _I(_HALF32)).view(_F)
    s = (mantissa - _F(1)) / (mantissa + _F(1))
    z = s * s
    series = _F(_L[2]) + z * (_F(_L[3]) + z * _F(_L[4]))
    series = _F(_L[0]) + z * (_F(_L[1]) + z * series)
    log_u = _F(_I((bits >> _I(23)) - _I(127))) * _F(_LOG2) + _F(2) * s * series
    radius = np.sqrt(_F(-2) * log_u)
    # An angle within pi/4 of an axis; two bits choose which axis.
    t = _F(_I(turn >> _I(2))) * _F(math.pi / 4 * 2.0**-29)
    z = t * t
    sine = _F(_S[2]) + z * (_F(_S[3]) + z * _F(_S[4]))
    sine = t * (_F(_S[0]) + z * (_F(_S[1]) + z * sine))
    cosine = _F(_C[2]) + z * (_F(_C[3]) + z * _F(_C[4]))
    cosine = _F(_C[0]) + z * (_F(_C[1]) + z * cosine)
    swapped = _I(turn & _I(1)) != _I(0)
    signed = radius * (_F(1) - _F(_I(turn & _I(2))))
    first, second = (sine, cosine) if swapped else (cosine, sine)
    return signed * first, signed * second


@inlined
def normals32(out: npt.NDArray[np.float32], scratch: Words, rng: Words) -> None:
    """Fill an array of even size with Gaussians of single precision.

    ``scratch`` has room for half as many words. They are drawn first and then read as
    twice as many numbers of 32 bits, so that all lanes of a vector are in use.
    """
    key, gamma, first = rng[0], rng[1], rng[2]
    half = out.size // 2
    for i in range(half):
        scratch[i] = word(key, gamma, first + _U(i))
    drawn = scratch[:half].view(np.int32)
    for i in range(half):
        out[i], out[half + i] = _pair32(drawn[i], drawn[half + i])
    rng[2] = first + _U(half)


@inlined
def uniforms(out: npt.NDArray[np.float64], rng: Words) -> None:
    """Fill an array with numbers strictly between 0 and 1."""
    key, gamma, first = rng[0], rng[1], rng[2]
    for i in range(out.size):
        z = word(key, gamma, first + _U(i))
        out[i] = (np.float64(z >> _U(11)) + 0.5) * 2.0**-53
    rng[2] = first + _U(out.size)


@inlined
def chi_square(freedom: int, g: float, u: float, rng: Words) -> float:
    """Return a chi-square variate made from a Gaussian and a uniform number.

    The method of Marsaglia and Tsang (2000), which is exact; where it rejects the two
    it goes on with numbers from ``rng``.
    """
    if freedom < 2:
        return g * g if freedom == 1 else 0.0
    d = 0.5 * freedom - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        v = 1.0 + c * g
        if v > 0.0:
            v = v * v * v
            if math.log(u) < 0.5 * g * g + d * (1.0 - v + math.log(v)):
                return 2.0 * d * v
        g = normal(rng)
        u = uniform(rng)


@inlined
def chi_squares(
    out: npt.NDArray[np.float64],
    freedom: int,
    g: npt.NDArray[np.float64],
    u: npt.NDArray[np.float64],
    spare: Words,
    first: int,
) -> None:
    """Fill an array with chi-square variates made from Gaussians and uniform numbers.

    If :func:`chi_square` rejects its numbers, it takes others from ``spare``, at a
    place that belongs to the example. ``first`` is the number of the first example.
    """
    quick_chi_squares(out, freedom, g, u)
    for i in range(out.size):
        if out[i] < 0.0:
            spare[2] = _U(first + i) << _U(SPARE_BITS)
            out[i] = chi_square(freedom, g[i], u[i], spare)


@inlined
def quick_chi_squares(
    out: npt.NDArray[np.float64],
    freedom: int,
    g: npt.NDArray[np.float64],
    u: npt.NDArray[np.float64],
) -> None:
    """Fill an array as :func:`chi_squares` does, with -1 for what a quick test leaves.

    The test is that of Marsaglia and Tsang, never wrong, on vector instructions.
    """
    d = max(0.5 * freedom - 1.0 / 3.0, 0.1)
    c = 1.0 / math.sqrt(9.0 * d)
    for i in range(out.size):
        v = 1.0 + c * g[i]
        quick = u[i] < 1.0 - 0.0331 * g[i] * g[i] * g[i] * g[i]
        good = quick and v > 0.0 and freedom >= 2
        out[i] = 2.0 * d * v * v * v if good else -1.0


_ROWS = 8  # of columns that are filled at once, so that vector instructions are full


class Columns(NamedTuple):
    """Generators of replicas side by side, one in each column, for a few rows."""

    keys: Words
    gammas: Words
    rows: Words


@inlined
def columns_of(words: Words) -> Columns:
    """Return the columns of generators, which are (column, 3)."""
    count = len(words)
    columns = Columns(
        np.empty(_ROWS * count, np.uint64),
        np.empty(_ROWS * count, np.uint64),
        np.empty(_ROWS * count, np.uint64),
    )
    for row in range(_ROWS):
        for column in range(count):
            at = row * count + column
            columns.keys[at], columns.gammas[at] = words[column, 0], words[column, 1]
            columns.rows[at] = _U(row)
    return columns


@inlined
def columns_of_normals(out: FloatArray, columns: Columns, first: int) -> None:
    """Fill a flat table with Gaussians; each column as ``normals64`` would.

    The table has a multiple of 16 rows, and its generators begin at ``first``.
    """
    keys, gammas, rows = columns
    few, half = keys.size, out.size // 2
    for begin in range(0, half, few):
        row = _U(first) + _U(2 * (begin // few) * _ROWS)
        one, other = out[begin : begin + few], out[half + begin : half + begin + few]
        for i in range(few):
            n = row + _U(2) * rows[i]
            drawn = word(keys[i], gammas[i], n)
            turned = word(keys[i], gammas[i], n + _U(1))
            one[i], other[i] = pair64(drawn, turned)


@inlined
def columns_of_uniforms(out: FloatArray, columns: Columns, first: int) -> None:
    """Fill a flat table of a multiple of 8 rows as ``uniforms`` would."""
    keys, gammas, rows = columns
    few = keys.size
    for begin in range(0, out.size, few):
        row = _U(first) + _U((begin // few) * _ROWS)
        for i in range(few):
            z = word(keys[i], gammas[i], row + rows[i])
            out[begin + i] = (np.float64(z >> _U(11)) + 0.5) * 2.0**-53
