"""Regression in one pass, against learners that are tuned or refitted.

Run ``python -m benchmarks.regression`` (extras ``bench`` and ``river``). Data sets are
those with numbers as targets that scikit-learn, River and statsmodels contain, in their
order and shuffled, and others that are drawn. ``--docs`` writes the tables into
``docs/measured.json``. Each row is predicted before it is learned; RidgeCV and
HistGradientBoostingRegressor are refitted whenever the rows have grown by half. The
log-score of a peer is that of a Gaussian law with the mean square of its errors so far.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import statsmodels.api as sm
from river import datasets, forest, linear_model, preprocessing
from sklearn.datasets import (
    load_diabetes,
    make_friedman1,
    make_friedman2,
    make_friedman3,
)
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV, SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.later import table
from benchmarks.page import write_measured

MOST, BEGIN, GROWTH = 2000, 20, 1.5  # rows of a set; first row that counts; of a refit
LEVEL = 0.9
COLUMNS = 10  # of sets that are drawn
REPEATS = 7  # of times
RATES = [
    (eta, power) for eta in (1e-3, 1e-2, 0.03, 0.1, 0.3) for power in (0, 0.25, 0.5)
]
PACKAGED = ("anes96", "cancer", "ccard", "engel", "fair", "heart", "randhie",
            "statecrime", "strikes", "sunspots", "star98")  # fmt: skip
Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]


def sets() -> list[Data]:
    """Return all data sets, rows in their order."""
    found = [Data("diabetes", *load_diabetes(return_X_y=True, scaled=False))]
    for kind in (datasets.TrumpApproval, datasets.ChickWeights):
        X, y = zip(*((list(x.values()), y) for x, y in kind()), strict=True)
        found.append(Data(kind.__name__, np.array(X, float), np.array(y, float)))
    for name in PACKAGED:
        one = getattr(sm.datasets, name).load_pandas()
        target = one.endog if one.endog.ndim == 1 else one.endog.iloc[:, 0]
        columns = getattr(one, "exog", None)
        columns = one.data.drop(columns=[target.name]) if columns is None else columns
        X = np.asarray(columns, float).reshape(len(target), -1)
        found.append(Data(name, X, np.asarray(target, float)))
    frames = {"grunfeld": ["invest", "firm"], "macrodata": ["infl"]}
    for name, left in frames.items():
        frame = getattr(sm.datasets, name).load_pandas().data
        y = frame[left[0]].to_numpy(float)
        found.append(Data(name, frame.drop(columns=left).to_numpy(float), y))
    return found


def drawn() -> list[Data]:
    """Return sets that nothing was chosen by: curved, drifting, and of other noises."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((MOST, COLUMNS))
    w = rng.standard_normal(COLUMNS)
    walk = w + np.cumsum(0.05 * rng.standard_normal(X.shape), axis=0)
    steps = np.repeat(rng.standard_normal((4, COLUMNS)), MOST // 4, axis=0)
    noise, far = rng.standard_normal(MOST), rng.standard_t(2.0, MOST)
    given = {
        "random walk": (X * walk).sum(1) + noise,
        "three changes": (X * steps).sum(1) + noise,
        "heavy tails": X @ w + far,
        "noise of a column": X @ w + np.exp(X[:, 0]) * noise,
        "noise that grows": X @ w + np.linspace(0.2, 3.0, MOST) * noise,
        "only noise": noise,
    }
    found = [Data(name, X, y) for name, y in given.items()]
    makers = make_friedman1, make_friedman2, make_friedman3
    for make, sd in zip(makers, (1.0, 50.0, 0.1), strict=True):
        own = make(MOST, noise=sd, random_state=0)
        found.append(Data(make.__name__, *own))
    return found


def refitted(make: Callable[[], object]) -> Predict:
    """Return predictions by a model that is fitted again as rows grow by half."""

    def predict(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        found, rows = np.full(len(y), np.nan), BEGIN // 2
        while rows < len(y):
            stop = max(int(GROWTH * rows), rows + 1)
            found[rows:stop] = make().fit(X[:rows], y[:rows]).predict(X[rows:stop])
            rows = stop
        return found

    return predict


def streamed(X: np.ndarray, y: np.ndarray, **given: object) -> np.ndarray:
    """Predict each row by stochastic gradient descent, in units of the rows before."""
    Z, found = Data("", X, y).standardised().X, np.zeros(len(y))
    model, mean, square = SGDRegressor(**given), 0.0, 1.0
    for i, (z, target) in enumerate(zip(Z[:, None], y, strict=True)):
        scale = np.sqrt(square) or 1.0
        if i:
            found[i] = mean + scale * model.predict(z)[0]
        away = target - mean
        mean += away / (i + 1)
        square += (away * (target - mean) - square) / (i + 1)
        model.partial_fit(z, [(target - mean) / (np.sqrt(square) or 1.0)])
    return found


def best_of_15(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the predictions of the best of 15 schedules, chosen in hindsight."""
    each = []
    for eta, power in RATES:
        found = streamed(X, y, learning_rate="invscaling", eta0=eta, power_t=power)
        each.append(np.clip(np.nan_to_num(found), -1e100, 1e100))
    return min(each, key=lambda found: np.mean((found - y)[BEGIN:] ** 2))


def by_river(make: Callable[[], object]) -> Predict:
    """Return predictions by a model of River."""

    def predict(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        model, found = make(), np.zeros(len(y))
        for i, (row, target) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
            x = dict(enumerate(row))
            found[i] = model.predict_one(x)
            model.learn_one(x, target)
        return found

    return predict


PEERS: dict[str, Predict] = {
    "RidgeCV, refitted": refitted(
        lambda: make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 13)))
    ),
    "HistGradientBoosting, refitted": refitted(HistGradientBoostingRegressor),
    "SGDRegressor": streamed,
    "SGDRegressor, best of 15": best_of_15,
    "River, linear": by_river(
        lambda: preprocessing.StandardScaler() | linear_model.LinearRegression()
    ),
    "River, adaptive forest": by_river(lambda: forest.ARFRegressor(seed=0)),
}
OURS = {"BayesRegressor": "linear", "BayesRegressor, curved": "curved"}
RIDGE = "RidgeCV, refitted"


def score(data: Data) -> dict[str, tuple[float, float, float]]:
    """Return mean squared error, log-score and coverage of each learner."""
    X, y, scored = data.X, data.y, slice(BEGIN, None)
    found = {}
    for name, boundary in OURS.items():
        model = rb.BayesRegressor(boundary=boundary).partial_fit(X[:BEGIN], y[:BEGIN])
        before = model.log_evidence_
        mean, ends = model.predict_then_learn(X[BEGIN:], y[BEGIN:], level=LEVEL)
        own = y[scored]
        inside = np.mean((ends[:, 0] <= own) & (own <= ends[:, 1]))
        log = (model.log_evidence_ - before) / len(own)
        found[name] = float(np.mean((mean - own) ** 2)), log, float(inside)
    for name, predict in PEERS.items():
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            errors = np.minimum(np.nan_to_num(predict(X, y) - y) ** 2, 1e100)
        rows = np.arange(len(y)) - BEGIN // 2
        square = np.cumsum(errors[BEGIN // 2 :])[:-1] / rows[BEGIN // 2 + 1 :]
        variance = np.maximum(square[BEGIN - BEGIN // 2 - 1 :], 1e-100)
        own = errors[scored]
        logs = -0.5 * (np.log(2.0 * np.pi * variance) + own / variance)
        found[name] = float(own.mean()), float(logs.mean()), np.nan
    return found


def summary(name: str, all_sets: list[Data]) -> str:
    """Return a table with the means over data sets."""
    scores = {data.name: score(data) for data in all_sets}
    rows = []
    for learner in (*OURS, *PEERS):
        each = np.array([found[learner] for found in scores.values()])
        ridge = np.array([found[RIDGE][0] for found in scores.values()])
        ratio = np.minimum(each[:, 0] / ridge, 100.0)  # of one that diverged
        log = np.maximum(each[:, 1], -100.0).mean()
        covers, single = "", ""
        if learner in OURS:
            covers = f"{each[:, 2].mean():.3f}"
            single = f"{each[:, 2].min():.2f} to {each[:, 2].max():.2f}"
        rows.append([learner, ratio.mean(), np.median(ratio), log, covers, single])
    head = [
        name,
        "squared error / RidgeCV's",
        "median",
        "log-score",
        "90% intervals hold",
        "of single sets",
    ]
    return table(head, rows)


def times() -> str:
    """Return a table of times to fit, as ratios to those of the classifier."""
    rng, rows, found = np.random.default_rng(0), (5000, 20_000, 100_000), []
    for number in rows:
        X = rng.standard_normal((number, 2 * COLUMNS))
        y = X @ rng.standard_normal(X.shape[1]) + rng.standard_normal(number)
        fits = {
            "classifier": lambda X=X, y=y: rb.BayesPerceptron().fit(X, y > 0.0),
            "fit": lambda X=X, y=y: rb.BayesRegressor().fit(X, y),
            "predict_then_learn": lambda X=X, y=y: (
                rb.BayesRegressor().predict_then_learn(X, y)
            ),
        }
        each = []
        for _ in range(1 + REPEATS):
            each.append([])
            for fit in fits.values():
                first = time.process_time()
                fit()
                each[-1].append(time.process_time() - first)
        own = np.array(each[1:])  # the first one loads what is compiled
        ratios = np.median(own[:, 1:] / own[:, :1], axis=0)
        found.append([f"{number:,}", *(f"{ratio:.1f}" for ratio in ratios)])
    return table(["rows of 20 columns", "`fit`", "`predict_then_learn`"], found)


def main() -> None:
    """Measure all, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", action="store_true", help="write into the guide")
    chosen, every = parser.parse_args(), sets()
    given = {
        "in order": [data.first(MOST) for data in every],
        "shuffled": [data.shuffled().first(MOST) for data in every],
        "drawn": drawn(),
    }
    tables = []
    for name, own in given.items():
        tables.append(summary(name, own))
        print(f"{tables[-1]}\n", flush=True)
    print(taken := times())
    if chosen.docs:
        write_measured("regression", "\n\n".join(tables))
        write_measured("regression, time", taken)


if __name__ == "__main__":
    main()
