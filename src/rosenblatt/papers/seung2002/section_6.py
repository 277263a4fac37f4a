r"""Section 6: stochastic approximation, and rates that violate its conditions.

For rates :math:`\eta_t = c\, t^{-a}` the weight of
:mod:`rosenblatt.papers.seung2002.walks` shows all there is:

* :math:`a = 1`, :math:`c = 1`: it is the average of its targets, and
  :math:`t \langle e^2 \rangle = \sigma^2`, as good as can be.
* :math:`a = 1`, :math:`c < 1/2`: both conditions hold, but the start is forgotten as
  :math:`t^{-c}` only. So "proportional to 1/t" is not enough: :math:`c` must be above
  1/2 over the curvature.
* :math:`a > 1`: the sum of rates converges, and so does the weight, to a wrong value:
  :math:`e_\infty = e_0 \prod_t (1 - \eta_t)` on average.
* :math:`a \le 1/2`: the sum of squares diverges, and nothing bad happens:
  :math:`\langle e^2 \rangle \to \eta_t \sigma^2 / 2`. The second condition is
  sufficient, not necessary; with bounded noise it is enough that rates vanish faster
  than :math:`1 / \ln t`.
* :math:`a = 0`: it stays noisy.

At a minimum of a nonlinear output with curvature :math:`\lambda`, where gradients of
single examples have the variance :math:`\sigma^2`, the rate :math:`c / t` gives

.. math:: t \langle e^2 \rangle \to \frac{c^2 \sigma^2}{2 c \lambda - 1}.   \tag{1}
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core import Schedule
from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure
from rosenblatt.papers.estimates import average, power_law
from rosenblatt.papers.series import joined, points
from rosenblatt.papers.seung2002.problems import CautiousTanh, drawn_order, follow
from rosenblatt.papers.seung2002.section_3 import INPUTS, LABELS, stationary
from rosenblatt.papers.seung2002.walks import BEST, NOISE, distances, exact
from rosenblatt.rows.gradient import hessian, outputs
from rosenblatt.rules import Delta
from rosenblatt.schedules import Constant, Power

__all__ = ["CLAIMS", "figure_schedules"]

_SHOWN: dict[str, Schedule] = {
    "constant, 0.1": Constant(0.1),
    "1/t": Power(1.0, 1.0),
    "0.2/t: forgets too slowly": Power(0.2, 1.0),
    "t^(-1/4): sum of squares diverges": Power(1.0, 0.25),
    "t^(-3/2)/2: sum converges": Power(0.5, 1.5),
}
_SLOW = Power(0.2, 1.0)
_FAST = Power(0.5, 1.5)
_WIDE = Power(1.0, 0.25)
_OFFSET = 1000.0  # examples that count as seen already by a nonlinear output
_STEPS = 5000  # examples that it then learns from
# a rate c/(t + 1000) makes the mean over t gradients one over t + 1000
_LINEAR = (_STEPS / (_STEPS + _OFFSET)) ** 2


@figure("seung2002/schedules", "sections 4 and 6")
def figure_schedules(*, quick: bool) -> FigureData:
    """Show the squared distance from the minimum for five schedules."""
    last, replicas, count = (3000, 20, 12) if quick else (30_000, 100, 14)
    times = np.unique(np.geomspace(1, last, count).astype(np.int64))
    when, series, curves = times.tolist(), [], []
    for name, schedule in _SHOWN.items():
        found = distances(schedule, tuple(when), replicas) ** 2
        series.append(points(name, when, found.mean(axis=0)))
        curves.append((when, exact(schedule, times)[1]))
    return FigureData(
        title="Rates that converge, and rates that do not",
        caption=(
            "Mean squared distance of one weight from the mean of its targets, which "
            f"it learns from one at a time: exactly, and in {replicas} runs. A constant"
            " rate stalls. If the sum of rates converges, the weight stops short. 1/t "
            "needs a factor above 1/2. A sum of squares that diverges does no harm as "
            "long as the rate vanishes."
        ),
        x_label="examples $t$",
        y_label="squared distance",
        series=(*series, joined("exactly", curves)),
        x_log=True,
        y_log=True,
    )


def _scaled(schedule: Schedule, time: int, unit: float, quick: bool) -> Measurement:
    """Return the mean squared distance at a time, in some unit."""
    found = distances(schedule, (time,), 1000 if quick else 8000)[:, 0]
    return average(found**2 / unit)


def _slow_expected(quick: bool) -> float:
    times = np.array([100, 300, 1000, 3000])
    _, square = exact(_SLOW, times)
    return float(np.polyfit(np.log(times), np.log(square), 1)[0])


@claim("seung2002/section6/sum-converges", "section 6, first condition")
@expect(lambda quick: float(-exact(_FAST, np.array([2000]))[0][0] / BEST), catches=0.08)
def _stopped(quick: bool) -> Measurement:
    """A sum of rates that converges stops short of the minimum: share of the way that
    is left after rates of t^(-3/2)/2, up to t = 2000.
    """
    found = distances(_FAST, (2000,), 1000 if quick else 8000)[:, 0]
    return average(-found / BEST)


def _limit(scale: float) -> tuple[float, float, float]:
    """Return the better minimum of section 3's example, and eq. (1) there."""
    left = stationary()[0]
    activation = CautiousTanh()
    curvature = float(hessian(activation, INPUTS, LABELS, np.array([left]))[0, 0])
    value, slope = outputs(activation, INPUTS[:, 0] * left)
    gradients = (0.9 * LABELS - value) * slope * INPUTS[:, 0]
    noise = float(np.mean(gradients**2))
    return left, curvature, scale**2 * noise / (2 * scale * curvature - 1)


