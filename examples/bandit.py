r"""Thompson sampling with BayesRegressor: a contextual bandit with nothing to tune.

In each round a context :math:`x` comes, one of K arms is chosen, and its reward
:math:`w_k \cdot x + \text{noise}` is seen; rewards of other arms are not. The regret is
the sum over rounds of what the best arm would have given more, on average.

Thompson sampling chooses the arm that is best for weights drawn from the posterior:
``sample_weights``. It has no parameter. LinUCB chooses the largest upper end of the
interval of the mean, :math:`\hat w_k \cdot x + a \sqrt{x^T A_k^{-1} x}`, and its width
a has to fit the noise. The third learner explores in a fixed part of the rounds, and
learns by gradient descent with a fixed rate. Its regret grows with the number of
rounds for ever. That of LinUCB is the smallest here: it knows that weights stay.

``python examples/bandit.py`` prints the verdicts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesRegressor
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, line

PAPER = Paper(
    key="winther1997",
    citation="After O. Winther, S. A. Solla: Optimal Bayesian online learning. "
    "Theoretical aspects of neural computation (1997).",
)
ARMS, COLUMNS, ROUNDS, RUNS, NOISE = 4, 5, 800, 40, 2.0
_WIDTH, _SHARE, _RATE = (
    2.22,
    0.1,
    0.05,
)  # of LinUCB, of exploration, of gradient descent

Choose = Callable[[FloatArray], int]
Learn = Callable[[int, FloatArray, float], None]


def thompson(seed: int) -> tuple[Choose, Learn]:
    """Return choice and learning by draws from the posterior of each arm."""
    models = [BayesRegressor(horizon=1) for _ in range(ARMS)]
    random = np.random.RandomState(seed)

    def choose(x: FloatArray) -> int:
        for arm, model in enumerate(models):
            if not hasattr(model, "n_features_in_") or model.t_ < 2:
                return arm
        drawn = [model.sample_weights(1, random) for model in models]
        return int(np.argmax([coef[0] @ x + b[0] for coef, b in drawn]))

    def learn(arm: int, x: FloatArray, reward: float) -> None:
        models[arm].partial_fit(x[None], [reward])

    return choose, learn


def linucb(seed: int) -> tuple[Choose, Learn]:
    """Return choice and learning by upper ends of intervals."""
    A, b = np.tile(np.eye(COLUMNS), (ARMS, 1, 1)), np.zeros((ARMS, COLUMNS))

    def choose(x: FloatArray) -> int:
        solved = np.linalg.solve(A, np.stack([b, np.tile(x, (ARMS, 1))], axis=2))
        mean, wide = solved[:, :, 0] @ x, solved[:, :, 1] @ x
        return int(np.argmax(mean + _WIDTH * np.sqrt(wide)))

    def learn(arm: int, x: FloatArray, reward: float) -> None:
        A[arm] += np.outer(x, x)
        b[arm] += reward * x

    return choose, learn


def fixed(seed: int) -> tuple[Choose, Learn]:
    """Return random arms in a tenth of the rounds, and gradient descent."""
    random, w = np.random.RandomState(seed), np.zeros((ARMS, COLUMNS))

    def choose(x: FloatArray) -> int:
        if random.uniform() < _SHARE:
            return int(random.randint(ARMS))
        return int(np.argmax(w @ x))

    def learn(arm: int, x: FloatArray, reward: float) -> None:
        w[arm] += _RATE * (reward - w[arm] @ x) * x

    return choose, learn


LEARNERS = {"BayesRegressor": thompson, "LinUCB": linucb, "fixed rate": fixed}


@functools.cache
def regrets(name: str) -> FloatArray:
    """Return the regret after each round, (runs, rounds)."""
    found = np.zeros((RUNS, ROUNDS))
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        weights = rng.standard_normal((ARMS, COLUMNS))
        choose, learn = LEARNERS[name](seed)
        for turn in range(ROUNDS):
            x = rng.standard_normal(COLUMNS)
            means, noise = weights @ x, NOISE * rng.standard_normal()
            arm = choose(x)
            learn(arm, x, float(means[arm] + noise))
            found[seed, turn] = means.max() - means[arm]
    return np.cumsum(found, axis=1)


def _ratio(name: str) -> Measurement:
    return average(regrets("BayesRegressor")[:, -1] / regrets(name)[:, -1])


@PAPER.claim("bandit/fixed", "", below=0.85)
def _against_a_fixed_rate() -> Measurement:
    """Regret after all rounds over that of a fixed rate, which explores at random."""
    return _ratio("fixed rate")


@PAPER.claim("bandit/linucb", "", below=3.0)
def _against_linucb() -> Measurement:
    """Regret after all rounds over that of LinUCB, which explores less: its width and
    the absence of drift are given to it.
    """
    return _ratio("LinUCB")


@PAPER.figure("regret", "bandit")
def figure_regret(*, quick: bool) -> FigureData:
    """Return the regret of three learners against the number of rounds."""
    rounds = np.arange(1.0, ROUNDS + 1.0)
    series = tuple(line(name, rounds, regrets(name).mean(axis=0)) for name in LEARNERS)
    return FigureData(
        title="Regret of a contextual bandit",
        caption=f"{ARMS} arms, {COLUMNS} columns, noise of standard deviation {NOISE}. "
        f"Means of {RUNS} runs.",
        x_label="rounds",
        y_label="regret",
        series=series,
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
