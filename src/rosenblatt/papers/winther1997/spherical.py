r"""Sections 1 to 3: predictions, and the spherical prior, eqs. (1) to (9).

The paper's :math:`\rho` is N times ours; its learner is
:class:`rosenblatt.rules.SphericalBayes`. Since posterior means are what the teacher is
on average, the overlap with the teacher and the squared length per weight are the same
order parameter, :math:`R \sqrt Q = Q = q`. A learner says the label +1 with the
probability :math:`\kappa + (1 - 2 \kappa)\, \Phi(h / \sqrt{1 - q})`, which is eq. (7).

Predictions are tried with drawn inputs: fields and labels are drawn, and what is right
is counted; no formula of the theory is used.

Not counted, since it is a matter of letters: eqs. (2) and (3) have :math:`s^{\tau+1}`
where the new example :math:`s^{m+1}` is meant, and eqs. (9) and (11) are to be read
with :math:`\rho` held fixed in the derivatives.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp
from scipy.special import erfcx, ndtr

from rosenblatt.core import BeliefRule
from rosenblatt.core.figures import FigureData
from rosenblatt.core.gaussian import nodes, normal_density
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Kind, Measurement, Paper
from rosenblatt.papers.samples import average, line, power_law, power_of_size
from rosenblatt.rules import DiagonalBayes, FullBayes, Hebb, SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.teachers import Sign
from rosenblatt.theory import batch_posterior, calibration, solve_batch, solve_online
from rosenblatt.theory.closed import spherical_bayes

__all__ = ["PAPER", "SEED", "best_growth", "figure_calibration", "simulated"]

PAPER = Paper(
    key="winther1997",
    citation="O. Winther, S. A. Solla: Bayesian online learning in the perceptron. "
    "Connect, The Niels Bohr Institute (1997).",
    outline="abstract, section 1, section 2, eqs. (1) to (5), footnote 1, section 3, "
    "eqs. (6) to (11), figure 1, section 4",
)
SEED = 1997  # of everything random in this paper's claims and figures
simulated = functools.partial(simulate, seed=SEED, progress=False)
TIMES = (1.0, 5.0, 20.0)
DIM = 10_000  # finite-size corrections are O(1/N)
ALPHA = TIMES[1]  # at which students make predictions
NOISE = 0.1
STATES = (0.1, 0.5, 0.9)  # q
SIZES = (100, 400, 1600, 6400)  # N of power laws
TESTS = 100_000  # new examples for each student
LATE = 1e5  # alpha at which a limit is taken
FINITE = (1 / DIM, "the statement is for N to infinity, corrections are O(1/N)")
ROUNDED = (1e-10, "quadratures are rounded")


@functools.lru_cache(maxsize=8)
def runs(noise: float, assumed: float, quick: bool) -> xr.Dataset:
    """Return learning curves of eq. (9) for a learner that assumes some noise."""
    return simulated(
        SphericalBayes(noise=assumed),
        Constant(1.0),
        Sign(noise=noise),
        dim=DIM,
        alpha=TIMES,
        replicas=12 if quick else 60,
    )


@functools.lru_cache(maxsize=4)
def predictions(noise: float, quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return probabilities of the predicted labels, and which are right.

    One row per student, which knows the noise of the labels.
    """
    run = runs(noise, noise, quick).sel(alpha=ALPHA)
    cosine = np.asarray(run["overlap"])[:, None]
    length = np.asarray(run["norm"])[:, None]
    rng = np.random.default_rng([SEED, round(100 * noise)])
    field, rest = rng.standard_normal((2, len(cosine), TESTS))
    teacher = cosine * field + np.sqrt(1 - cosine**2) * rest
    label = np.sign(teacher) * np.where(rng.random(field.shape) < noise, -1, 1)
    said = noise + (1 - 2 * noise) * ndtr(
        length * np.abs(field) / np.sqrt(1 - length**2)
    )
    return said, label == np.sign(field)


@PAPER.claim(
    "eq7/noise{noise:g}-from{low:g}",
    "eq. (7)",
    quote="straight forward to write down the predictive probability",
    expect=0.0,
    catches=0.02,
    allow=FINITE,
    each={
        "noise,low,high": [
            (0.0, 0.6, 0.7),
            (0.0, 0.9, 1.0),
            (0.1, 0.6, 0.7),
            (0.1, 0.8, 0.9),
        ]
    },
)
def _probability(quick: bool, noise: float, low: float, high: float) -> Measurement:
    """Eq. (7) gives the probability of the label: share of right predictions among
    those with a predicted probability of {low:g} to {high:g}, less the mean of that;
    alpha = {ALPHA:g}, noise {noise:g}.
    """
    said, right = predictions(noise, quick)
    chosen = (said >= low) & (said < high)
    surplus = np.where(chosen, right - said, 0.0).sum(axis=1) / chosen.sum(axis=1)
    return average(surplus)


