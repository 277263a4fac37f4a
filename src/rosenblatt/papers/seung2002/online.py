r"""Sections 4 and 6: learning online, and rates that decrease.

At a constant rate the weight of :mod:`rosenblatt.papers.seung2002.problems` never comes
to rest. In the end

.. math:: \langle e^2 \rangle = \frac{\eta}{2 - \eta}\, \sigma^2,   \tag{1}

which is small if the rate is, and so the result is then that of batch learning.

For rates :math:`\eta_t = c\, t^{-a}` the weight of
:mod:`rosenblatt.papers.seung2002.problems` shows all there is:

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

.. math:: t \langle e^2 \rangle \to \frac{c^2 \sigma^2}{2 c \lambda - 1}.   \tag{2}
"""

from __future__ import annotations

from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.core import Schedule
from rosenblatt.core.types import FloatArray
from rosenblatt.linear.gradient import batch, hessian, outputs
from rosenblatt.papers.claims import Kind, Measurement
from rosenblatt.papers.samples import average
from rosenblatt.papers.seung2002.gradient import INPUTS, LABELS, stationary
from rosenblatt.papers.seung2002.problems import (
    BEST,
    NOISE,
    PAPER,
    SEED,
    CautiousTanh,
    distances,
    drawn_order,
    exact,
    follow,
    learned,
)
from rosenblatt.rules import Delta, Linear, Logistic
from rosenblatt.schedules import Constant, Power

estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)


_RATE = 0.02  # a small one


def _updates() -> tuple[FloatArray, FloatArray]:
    """Return the update of each example at rate 1, and the gradient of their mean."""
    rng = np.random.default_rng(SEED)
    X, w = rng.standard_normal((40, 3)), rng.standard_normal(3)
    labels = rng.choice([-1.0, 1.0], 40)
    moved = np.array(
        [
            learned(Delta(Logistic()), X, labels, w, np.array([row])).weights
            for row in range(len(X))
        ]
    )
    once = np.ones(len(X), np.int64)
    gradient = batch(Logistic(), X, labels[:, None], w[None], once).gradient[0]
    return moved - w, gradient


@PAPER.claim(
    "section4/mean-update",
    "section 4, second paragraph",
    quote="On average, the update points in the direction of",
    expect=0.0,
    catches=1e-6,
    allow=(1e-12, "sums are rounded"),
)
def _mean_update() -> float:
    """On average an online update is along minus the gradient (of the mean cost, times
    the rate): largest deviation, logistic outputs.
    """
    changes, gradient = _updates()
    return float(np.abs(changes.mean(axis=0) + gradient).max())


@PAPER.claim(
    "section4/any-direction",
    "section 4, second paragraph",
    quote="any particular update might point in a very different direction",
    expect=0.5,
    catches=0.06,
)
def _uphill(quick: bool) -> Measurement:
    """A particular update may point elsewhere: share of updates that go uphill right
    next to the minimum.

    Targets are +-1 at random, so that the minimum is at zero weights for many examples.
    Next to it the update is +-x, one half of the time along any direction.
    """
    rng = np.random.default_rng(SEED)
    rows = 2000 if quick else 20_000
    X, labels = rng.standard_normal((rows, 3)), rng.choice([-1.0, 1.0], rows)
    direction, tiny = np.array([1.0, 0.0, 0.0]), 1e-6
    # Of the law that examples are drawn from the gradient at tiny * direction is
    # along direction; an update is (label - h) x.
    change = (labels - tiny * X @ direction)[:, None] * X
    return average((change @ direction > 0).astype(np.float64))


@PAPER.claim(
    "section4/constant-{rate:g}",
    "section 4, third paragraph from the end",
    quote="the noise inherent in the method will prevent convergence",
    expect=lambda rate: rate / (2 - rate) * NOISE,
    catches=lambda rate: 0.25 * rate / (2 - rate) * NOISE,
    each={"rate": (0.5, 0.1, 0.02)},
)
def _stall(quick: bool, rate: float) -> Measurement:
    """At a constant rate noise prevents convergence: mean squared distance from the
    minimum in the end, eta sigma^2/(2 - eta), eta = {rate:g}.
    """
    replicas = 1000 if quick else 8000
    late = distances(Constant(rate), (round(20 / rate),), replicas)
    return average(late[:, 0] ** 2)


