r"""Soft committees: the symmetric plateau, the escape from it, and other activations.

After D. Saad and S. A. Solla, Physical Review E 52, 4225 (1995), and M. Biehl and H.
Schwarze, J. Phys. A 28, 643 (1995). ``python examples/hidden_units.py`` prints the
verdicts. Nothing is quoted as published; all is derived or computed here.

On the plateau of K = M units the students are alike, so that Q = C. The error is that
of one unit of output weight K:

.. math:: \epsilon = \frac K\pi \left[K \arcsin\frac{Q}{1+Q}
    - 2K \arcsin \frac{R}{\sqrt{2 (1 + Q)}} + \frac\pi6\right].

Its gradient vanishes at :math:`Q = 1/(2K-1)` and :math:`R = 1/\sqrt{K (2K-1)}`.

Rectified units that are alike are not the same:
:math:`w_{1,2} = R (B_1 + B_2) \pm d` with d across the teacher, so that
:math:`Q + C = 4 R^2` and :math:`Q - C = 2 |d|^2`. The minimum of the error in this
family is their plateau for small rates.

Random starts break the symmetry by :math:`N^{-1/2}`, and differences grow as
:math:`e^{\lambda \alpha}`. The escape time therefore grows as
:math:`\ln N / (2 \lambda)`. At finite N the first differences are not small: the
equations from random starts of these sizes give the slope that is expected there.

For K = M = 1 a small deviation from the teacher, of squared length D, obeys
:math:`\dot D = (\eta^2 \langle g'^4 \rangle - 2 \eta \langle g'^2 \rangle) D`.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.integrate import quad
from scipy.optimize import brentq, minimize

from rosenblatt.committees import Committee, Plateau, plateau, simulate, solve
from rosenblatt.core import Activation
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, joined, line, points, sampled
from rosenblatt.rules import Erf, ReLU, Tanh

PAPER = Paper(
    key="saad1995",
    citation="After D. Saad, S. A. Solla: On-line learning in soft committee machines. "
    "Physical Review E 52, 4225 (1995).",
)
_NAMES = {
    "length": "The squared length Q of a student",
    "alike": "The overlap C of two students",
    "overlap": "The overlap R of a student with a teacher",
    "error": "The error",
    "escape": "The largest eigenvalue of the drift per rate",
}
_FIELDS = {"length": "Q", "alike": "C", "overlap": "R", "error": "error"}
_HALF = 0.0103  # half the error on the plateau of two units at rate 1
_MANY, _FAST = 12, 1.5  # units of the largest committee, rate times units
_LEVEL_DIM = 1000


@functools.cache
def _plateau(activation: Activation, units: int, rate: float = 0.0) -> Plateau:
    return plateau(Committee(activation, units, units), rate)


def _read(found: Plateau, name: str) -> float:
    if name == "escape":
        return float(found.eigenvalues[0].real)
    return float(getattr(found, _FIELDS[name]))


def _fixed_point(name: str, units: int) -> float:
    k = units
    return {
        "length": 1 / (2 * k - 1),
        "alike": 1 / (2 * k - 1),
        "overlap": 1 / math.sqrt(k * (2 * k - 1)),
        "error": k / math.pi * (math.pi / 6 - k * math.asin(1 / (2 * k))),
        "escape": 2 * k / (math.pi * math.sqrt(2 * k - 1) * (2 * k + 1) ** 1.5),
    }[name]


@PAPER.claim(
    "plateau/{name}-{units}",
    "symmetric plateau",
    expect=_fixed_point,
    catches=1e-4,
    allow=(1e-6, "a double root is found to the square root of rounding"),
    each={"units": (2, 3, 6, 12), "name,what": _NAMES.items()},
)
def _on_the_plateau(name: str, units: int) -> float:
    """{what} on the symmetric plateau of K = M = {units} units, for small rates."""
    return _read(_plateau(Erf(), units), name)


@functools.cache
def _least_error() -> dict[str, float]:
    """Return R, Q and C of the least error of two rectified units that are alike."""

    def product(a: float, b: float, c: float) -> float:
        """Return the mean product of two rectified fields."""
        length = math.sqrt(a * b)
        angle = math.acos(max(-1.0, min(1.0, c / length)))
        turned = math.sin(angle) + (math.pi - angle) * math.cos(angle)
        return length / (2 * math.pi) * turned

    def error(x: FloatArray, /) -> float:
        r, d = float(x[0]), float(x[1])
        q, c = 2 * r * r + d * d, 2 * r * r - d * d
        teacher = 1 + 1 / math.pi
        return teacher - 8 * product(q, 1, r) + q + 2 * product(q, q, c)

    r, d = minimize(error, (0.5, 0.4), tol=1e-12).x
    ends = (r, 2 * r * r + d * d, 2 * r * r - d * d)
    return dict(zip(("overlap", "length", "alike"), map(float, ends), strict=True))


@PAPER.claim(
    "rectified/{name}",
    "symmetric plateau",
    expect=lambda name: _least_error()[name],
    catches=1e-3,
    allow=(2e-4, "the limit of small rates is extrapolated from two rates"),
    each={"name,what": [(k, _NAMES[k]) for k in ("overlap", "length", "alike")]},
)
def _rectified(name: str) -> float:
    """{what} on the symmetric plateau of two rectified units, for small rates."""
    near, far = (_read(_plateau(ReLU(), 2, rate), name) for rate in (0.02, 0.04))
    return 2 * near - far


@PAPER.claim(
    "critical-rate",
    "convergence of one unit",
    expect=math.pi * math.sqrt(5 / 3),
    catches=5e-3,
    allow=(1e-3, "the growth is measured at a distance of 1e-3, not 0"),
)
def _critical() -> float:
    """A student with K = M = 1 converges to its teacher for rates below pi sqrt(5/3),
    near 4.06.
    """
    near = [[1 - 1e-6]], [[1.0]]

    def growth(rate: float) -> float:
        curve = solve(Committee(Erf(), 1, 1), rate, alpha=[5, 10], start=near)
        first, later = (float(error) for error in curve["error"][0])
        return math.log(later / first)

    return float(brentq(growth, 3.5, 4.5, xtol=1e-6))


@functools.cache
def _times(quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return sizes N, and escape times of many students for each, (student, size)."""
    sizes = np.array([100, 1000] if quick else [100, 300, 1000, 3000])
    last = 200 if quick else 220  # one student in a thousand is later
    alpha, times = np.arange(last + 1), []
    for dim in sizes:
        run = simulate(
            Committee(Erf(), 2, 2), 1.0, dim=int(dim), alpha=alpha, replicas=512
        )
        escaped = run.error.values < _HALF
        first = alpha[escaped.argmax(axis=1)]
        times.append(np.where(escaped.any(axis=1), first, last))
    return sizes, np.transpose(times)


