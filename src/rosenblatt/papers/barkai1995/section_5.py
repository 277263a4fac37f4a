r"""Section 5: the perceptron rule without normalisation, at a constant rate.

The angle follows eq. (4) with the effective rate :math:`\eta / |W|`, and the length

.. math::
    \frac{d|W|}{d\alpha} = -\frac{\eta (1 - \cos\theta)}{\sqrt{2\pi}}
        + \frac{\eta^2 \theta}{2\pi |W|}.   \tag{1}

The effective rate falls so slowly that the angle follows it, :math:`\theta = \eta /
(|W| \sqrt{2\pi})` by eq. (5). Then half of the last term of eq. (1) is left, and

.. math::
    |W|^3 = \frac{3 \eta^3 \alpha}{2 (2\pi)^{3/2}}, \qquad
    |W| = \left(\tfrac32\right)^{1/3} \frac{\eta\, \alpha^{1/3}}{\sqrt{2\pi}}, \qquad
    \epsilon_g = \left(\tfrac23\right)^{1/3} \frac{\alpha^{-1/3}}{\pi}.   \tag{2}

At finite N eq. (5) holds for :math:`\langle\theta^2\rangle / \langle\theta\rangle`
(:mod:`.equations`), so that the mean angle is smaller by :math:`1 + v`, with :math:`v =
(2 - \pi/2) / N` the relative variance at a constant rate (:mod:`.equations`, eq. 3, for
:math:`\eta_0 \to \infty`). For small angles the mean of :math:`|W|^2` grows by
:math:`\eta^2 \langle\theta\rangle / 2\pi` at every N; with that, :math:`|W|` in
eq. (2) is smaller by :math:`(1 + v)^{1/3}` and the error by :math:`(1 + v)^{2/3}`.

Not counted as a mistake, since no number is wrong: the paper says that the exponent
follows from its eq. (6), which is about rates that fall as 1/alpha. It follows from
eq. (5) and the text on z < 1.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import residual_error, simulated
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure, fill
from rosenblatt.papers.estimates import average, power_law, ratio
from rosenblatt.papers.series import line
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant
from rosenblatt.theory.closed import perceptron

__all__ = ["CLAIMS", "ERROR", "LENGTH", "curve", "figure_baum"]

LENGTH = 1.5 ** (1 / 3) / math.sqrt(2 * math.pi)  # of alpha^(1/3), at rate 1: eq. (2)
ERROR = (2 / 3) ** (1 / 3) / math.pi  # of alpha^(-1/3)
_DIM = 50
_SMALLER = 1 + (2 - math.pi / 2) / _DIM  # 1 + v
_BEGIN = 1e3  # of the fits: what the start was matters less than the error bars


def _end(quick: bool) -> float:
    return 1e5 if quick else 1e6


@functools.lru_cache(maxsize=2)
def _runs(quick: bool) -> xr.Dataset:
    decades = round(math.log10(_end(quick)))
    return simulated(
        Perceptron(),
        Constant(1.0),
        dim=_DIM,
        # many: late errors are soon independent of each other
        alpha=np.logspace(-1, decades, 20 * (decades + 1) + 1),
        replicas=16 if quick else 32,
    )


def curve(alpha: FloatArray) -> FloatArray:
    """Return angles and lengths for N to infinity at rate 1, from R = 0 and |W| = 1.

    Examples
    --------
    >>> angle, length = curve(np.array([1e12]))
    >>> round(float(length[0]) / 1e4, 5)
    0.45667
    """
    found = solve_ivp(
        lambda _, state: perceptron.plain_drift(state[0], state[1], 1.0),
        (0.0, alpha[-1]),
        [0.5 * math.pi, 1.0],
        t_eval=alpha,
        method="LSODA",
        rtol=1e-9,
        atol=1e-12,
    )
    return np.asarray(found.y)


@functools.lru_cache(maxsize=2)
def _theory(quick: bool) -> xr.Dataset:
    """Return the curve for N to infinity at the times of the simulations."""
    alpha = _runs(quick)["alpha"].values
    angle, length = curve(alpha)
    rows = {"error": ("alpha", angle / math.pi), "norm": ("alpha", length)}
    return xr.Dataset(rows, coords={"alpha": alpha})


def _band(name: str, values: xr.DataArray) -> Series:
    low, high = np.quantile(values, [0.05, 0.95], axis=0).tolist()
    alpha, mean = values["alpha"].values.tolist(), values.mean("replica").values
    return Series(name, alpha, mean.tolist(), "simulation", low=low, high=high)


@figure("barkai1995/baum", "section 5")
def figure_baum(*, quick: bool = False) -> FigureData:
    """Return error and length without normalisation."""
    run, theory = _runs(quick), _theory(quick)
    alpha = theory["alpha"].values.tolist()
    late = np.geomspace(10.0, _end(quick), 50)
    laws = {
        "0.457 alpha^(1/3)": LENGTH * late ** (1 / 3),
        "0.278 alpha^(-1/3)": ERROR * late ** (-1 / 3),
    }
    return FigureData(
        title="The perceptron rule without normalisation, at rate 1",
        caption=(
            f"Length |W| and error in {run.sizes['replica']} simulations at N = {_DIM} "
            "(means, with bands that hold 90%) and for N to infinity. The power laws "
            "are those of the paper, with the factors that follow from its eqs. (4) "
            "and (5)."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"length $|W|$ and error $\epsilon_g$",
        series=(
            _band(f"|W|, N = {_DIM}", run["norm"]),
            _band(f"error, N = {_DIM}", run["error"]),
            line("|W|, theory", alpha, theory["norm"].values),
            line("error, theory", alpha, theory["error"].values),
            *(line(name, late, law, role="published") for name, law in laws.items()),
        ),
        x_log=True,
        y_log=True,
    )


def _late(run: xr.Dataset) -> xr.Dataset:
    """Return the times that exponents are fitted to."""
    return run.sel(alpha=slice(0.99 * _BEGIN, None))


def _exponent(name: str, quick: bool) -> Measurement:
    late = _late(_runs(quick))
    return power_law(late["alpha"].values, late[name].values)


def _slope(name: str, quick: bool) -> float:
    """Return the exponent for N to infinity at these times, which is near the limit."""
    late = _late(_theory(quick))
    logarithms = np.log(late["alpha"].values), np.log(late[name].values)
    return float(np.polyfit(*logarithms, 1)[0])


def _scaled(run: xr.Dataset, name: str, quick: bool) -> FloatArray:
    """Return the factor of the power law, averaged over the last decade."""
    last = run.sel(alpha=slice(0.099 * _end(quick), None))
    power = 1 / 3 if name == "norm" else -1 / 3
    return np.asarray((last[name] * last["alpha"] ** -power).mean("alpha").values)


def _factor(name: str, quick: bool) -> float:
    less = _SMALLER ** (1 / 3 if name == "norm" else 2 / 3)
    return float(_scaled(_theory(quick), name, quick) / less)


@claim("barkai1995/baum/effective-rate", "section 5")
@expect(1.0)
# z/alpha of the angle's law, over the angle, at alpha = 1e4
@allow(
    1e4 ** (-2 / 3) / (3 * math.pi * ERROR), "the angle follows the rate with a delay"
)
def _effective(quick: bool) -> Measurement:
    """Without normalisation the error is governed by the rate eta/|W|: mean squared
    error times |W|/eta over mean error, in units of eq. (5).
    """
    last = _runs(quick).sel(alpha=slice(0.099 * _end(quick), None))
    error, length = last["error"].values, last["norm"].values
    found = ratio((error**2 * length).mean(axis=1), error.mean(axis=1))
    unit = residual_error(1.0)
    return Measurement(found.value / unit, found.stderr / unit)


def _law(name: str, what: str, exponent: float) -> Claim:
    @claim(f"barkai1995/baum/{what}", "section 5", published=exponent)
    @expect(lambda quick: _slope(name, quick), catches=0.03)
    # |W|^3 = const + alpha (3/2) (2 pi)^(-3/2), with const of order 1; the angle's
    # own correction is of the same size
    @allow(
        5 / _BEGIN, "the published exponent is a limit, and the start matters before"
    )
    @fill(what=what, sign="-" if exponent < 0 else "")
    def measure(quick: bool) -> Measurement:
        """Without normalisation, at a constant rate, the {what} goes as
        alpha^({sign}1/3): exponent in simulations at N = 50 from alpha = 1e3 to 1e6
        (quick: 1e5).
        """
        return _exponent(name, quick)

    return measure


def _amplitude(name: str, what: str) -> Claim:
    @claim(f"barkai1995/baum/{what}-factor", "section 5")
    @expect(lambda quick: _factor(name, quick))
    @allow(ERROR / _DIM**2, "the law is the first order in 1/N")
    @fill(what=what)
    def measure(quick: bool) -> Measurement:
        """The factor of the power of alpha in the {what}, without normalisation. It is
        (3/2)^(1/3)/(2 pi)^(1/2) = 0.457 for the length and (2/3)^(1/3)/pi = 0.278 for
        the error. At N = 50 these are divided by (1 + v)^(1/3) and (1 + v)^(2/3), v =
        (2 - pi/2)/N.
        """
        return average(_scaled(_runs(quick), name, quick))

    return measure


CLAIMS = (
    _law("norm", "length", 1 / 3),
    _law("error", "error", -1 / 3),
    _amplitude("norm", "length"),
    _amplitude("error", "error"),
    _effective,
)