def small_problem() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs, labels, and the weights that batch learning ends with."""
    rng = np.random.default_rng(SEED)
    X, y = rng.standard_normal((30, 3)) / 2, rng.integers(0, 2, 30)
    model = estimators.GradientPerceptron(
        Linear(),
        Constant(2.0),
        presentation="batch",
        max_iter=1000,
        fit_intercept=False,
    ).fit(X, y)
    return X, np.where(y > 0, 1.0, -1.0), np.asarray(model.coef_[0])


def _small_expected(quick: bool) -> float:
    """Return the exact stationary value: the covariance solves a linear equation."""
    X, labels, best = small_problem()
    size = X.shape[1]
    noise = ((labels - X @ best) ** 2)[:, None, None] * X[:, :, None] * X[:, None, :]
    step = np.eye(size) - _RATE * X[:, :, None] * X[:, None, :]
    both = np.einsum("kij,kab->iajb", step, step).reshape(size**2, size**2) / len(X)
    right = (_RATE**2 * noise.mean(axis=0)).ravel()
    covariance = np.linalg.solve(np.eye(size**2) - both, right).reshape(size, size)
    return float(np.trace(covariance)) / _RATE


@PAPER.claim(
    "section4/small-rate",
    "section 4, third paragraph",
    quote="to converge to the same result as gradient descent",
    expect=_small_expected,
    catches=0.2,
)
def _small(quick: bool) -> Measurement:
    """With a small rate online learning ends near where batch learning does: mean
    squared distance of the two over the rate, 0.02, three weights.

    Each run gives a mean over time, after 10 times of relaxation and up to 20.
    """
    X, labels, best = small_problem()
    slowest = float(np.linalg.eigvalsh(X.T @ X / len(X))[0])
    times = np.rint(np.linspace(10, 20, 41) / (_RATE * slowest)).astype(np.int64)
    found = [
        follow(
            Delta(Linear()),
            Constant(_RATE),
            X,
            labels,
            best,
            drawn_order(len(X), int(times[-1]), 4, replica),
            times,
        )
        for replica in range(100 if quick else 1000)
    ]
    away = ((np.array(found) - best) ** 2).sum(axis=-1)
    return average(away.mean(axis=1) / _RATE)


_SHOWN: dict[str, Schedule] = {
    "constant, 0.1": Constant(0.1),
    "1/t": Power(1.0, 1.0),
    "0.2/t: forgets too slowly": Power(0.2, 1.0),
    "t^(-1/4): sum of squares diverges": Power(1.0, 0.25),
    "t^(-3/2)/2: sum converges": Power(0.5, 1.5),
}


_FAST = Power(0.5, 1.5)


_OFFSET = 1000.0  # examples that count as seen already by a nonlinear output


_STEPS = 5000  # examples that it then learns from


# a rate c/(t + 1000) makes the mean over t gradients one over t + 1000
_LINEAR = (_STEPS / (_STEPS + _OFFSET)) ** 2


@PAPER.claim(
    "section6/sum-converges",
    "section 6, first condition",
    quote="sum_{t=0}^{infty} eta_t = infty",
    expect=lambda: float(-exact(_FAST, np.array([2000]))[0][0] / BEST),
    catches=0.08,
)
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


@PAPER.claim(
    "section6/limit-points",
    "section 6, last sentence",
    quote="every limit point of the sequence w_t is a stationary point",
    expect=_LINEAR,
    catches=0.02,
    allow=(
        0.01,
        "the cost is not quadratic: the next order is smaller by about 1/t "
        "times the third and fourth derivatives, which are of order 100 here",
    ),
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


@PAPER.claim(
    "section6/one-over-t",
    "sections 4 and 6",
    quote="causing noise to be suppressed by effectively averaging over many steps",
    expect=1.0,
    catches=0.25,
)
def _one_over_t(quick: bool) -> Measurement:
    """Rates 1/t meet both conditions and converge: t times the mean squared distance
    from the minimum over the variance of targets, t = 1000.
    """
    found = distances(Power(1.0, 1.0), (1000,), 1000 if quick else 8000)[:, 0]
    return average(found**2 / (NOISE / 1000))


_SIGN, _SIGNED = Power(1.0, 1.0, 1.0), 100


@PAPER.erratum(
    "update",
    "section 6",
    quote="Delta w = eta nabla_w e(w, x, y)",
    kind=Kind.MISPRINT,
    formula=lambda: float(exact(_SIGN, np.array([_SIGNED]), sign=1.0)[1][0]),
    expect=lambda: float(exact(_SIGN, np.array([_SIGNED]))[1][0]),
)
def _climbs(quick: bool) -> Measurement:
    """Descent has a minus: Delta w = -eta grad e, as sections 2 and 4 have it. Section
    6 prints a plus, twice, and the weights climb.

    Mean squared distance of one weight from its best value after 100 examples, at rates
    of 1/(1 + t), from 1/4.
    """
    found = distances(_SIGN, (_SIGNED,), 500 if quick else 2000)[:, 0]
    return average(found**2)


@PAPER.erratum(
    "index",
    "section 6",
    quote="sum_{mu=1}^m nabla_w e(w, x, y)",
    kind=Kind.MISPRINT,
    formula=-1 / 8,
    expect=(-1 / 8 + 2 / 8) / 2,
    allow=(1e-9, "sums are rounded"),
)
def _index() -> float:
    """The terms of the sum have the examples x^mu and y^mu, as the line above has.

    Gradient of the mean cost of two examples, inputs 1 and 2, targets 1 and 0, logistic
    output at weight 0; as printed, m times the first example's over m.
    """
    # An example's gradient is -(target - 1/2) x / 4.
    X, labels, w = np.array([[1.0], [2.0]]), np.array([[1.0], [-1.0]]), np.zeros((1, 1))
    return float(batch(Logistic(), X, labels, w, np.ones(2, np.int64)).gradient[0, 0])