def _escape_time(dim: float, normal: FloatArray) -> float:
    """Return when a student of the equations leaves the plateau.

    Its start is that of a random student of length 1/2, from seven normal numbers.
    """
    small = 0.5 / math.sqrt(dim)
    off = 0.5 * small * normal[4]
    own = 0.25 + math.sqrt(0.5) * small * normal[5:]
    lengths = np.array([[own[0], off], [off, own[1]]])
    start = small * normal[:4].reshape(2, 2), lengths
    alpha = np.linspace(0, 200, 101)
    curve = solve(Committee(Erf(), 2, 2), 1.0, alpha=alpha, start=start)
    above = np.log(curve.error.values[0] / _HALF)
    after = int((above < 0).argmax())
    share = above[after - 1] / (above[after - 1] - above[after])
    return float(alpha[after - 1] + share * (alpha[after] - alpha[after - 1]))


def _slopes(sizes: FloatArray, times: FloatArray) -> Measurement:
    """Return the mean slope of times against ln N, one by least squares for each row.

    A row has first weights of the same directions at every N. So its times are
    correlated, and the slopes of single rows scatter less than the times do.
    """
    x = np.log(sizes) - np.log(sizes).mean()
    return average(times @ (x / (x @ x)))


@functools.cache
def _equations(quick: bool) -> Measurement:
    """Return the slope of the equations, from a few random starts of each size."""
    sizes = _times(quick)[0]
    normal = np.random.default_rng(0).standard_normal((8, 7))
    times = [[_escape_time(n, few) for n in sizes] for few in normal]
    return _slopes(sizes, np.array(times))


@PAPER.claim("escape/size", "escape at finite N", expect=_equations, catches=2.25)
def _slope(quick: bool) -> Measurement:
    """The mean escape time of two units grows with ln N. The slope is that of the
    equations from random starts of these sizes, 1/(2 lambda) for large N.
    """
    return _slopes(*_times(quick))