@PAPER.claim(
    "eq5/counted",
    "eq. (5)",
    quote="we get the generalization error of the Bayes algorithm",
    expect=0.0,
    catches=0.005,
    allow=FINITE,
)
def _doubt(quick: bool) -> Measurement:
    """The mean of the smaller predictive probability over new inputs is the share of
    wrong predictions: their difference for simulated students, alpha = {ALPHA:g}, noise
    {NOISE:g}.
    """
    said, right = predictions(NOISE, quick)
    return average((1 - said).mean(axis=1) - (1 - right.mean(axis=1)))


@PAPER.claim(
    "eq8/q{q:g}",
    "eqs. (5) and (8)",
    quote="the Bayes error rate [12]",
    formula=lambda q: NOISE + (1 - 2 * NOISE) * math.acos(math.sqrt(q)) / math.pi,
    catches=1e-6,
    allow=ROUNDED,
    each={"q": STATES},
)
def _integral(q: float) -> float:
    """The error of the Bayes classifier, eq. (5), is eq. (8): the integral of the
    smaller predictive probability at q = {q:g}, noise {NOISE:g}.
    """
    v, weight = nodes([0.0])
    said = NOISE + (1 - 2 * NOISE) * ndtr(math.sqrt(q / (1 - q)) * v)
    return float(weight @ np.minimum(said, 1 - said))


@PAPER.claim(
    "section2/gibbs",
    "footnote 1",
    quote="clearly higher than the error of the Bayes algorithm",
    above=0.0,
)
def _gibbs(quick: bool) -> Measurement:
    """Labels drawn with their predictive probabilities are wrong more often than the
    likelier ones: difference of the two, counted, alpha = {ALPHA:g}, no noise.
    """
    said, right = predictions(0.0, quick)
    drawn = np.random.default_rng([SEED, 5]).random(said.shape) < said
    return average((right * 1.0 - (right == drawn)).mean(axis=1))


def best_growth(q: float, noise: float) -> float:
    r"""Return the fastest growth of the overlap with the teacher that a gain can give.

    With gain :math:`g(v, y)` for a field :math:`\sqrt q\, v`, the cosine :math:`R =
    \sqrt q` of a student of this length grows by :math:`\langle g\, (b - R v) \rangle /
    \sqrt q - R \langle g^2 \rangle / 2 q`. This is a quadratic function of the values
    of g, with its maximum at :math:`g = \sqrt q\, \langle b - R v \mid v, y \rangle /
    R`.
    """
    v, weight = nodes([])
    rest = math.sqrt(1 - q)
    growth = 0.0
    for label in (-1.0, 1.0):
        t = label * math.sqrt(q) * v / rest
        chance = noise + (1 - 2 * noise) * ndtr(t)
        # E[b - R v; y | v] for a teacher's field b = R v + rest * r
        towards = label * rest * (1 - 2 * noise) * normal_density(t)
        # R = sqrt(q); where no label of this kind is, nothing is gained
        gain = np.divide(towards, chance, out=0 * chance, where=chance > 0)
        growth += float(
            weight
            @ (gain * towards / math.sqrt(q) - 0.5 * chance * gain**2 / math.sqrt(q))
        )
    return growth


@functools.cache
def _fastest(noise: float) -> FloatArray:
    """Return errors of the student that turns to the teacher as fast as possible."""
    found = solve_ivp(
        # dq/dalpha = 2 R dR/dalpha with R = sqrt(q)
        lambda _, q: [2 * math.sqrt(q[0]) * best_growth(float(q[0]), noise)],
        (0.0, TIMES[-1]),
        [1e-9],
        t_eval=TIMES,
        rtol=1e-8,
        atol=1e-12,
    )
    return np.asarray(noise + (1 - 2 * noise) * np.arccos(np.sqrt(found.y[0])) / np.pi)


@PAPER.claim(
    "eq9/best-q{q:g}-noise{noise:g}",
    "section 2, text before eq. (4)",
    quote="makes optimal use of the information",
    expect=1.0,
    catches=1e-6,
    allow=ROUNDED,
    each={"q": STATES, "noise": (0.0, NOISE)},
)
def _best(q: float, noise: float) -> float:
    """Eq. (9) is the step that brings the student closest to the teacher: its growth of
    the overlap at q = {q:g}, noise {noise:g}, relative to the best over all gains.
    """
    return spherical_bayes.drift(q, noise) / (2 * math.sqrt(q) * best_growth(q, noise))