@claim("seung2002/section6/limit-points", "section 6, last sentence")
@expect(_LINEAR, catches=0.02)
@allow(
    0.01,
    "the cost is not quadratic: the next order is smaller by about 1/t "
    "times the third and fourth derivatives, which are of order 100 here",
)
def _nonlinear(quick: bool) -> Measurement:
    """Rates that meet both conditions lead to stationary points of nonlinear costs too.
    The quantity is t times the mean squared distance from a minimum of the smallest
    example with two minima. The unit is c^2 sigma^2/(2 c lambda - 1), the rate c/(t +
    1000) with c one over the curvature, and t = 5000.

    There the two examples have opposite gradients. To lowest order the distance is
    proportional to the difference of how often they were drawn. Its known variance
    replaces that of the sample.
    """
    left, curvature, _ = _limit(1.0)
    scale = 1 / curvature
    _, _, limit = _limit(scale)
    schedule, found = Power(scale, 1.0, _OFFSET), []
    for replica in range(200 if quick else 1500):
        order = drawn_order(2, _STEPS, 6, replica)
        [end] = follow(
            Delta(CautiousTanh()),
            schedule,
            INPUTS,
            LABELS,
            np.array([left]),
            order,
            np.array([_STEPS]),
        )
        more = float(np.sum(2 * order - 1)) ** 2 / _STEPS  # 1 on average
        found.append(_STEPS * (end[0] - left) ** 2 / limit - _LINEAR * (more - 1))
    return average(np.array(found))


@claim("seung2002/section6/one-over-t", "sections 4 and 6")
@expect(1.0, catches=0.25)
def _one_over_t(quick: bool) -> Measurement:
    """Rates 1/t meet both conditions and converge: t times the mean squared distance
    from the minimum over the variance of targets, t = 1000.
    """
    return _scaled(Power(1.0, 1.0), 1000, NOISE / 1000, quick)


@claim("seung2002/section6/prefactor", "section 4, popular choice")
@expect(_slow_expected, catches=0.05)
def _slow_exponent(quick: bool) -> Measurement:
    """Rates proportional to 1/t must be large enough. Exponent of the mean squared
    distance for 0.2/t, from t = 100 to 3000 (-0.4 in the end, where 1/t has -1).
    """
    times = (100, 300, 1000, 3000)
    found = distances(_SLOW, times, 200 if quick else 1000)
    return power_law(np.array(times, dtype=float), found**2)


@claim("seung2002/section6/squares-diverge", "section 6, second condition")
@expect(
    lambda quick: float(np.divide(*exact(_WIDE, np.array([30, 3000]))[1][::-1])),
    catches=0.08,
)
def _squares_diverge(quick: bool) -> Measurement:
    """A sum of squared rates that diverges does no harm if rates vanish. Mean squared
    distance for t^(-1/4) at t = 3000 over its value at t = 30. The ratio of rates is
    0.32.
    """
    return _scaled(_WIDE, 3000, float(exact(_WIDE, np.array([30]))[1][0]), quick)


CLAIMS = (_one_over_t, _slow_exponent, _stopped, _squares_diverge, _nonlinear)