@PAPER.claim(
    "units/level",
    "symmetric plateau",
    expect=lambda: _plateau(Erf(), _MANY, _FAST / _MANY).error,
    catches=0.01,
    allow=(1 / _LEVEL_DIM, "corrections of order 1/N"),
)
def _level(quick: bool) -> Measurement:
    """The error of twelve units that begin at random stays at that of the symmetric
    plateau of theory, at rate 1.5/12.
    """
    run = simulate(
        Committee(Erf(), _MANY, _MANY), _FAST / _MANY, dim=_LEVEL_DIM,
        alpha=np.linspace(100, 300, 11), replicas=16 if quick else 64
    )  # fmt: skip
    return average(run.error.mean("alpha").values)


def _moment(power: int) -> float:
    """Return the average of a power of the slope of tanh."""

    def density(h: float) -> float:
        return math.cosh(h) ** (-2 * power) * math.exp(-0.5 * h * h)

    return float(quad(density, -12, 12)[0] / math.sqrt(2 * math.pi))


def _logarithm(values: FloatArray, unit: float) -> Measurement:
    mean = average(values)
    return Measurement(math.log(mean.value / unit), mean.stderr / mean.value)


@PAPER.claim(
    "distance/{name}",
    "convergence of one unit",
    expect=lambda second, fourth: fourth - 2 * second,
    catches=0.05,
    allow=(5 / 2000, "corrections of order 1/N"),
    each={
        "name,activation,second,fourth": [
            ("relu", ReLU(), 0.5, 0.5),
            ("tanh", Tanh(), _moment(2), _moment(4)),
        ]
    },
)
def _growth(quick: bool, activation: Activation) -> Measurement:
    """Near its teacher, at rate 1, a student with one unit {name} has its squared
    distance multiplied by exp(m4 - 2 m2) in a unit of alpha. Here m4 and m2
    are the means of the fourth and second power of the activation's slope.
    """
    distance = 1e-6  # first squared distance from the teacher, across it
    run = simulate(
        Committee(activation, 1, 1), 1.0, dim=2000, alpha=[1],
        start=([[1.0]], [[1.0 + distance]]), replicas=256 if quick else 4096
    )  # fmt: skip
    found = (run.Q[:, 0, 0, 0] - 2 * run.R[:, 0, 0, 0] + 1).values
    return _logarithm(found, distance)


@PAPER.claim(
    "escape/{name}",
    "escape from the plateau",
    expect=lambda activation: 0.5 * _read(_plateau(activation, 2, 0.5), "escape"),
    catches=0.006,
    allow=(5e-4, "corrections of order 1/N, and cubic ones of the distance"),
    each={"name,activation": [("relu", ReLU()), ("tanh", Tanh())]},
)
def _escape(quick: bool, activation: Activation) -> Measurement:
    """Two units {name} leave their plateau as exp(eta lambda alpha), with the
    largest eigenvalue of the drift there, at rate 0.5.

    Two students that see the same examples begin on either side of the plateau.
    """
    found, side, later = _plateau(activation, 2, 0.5), 0.02, 10.0
    direction = np.array([[1.0, -1.0], [-1.0, 1.0]]) / 2
    own = found.C + (found.Q - found.C) * np.eye(2)
    up, down = (
        simulate(
            Committee(activation, 2, 2), 0.5, dim=10_000, alpha=[later],
            start=(found.R + sign * direction, own), replicas=64 if quick else 256
        ).R.values[:, 0]
        for sign in (side, -side)
    )  # fmt: skip
    distance = ((up - down) * direction).sum(axis=(1, 2)) / (2 * side)
    grown = _logarithm(distance, 1.0)
    return Measurement(grown.value / later, grown.stderr / later)


@functools.cache
def _runs(quick: bool) -> tuple[xr.Dataset, xr.Dataset]:
    """Return theory and simulation of three units from the same start."""
    committee, rng = Committee(Erf(), 3, 3), np.random.default_rng(1)
    start = 0.02 * rng.random((3, 3)), np.diag(0.5 * rng.random(3))
    curve = solve(committee, 0.5, alpha=np.linspace(0, 500, 251), start=start)
    run = simulate(
        committee, 0.5, dim=2000 if quick else 50_000, replicas=8,
        alpha=np.linspace(0, 500, 26), start=start
    )  # fmt: skip
    return curve, run


_ABOUT = (
    "K = M = 3 units of the error function, rate 0.5. First overlaps with the teacher "
    "are below 0.02. Lines: equations for N to infinity; points: one simulated student."
)