@PAPER.claim(
    "eq9/noise{noise:g}-alpha{alpha:g}",
    "text after eq. (9)",
    quote="variational principle for maximizing the average generalization gain",
    expect=lambda noise, alpha: _fastest(noise)[TIMES.index(alpha)],
    catches=lambda alpha: 0.0025 if alpha < 20 else 0.0015,
    allow=FINITE,
    each={"noise": (0.0, NOISE), "alpha": TIMES},
)
def _error(quick: bool, noise: float, alpha: float) -> Measurement:
    """Eq. (9) has the learning curve of the rule that maximises the gain of each step:
    error at alpha = {alpha:g}, noise {noise:g}; N = {DIM}. Expected from the growth of
    the overlap, maximised over all gains and integrated.
    """
    return average(np.asarray(runs(noise, noise, quick)["error"].sel(alpha=alpha)))


@PAPER.claim(
    "section2/lower-bound",
    "section 2, text before eq. (4)",
    quote="gives a lower bound for the generalization error of any algorithm",
    above=0.0,
)
def _advantage(quick: bool) -> Measurement:
    """Another algorithm with as much memory is worse: error of Hebb's rule less that of
    eq. (9) at alpha = {ALPHA:g}, N = {DIM}.
    """
    other = simulated(
        Hebb(), Constant(1.0), dim=DIM, alpha=ALPHA, replicas=12 if quick else 60
    )
    hebb = average(np.asarray(other["error"])[:, 0])
    bayes = average(np.asarray(runs(0.0, 0.0, quick)["error"].sel(alpha=ALPHA)))
    return Measurement(hebb.value - bayes.value, math.hypot(hebb.stderr, bayes.stderr))


@PAPER.claim(
    "eq9/self-averaging",
    "text after eq. (9)",
    quote="the order parameter is expected to be self averaging",
    expect=-1.0,
    catches=0.25,
    allow=(0.02, "the next order, relative 1/N, at N = 100"),
)
def _self_averaging(quick: bool) -> Measurement:
    """The variance of <w>.<w>/N falls as 1/N: its power of N from 100 to 3200, alpha =
    {ALPHA:g}.
    """
    sizes, squares = np.array([100.0, 800.0, 6400.0]), []
    for dim in sizes.astype(int).tolist():
        run = simulated(
            SphericalBayes(),
            Constant(1.0),
            dim=dim,
            alpha=ALPHA,
            replicas=500 if quick else 1000,
        )
        q = np.asarray(run["norm"])[:, 0] ** 2
        squares.append((q - q.mean()) ** 2)
    return power_law(sizes, np.array(squares).T)


@PAPER.claim(
    "section1/batch",
    "section 1",
    quote="the inferior generalization performance of the Bayesian online algorithm",
    above=0.0,
)
def _inferior(quick: bool) -> Measurement:
    """Learning from all examples at once is better: error of eq. (9) less that of the
    posterior of all examples, found by expectation propagation; alpha = {ALPHA:g}, N =
    100.
    """
    dim, samples = 100, 8 if quick else 40
    online = simulated(
        SphericalBayes(), Constant(1.0), dim=dim, alpha=ALPHA, replicas=20 * samples
    )
    errors = []
    for sample in range(samples):
        rng = np.random.default_rng([SEED, sample])
        teacher = rng.standard_normal(dim)
        inputs = rng.standard_normal((round(ALPHA * dim), dim)) / math.sqrt(dim)
        found = batch_posterior(inputs, np.sign(inputs @ teacher)).mean
        lengths = float(np.linalg.norm(found) * np.linalg.norm(teacher))
        errors.append(math.acos(float(found @ teacher) / lengths) / math.pi)
    one, other = average(np.asarray(online["error"])[:, 0]), average(np.array(errors))
    return Measurement(one.value - other.value, math.hypot(one.stderr, other.stderr))


@PAPER.claim(
    "section1/twice",
    "section 1",
    quote="in many cases are not much worse than batch algorithms",
    expect=2.0,
    catches=0.01,
    allow=(1e-3, "it is a limit, and 1/alpha is left out"),
)
def _twice() -> float:
    """On-line learning is not much worse than batch learning: in the end eq. (9) needs
    twice as many examples as the best batch learner. Ratio of the errors at alpha =
    {LATE:g}, from the flow of the overlap and from the replica equations.
    """
    online, batch = (
        float(curve["error"].sel(learner="bayes")[0])
        for curve in (solve_online([LATE]), solve_batch([LATE]))
    )
    return online / batch


