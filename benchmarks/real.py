"""One pass over real data: error, log-loss and calibration, against other people's.

Run ``python -m benchmarks.real`` (extra ``bench``). Every learner predicts a row, then
learns it, in the order of the data. Peers have their defaults and get the rows as they
are and standardised by River's running scaler; ours gets the rows as they are. The
last column is SGDClassifier with the best of 15 settings, chosen by looking at
the result, for each figure by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import rosenblatt as rb
from benchmarks.data import Data
from benchmarks.real_data import changing_data, real_data
from benchmarks.real_peers import peers
from benchmarks.scores import Score, calibration_error
from benchmarks.sgd import sgd_settings

OUT = Path("bench")
OURS, TUNED = "BayesPerceptron", "SGD, best of 15"
CALIBRATION_GOAL = 0.03


def ours(data: Data) -> np.ndarray:
    """Return our predictions, each made before its label was learned."""
    known = np.arange(data.n_classes)
    return rb.BayesPerceptron().predict_then_learn(data.X, data.y, classes=known)


def chance_calibration(P: np.ndarray, draws: int = 20) -> float:
    """Return the calibration error that is left if the labels follow P exactly."""
    rng = np.random.default_rng(0)
    above = P.cumsum(1)[None] > rng.random((draws, len(P), 1))
    return float(np.mean([calibration_error(P, y) for y in above.argmax(2)]))


def measure(data: Data) -> tuple[dict[str, Score], float]:
    """Return the scores of all learners, and the calibration error due to chance."""
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
    return found, chance_calibration(P)


def best(scores: dict[str, Score], figure: str, how: str = "") -> tuple[float, str]:
    """Return the best default peer by that figure, and its name."""
    return min(
        (getattr(score, figure), name)
        for name, score in scores.items()
        if name not in (OURS, TUNED)
        and name.endswith(how)
        and np.isfinite(getattr(score, figure))
    )


def mean_ranks(all_scores: list[dict[str, Score]], figure: str) -> dict[str, float]:
    """Return the mean place of each learner that has this figure; ties share."""
    names = [n for n in all_scores[0] if np.isfinite(getattr(all_scores[0][n], figure))]
    table = np.array([[getattr(s[n], figure) for n in names] for s in all_scores])
    smaller = (table[:, None, :] < table[:, :, None]).sum(2)
    equal = (table[:, None, :] == table[:, :, None]).sum(2)
    return dict(zip(names, (smaller + (equal + 1) / 2).mean(0), strict=True))


def summary(all_scores: list[dict[str, Score]]) -> list[str]:
    """Return sentences: averages against hindsight, and in how many sets we lead."""
    lines = []
    for figure in ("error", "log_loss"):
        us = np.array([getattr(s[OURS], figure) for s in all_scores])
        them = np.array([best(s, figure)[0] for s in all_scores])
        plain = np.array([best(s, figure, "raw")[0] for s in all_scores])
        tuned = np.array([getattr(s[TUNED], figure) for s in all_scores])
        ranks = sorted(mean_ranks(all_scores, figure).items(), key=lambda r: r[1])
        lines.append(
            f"{figure}: mean {us.mean():.4f}, with hindsight {tuned.mean():.4f}; "
            f"better than every default peer in {np.sum(us < them)} of {len(us)} sets, "
            f"equal to the best in {np.sum(us == them)}; than every one with rows as "
            f"they are in {np.sum(us < plain)}; mean ranks "
            + ", ".join(f"{name} {rank:.1f}" for name, rank in ranks)
        )
    calibration = [s[OURS].calibration for s in all_scores]
    lines.append(
        f"calibration: mean {np.mean(calibration):.4f}, goal {CALIBRATION_GOAL}"
    )
    return lines


def main() -> None:
    """Measure all sets, print tables, and keep all figures."""
    OUT.mkdir(exist_ok=True)
    lines = compared("real data", real_data()) + compared("changing", changing_data())
    (OUT / "real.md").write_text("\n".join(lines))


def compared(title: str, sets: Iterator[Data]) -> list[str]:
    """Measure sets, print a table, and return it as lines of Markdown."""
    console, began = Console(width=150), perf_counter()
    table = Table(
        "data", "rows", "error", "best peer", "hindsight", "log-loss", "best peer",
        "hindsight", "calibration (by chance)", title=title,
    )  # fmt: skip
    lines = [
        f"# {title}",
        "",
        "| data | learner | error | log-loss | calibration |",
        "|---|---|---|---|---|",
    ]
    kept = []
    for data in sets:
        scores, chance = measure(data)
        kept.append(scores)
        us, tuned = scores[OURS], scores[TUNED]
        cells = [data.name, f"{len(data.y)} x {data.X.shape[1]}, {data.n_classes}"]
        for figure in ("error", "log_loss"):
            value, (peer, name) = getattr(us, figure), best(scores, figure)
            mark = "" if value < peer else " =" if value == peer else " LOST"
            cells += [f"{value:.4f}{mark}", f"{peer:.4f} {name}"]
            cells.append(f"{getattr(tuned, figure):.4f}")
        table.add_row(*cells, f"{us.calibration:.3f} ({chance:.3f})")
        lines += [
            f"| {data.name} | {name} | {s.error:.4f} | {s.log_loss:.4f} "
            f"| {s.calibration:.4f} |"
            for name, s in scores.items()
        ]
        console.print(f"[dim]{data.name} {perf_counter() - began:.0f} s[/]")
    console.print(table)
    said = summary(kept)
    console.print("\n".join(said))
    return [*lines, "", *said, ""]


if __name__ == "__main__":
    main()