@PAPER.figure("error", "symmetric plateau")
def figure_error(*, quick: bool) -> FigureData:
    """Return the error against alpha: a plateau, and an exponential decay after it."""
    curve, run = _runs(quick)
    return FigureData(
        title="A committee stays on a plateau before its units specialise",
        caption=_ABOUT,
        x_label=r"examples per dimension, $\alpha$",
        y_label="half the mean squared error",
        series=(
            line("theory", curve.alpha, curve.error[0]),
            points("simulation", run.alpha, run.error[0]),
        ),
        y_log=True,
    )


def _columns(result: xr.Dataset, name: str) -> list[tuple[FloatArray, FloatArray]]:
    """Return times and values of every entry of a variable, for the first replica."""
    values = result[name].values[0].reshape(result.sizes["alpha"], -1)
    return [(result["alpha"].values, column) for column in values.T]


@PAPER.figure("overlaps", "symmetric plateau")
def figure_overlaps(*, quick: bool) -> FigureData:
    """Return all overlaps R and Q against alpha."""
    curve, run = _runs(quick)
    series = []
    for name, label in (("R", "$R_{in}$"), ("Q", "$Q_{ik}$")):
        x, y = map(np.concatenate, zip(*_columns(run, name), strict=True))
        series.append(joined(f"{label}, theory", _columns(curve, name)))
        series.append(points(f"{label}, simulation", x, y))
    return FigureData(
        title="Overlaps of students with teachers and with each other",
        caption=_ABOUT + " Each student ends with overlap 1 with one teacher.",
        x_label=r"examples per dimension, $\alpha$",
        y_label="overlap per dimension",
        series=tuple(series),
    )


@PAPER.figure("size", "escape at finite N")
def figure_size(*, quick: bool) -> FigureData:
    """Return the mean escape time against N."""
    sizes, times = _times(quick)
    slope = 1 / (2 * _read(_plateau(Erf(), 2, 1.0), "escape"))
    middle = np.log(sizes).mean()
    return FigureData(
        title="The plateau lasts longer in higher dimensions",
        caption=(
            f"Mean time at which the error of {len(times)} random students is half of "
            "the plateau's, K = M = 2, rate 1. The line has the slope of theory, "
            f"{slope:.2f} per unit of ln N, and goes through the mean point."
        ),
        x_label="number of inputs $N$",
        y_label=r"escape time $\alpha$",
        series=(
            sampled("simulation", sizes, times),
            line("theory", sizes, times.mean() + slope * (np.log(sizes) - middle)),
        ),
        x_log=True,
    )


def _relative(committee: Committee, rate: float, **given: object) -> FloatArray:
    """Return the mean error over its first value."""
    error = simulate(committee, rate, **given).error.mean("replica")
    return np.asarray(error / error[0])


@PAPER.figure("units", "symmetric plateau")
def figure_units(*, quick: bool) -> FigureData:
    """Return learning curves of committees with more and more units."""
    series, replicas = [], 8 if quick else 32
    for k in (2, 4) if quick else (2, 4, 8, _MANY):
        alpha = np.linspace(0, 80 * k, 81)
        given = {"dim": 300, "alpha": alpha, "replicas": replicas}
        error = _relative(Committee(Erf(), k, k), _FAST / k, **given)
        series.append(line(f"K = {k}", alpha / k, error, "simulation"))
    return FigureData(
        title="Committees of up to twelve units",
        caption=(
            "Mean error over its first value, for K = M units, N = 300 and rate 1.5/K, "
            "against alpha/K. The plateau lasts longer than in proportion to K."
        ),
        x_label=r"examples per dimension and unit, $\alpha / K$",
        y_label="error over first error",
        series=tuple(series),
        y_log=True,
    )


@PAPER.figure("activations", "convergence of one unit")
def figure_activations(*, quick: bool) -> FigureData:
    """Return learning curves of several activations on the same tasks."""
    alpha, replicas = np.linspace(0, 300, 61), 16 if quick else 32
    given = {"dim": 500, "alpha": alpha, "replicas": replicas}
    series = [
        line(
            type(activation).__name__,
            alpha,
            _relative(Committee(activation, 3, 3), 0.5, **given),
            "simulation",
        )
        for activation in (Erf(), Tanh(), ReLU())
    ]
    return FigureData(
        title="Three activations",
        caption=(
            f"Mean error of {replicas} students over its first value, K = M = 3, "
            "N = 500, rate 0.5, random starts."
        ),
        x_label=r"examples per dimension, $\alpha$",
        y_label="error over first error",
        series=tuple(series),
        y_log=True,
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
