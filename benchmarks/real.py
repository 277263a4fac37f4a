"""One pass over real data: error, log-loss and calibration, against other people's.

Run ``python -m benchmarks.real`` (extra ``bench``). Every learner predicts a row, then
learns it, in the order of the data. Peers have their defaults and get the rows as they
are and standardised by River's running scaler; ours gets the rows as they are. "Tuned"
is SGDClassifier with the best of 15 settings, chosen by looking at the result, for
each figure by itself. ``--docs`` writes the tables into ``docs/measured.json``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.page import write_measured
from benchmarks.real_data import changing_data, real_data
from benchmarks.real_peers import peers
from benchmarks.scores import Score, calibration_error
from benchmarks.sgd import sgd_settings

OUT = Path("bench")
OURS, TUNED = "BayesPerceptron", "SGD, best of 15"
FIGURES = {"error": "error", "log_loss": "log-loss"}
# Names of peers in the guide; r for rows as they are, s for standardised ones.
SHORT = {
    "Vowpal Wabbit": "VW",
    "River logistic": "River",
    "SGD log_loss": "SGD log",
    ", raw": " r",
    ", scaled": " s",
}


class Measured(NamedTuple):
    """Scores of all learners on a data set, and the calibration error due to chance."""

    data: Data
    scores: dict[str, Score]
    chance: float


def ours(data: Data) -> np.ndarray:
    """Return our predictions, each made before its label was learned."""
    known = np.arange(data.n_classes)
    return rb.BayesPerceptron().predict_then_learn(data.X, data.y, classes=known)


def chance_calibration(P: np.ndarray, draws: int = 20) -> float:
    """Return the calibration error that is left if the labels follow P exactly."""
    rng = np.random.default_rng(0)
    above = P.cumsum(1)[None] > rng.random((draws, len(P), 1))
    return float(np.mean([calibration_error(P, y) for y in above.argmax(2)]))


def measure(data: Data) -> Measured:
    """Return the scores of all learners on a data set."""
    found, P = {}, ours(data)
    found[OURS] = Score.of(P, data.y)
    scaled = data.standardised()
    for name, learner in peers().items():
        for rows, how in ((data, "raw"), (scaled, "scaled")):
            found[f"{name}, {how}"] = Score.of(learner(rows), data.y)
    each = [Score.of(p, data.y) for p in sgd_settings(scaled)]
    found[TUNED] = Score(
        min(score.error for score in each), min(score.log_loss for score in each)
    )
    return Measured(data, found, chance_calibration(P))


def best(scores: dict[str, Score], figure: str) -> tuple[float, str]:
    """Return the best default peer by that figure, and its name."""
    return min(
        (getattr(score, figure), name)
        for name, score in scores.items()
        if name not in (OURS, TUNED) and np.isfinite(getattr(score, figure))
    )


def table(measured: list[Measured]) -> str:
    """Return a row for each data set, and the means; bold is better than all peers."""
    head = ["data", "rows x columns, classes"]
    for name in FIGURES.values():
        head += [name, "best peer", "tuned"]
    rows, values = [[*head, "calibration (chance)"]], []
    for data, scores, chance in measured:
        size = f"{len(data.y)} x {data.X.shape[1]}, {data.n_classes}"
        cells, numbers = [data.name, size], []
        for figure in FIGURES:
            own, tuned = (getattr(scores[name], figure) for name in (OURS, TUNED))
            peer, name = best(scores, figure)
            for long, short in SHORT.items():
                name = name.replace(long, short)
            mark = "**" if f"{own:.4f}" < f"{peer:.4f}" else ""
            cells += [f"{mark}{own:.4f}{mark}", f"{peer:.4f} {name}", f"{tuned:.4f}"]
            numbers += [own, peer, tuned]
        own = scores[OURS].calibration
        rows.append([*cells, f"{own:.3f} ({chance:.3f})"])
        values.append([*numbers, own, chance])
    *means, own, chance = np.mean(values, axis=0)
    cells = [f"{mean:.4f}" for mean in means]
    rows.append(["**mean**", "", *cells, f"{own:.4f} ({chance:.4f})"])
    return _markdown(rows)


def comparison(measured: list[Measured]) -> str:
    """Return on how many data sets ours is better, equal and worse, to four digits."""
    rows = [["compared with", "by", "better", "equal", "worse"]]
    peers = len(measured[0].scores) - 2
    for name in (f"all {peers} peers", "the tuned SGD"):
        for figure, by in FIGURES.items():
            signs = []
            for _, scores, _ in measured:
                own, tuned = (getattr(scores[one], figure) for one in (OURS, TUNED))
                other = tuned if "tuned" in name else best(scores, figure)[0]
                signs.append(np.sign(round(own, 4) - round(other, 4)))
            counted = [signs.count(sign) for sign in (-1, 0, 1)]
            rows.append([name, by, *(str(count or "") for count in counted)])
    return _markdown(rows)


def everything(measured: list[Measured]) -> str:
    """Return the scores of every learner on every data set."""
    rows = [["data", "learner", "error", "log-loss", "calibration"]]
    for data, scores, _ in measured:
        for name, s in scores.items():
            found = [f"{x:.4f}" for x in (s.error, s.log_loss, s.calibration)]
            rows.append([data.name, name, *found])
    return _markdown(rows)


def _markdown(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return re.sub(r" +", " ", "\n".join(lines))


def all_measured(sets: Iterator[Data]) -> list[Measured]:
    """Measure data sets, and name each one when it is done."""
    found = []
    for data in sets:
        found.append(measure(data))
        print(data.name, flush=True)
    return found


def main() -> None:
    """Measure all sets, print tables, and keep all figures."""
    real, changing = all_measured(real_data()), all_measured(changing_data())
    tables = {
        "real data": table(real),
        "comparison": comparison(real),
        "changing": table(changing),
    }
    for name, text in tables.items():
        print(f"{name}\n{text}\n")
        if "--docs" in sys.argv:
            write_measured(name, text)
    OUT.mkdir(exist_ok=True)
    (OUT / "real.md").write_text(everything([*real, *changing]) + "\n")


if __name__ == "__main__":
    main()