def _full_filter(dim: int, quick: bool) -> Measurement:
    """Return the error at alpha = 20 of Gaussian filters, by a plain loop, for k = 0.

    They keep the whole covariance; units are the paper's.
    """
    rng, runs = np.random.default_rng([SEED, dim]), (800 if quick else 1600) // dim
    teacher, means = rng.standard_normal((runs, dim)), np.zeros((runs, dim))
    covariance = np.tile(np.eye(dim), (runs, 1, 1))
    for _ in range(round(TIMES[-1] * dim)):
        s = rng.standard_normal((runs, dim))
        tau = np.sign((teacher * s).sum(axis=1))
        across = np.matmul(covariance, s[:, :, None])[:, :, 0]
        across /= np.sqrt((across * s).sum(axis=1))[:, None]
        u = tau * (means * s).sum(axis=1) / (across * s).sum(axis=1)
        f = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))  # (ln Phi)'
        means += (tau * f)[:, None] * across
        covariance -= (f * (u + f) * across.T).T[:, :, None] * across[:, None, :]
    cosine = (means * teacher).sum(axis=1) / np.linalg.norm(means, axis=1)
    return average(np.arccos(cosine / np.linalg.norm(teacher, axis=1)) / math.pi)


@functools.lru_cache(maxsize=8)
def _filtered(rule: BeliefRule, dim: int, quick: bool) -> Measurement:
    """Return the error of a filter at alpha = 20."""
    replicas = 40 if quick else 12_000 // dim
    run = simulated(rule, Constant(1.0), dim=dim, alpha=TIMES[-1], replicas=replicas)
    return average(np.asarray(run["error"])[:, 0])


@PAPER.erratum(
    "full-covariance-{dim}",
    "text before eq. (9)",
    quote="the off-diagonal of the covariance matrix will vanish",
    kind=Kind.WORDING,
    formula=lambda quick, dim: _filtered(SphericalBayes(), dim, quick),
    expect=lambda quick, dim: _full_filter(dim, quick),
    each={"dim": (50, 100, 200)},
)
def _full(quick: bool, dim: int) -> Measurement:
    """Each entry vanishes, as 1/sqrt(N) relative to the diagonal. But there are N^2 of
    them, and a filter that keeps them learns more, at every N.

    Error at alpha = 20 of a filter with the full covariance, N = {dim}. The printed
    form gives that of eq. (9); expected is that of a plain loop.
    """
    return _filtered(FullBayes(), dim, quick)


@PAPER.claim(
    "filters/diagonal",
    "text before eq. (9)",
    quote="diagonal elements will furthermore be non-fluctuating quantities",
    expect=lambda quick: _filtered(SphericalBayes(), 100, quick),
    catches=0.006,
    allow=(0.1 / 100, "corrections are O(1/N)"),
)
def _diagonal(quick: bool) -> Measurement:
    """A variance for each weight changes nothing: error at alpha = 20, N = 100, against
    that of eq. (9).
    """
    return _filtered(DiagonalBayes(), 100, quick)


@PAPER.erratum(
    "order-of-rho",
    "text before eq. (7)",
    quote="made an order 1/N error by replacing s_i s_j",
    kind=Kind.WORDING,
    formula=-1.0,
    expect=-0.5,
    allow=(0.02, "the power law is fitted from N = 100 on"),
)
def _spread(quick: bool) -> Measurement:
    """For a given input the error is of order 1/sqrt(N); what is of order 1/N is its
    effect on the mean learning curve.

    Exponent of N in the relative difference (root mean square) between rho of an input
    and its mean, for posteriors as at alpha = 2.
    """

    def square(dim: int, sample: int) -> float:
        rng = np.random.default_rng([SEED, dim, sample])
        open_ = 1 - np.tanh(1.0 + rng.standard_normal(dim)) ** 2
        s = rng.standard_normal(dim)
        return float((s**2 @ open_ / open_.sum() - 1) ** 2)

    found = power_of_size(SIZES, 100 if quick else 400, square)
    return Measurement(found.value / 2, found.stderr / 2)


@PAPER.figure("calibration", "eq. (7)")
def figure_calibration(*, quick: bool = False) -> FigureData:
    """Return the share of right predictions against the predicted probability."""
    series = []
    for noise, assumed in ((0.0, 0.0), (0.1, 0.1), (0.1, 0.2)):
        levels = 0.5 + (0.5 - assumed) * np.linspace(0.0, 0.98, 50)
        run = runs(noise, assumed, quick).sel(alpha=ALPHA)
        right = [
            calibration(
                levels,
                overlap=float(overlap),
                norm=float(norm),
                noise=noise,
                assumed=assumed,
            )
            for overlap, norm in zip(run["overlap"], run["norm"], strict=True)
        ]
        name = f"noise {noise:g}, {assumed:g} assumed"
        series.append(line(name, levels, np.mean(right, axis=0), role="simulation"))
    series.append(line("calibrated", [0.5, 1.0], [0.5, 1.0]))
    return FigureData(
        title="Calibration of predictive probabilities",
        caption=(
            "Spherical prior, alpha = 5, N = 10 000: the share of right predictions "
            "among those with a probability by eq. (7), exact given the students. A "
            "learner that knows the noise is calibrated; one that assumes twice as "
            "much is too careful."
        ),
        x_label="predicted probability",
        y_label="share that is right",
        series=tuple(series),
    )
