"""Coverage of credible intervals, and the accuracy of the noise estimate.

``python -m benchmarks.coverage`` prints the tables of ``docs/bayes.md``; ``--docs``
writes them into the page. Runs have fixed seeds, so the tables are the same each time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.page import write_measured
from rosenblatt import BayesPerceptron

__all__ = ["coverage", "main"]

INPUTS = {
    "normal": "standard normal",
    "correlated": "correlated (0.5)",
    "student": "Student's t, 4 degrees of freedom",
    "exponential": "exponential",
    "bits": "bits, 30% ones",
}


def _drawn(
    inputs: str, rng: np.random.Generator, shape: tuple[int, int]
) -> npt.NDArray[np.float64]:
    """Return inputs of variance 1 by their name."""
    X = rng.standard_normal(shape)
    if inputs == "correlated":
        return np.sqrt(0.5) * (X + rng.standard_normal((shape[0], 1)))
    if inputs == "student":
        return rng.standard_t(4, shape) / np.sqrt(2.0)  # its variance is 2
    if inputs == "exponential":
        return rng.exponential(size=shape) - 1.0
    if inputs == "bits":
        return ((rng.random(shape) < 0.3) - 0.3) / np.sqrt(0.21)
    return X


def coverage(
    columns: int,
    noise: float,
    rows: int,
    runs: int,
    *,
    relative: bool = False,
    length: float = 3.0,
    bias: float = 0.0,
    inputs: str = "normal",
) -> tuple[float, float, float]:
    """Return the share of weights in their 95% intervals, its standard error, a ratio.

    Weights of a run share the error of their length, so that runs are compared. The
    ratio is the mean of the true length divided by the learned one.
    """
    rng = np.random.default_rng([columns, int(100 * noise), rows])
    shares, ratios = [], []
    for _ in range(runs):
        w = length * rng.standard_normal(columns) / np.sqrt(columns)
        X = _drawn(inputs, rng, (rows, columns))
        y = (X @ w + bias + rng.standard_normal(rows) > 0) ^ (rng.random(rows) < noise)
        model = BayesPerceptron("full").fit(X, y)
        low, high = model.coef_interval(0.95, relative=relative)[0].T
        ratios.append(np.linalg.norm(w) / np.linalg.norm(model.coef_[0]))
        if relative:
            w = w * model.scale_ / np.linalg.norm(w * model.scale_)
        shares.append(np.mean((low < w) & (w < high)))
    error = np.std(shares, ddof=1) / np.sqrt(runs)
    return float(np.mean(shares)), float(error), float(np.mean(ratios))


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    texts = ("|".join(f" {cell} " for cell in line) for line in lines)
    return "\n".join(f"|{text}|" for text in texts).replace(" --- ", "---")


def intervals() -> str:
    """Return the coverage of intervals of the weights."""
    noises = (0.01, 0.05, 0.1, 0.17, 0.24)
    head = ["rows", "columns", f"noise {noises[0]}", *map(str, noises[1:])]
    rows = []
    for count, columns in ((5000, 6), (8000, 18), (11_000, 30)):
        row = [f"{count:,}", str(columns)]
        for noise in noises:
            share, error, _ = coverage(columns, noise, count, 100, length=3.5, bias=0.5)
            row.append(f"{100 * share:.1f} ({100 * error:.1f})")
        rows.append(row)
    return _table(head, rows)


def short_intervals() -> str:
    """Return the coverage in settings where intervals are too short."""
    head = ["rows", "columns", "noise", "weights inside", "true length / length"]
    rows = []
    for count, columns, noise in (
        (4000, 5, 0.3),
        (3000, 3, 0.25),
        (4000, 50, 0.1),
        (4000, 50, 0.2),
    ):
        share, _, ratio = coverage(columns, noise, count, 40)
        cells = [f"{count:,}", str(columns), str(noise)]
        rows.append([*cells, f"{100 * share:.0f}", f"{ratio:.1f}"])
    return _table(head, rows)


def relative_intervals() -> str:
    """Return the coverage of intervals of relative weights."""
    noises = (0.0, 0.05, 0.1, 0.2, 0.3)
    head = ["rows", "columns", "no noise", *map(str, noises[1:])]
    rows = []
    for count in (4000, 10_000):
        for columns in (5, 20, 50):
            found = (coverage(columns, n, count, 200, relative=True) for n in noises)
            shares = [f"{100 * share:.0f}" for share, *_ in found]
            rows.append([f"{count:,}", str(columns), *shares])
    return _table(head, rows)


def other_inputs() -> str:
    """Return the coverage of relative weights for inputs that are not normal."""
    noises = (0.0, 0.1, 0.3)
    head = ["inputs", *(f"{n} columns, noise 0, 0.1, 0.3" for n in (5, 20))]
    rows = []
    for inputs in list(INPUTS)[1:]:
        row = [INPUTS[inputs]]
        for columns in (5, 20):
            found = [
                coverage(columns, n, 10_000, 60, relative=True, inputs=inputs)
                for n in noises
            ]
            row.append(", ".join(f"{100 * share:.0f}" for share, *_ in found))
        rows.append(row)
    return _table(head, rows)


def noise_estimates() -> str:
    """Return mean and standard deviation of the estimated noise."""
    rows = []
    for length in (3.0, 1.0):
        found = []
        rng = np.random.default_rng(0)
        for _ in range(20):
            w = length * rng.standard_normal(20) / np.sqrt(20)
            X = rng.standard_normal((10_000, 20))
            y = X @ w + rng.standard_normal(len(X)) > 0
            model = BayesPerceptron().fit(X, y ^ (rng.random(len(X)) < 0.2))
            found.append(model.noise_[0])
        rows.append([f"{length:g}", f"{np.mean(found):.3f}", f"{np.std(found):.3f}"])
    return _table(["length of the weights", "`noise_`", "standard deviation"], rows)


TABLES = {
    "noise": noise_estimates,
    "intervals": intervals,
    "short intervals": short_intervals,
    "relative intervals": relative_intervals,
    "other inputs": other_inputs,
}


def main() -> None:
    """Print the tables; with ``--docs`` write them into the guide too."""
    for name, table in TABLES.items():
        text = table()
        print(f"{name}\n{text}\n", flush=True)
        if "--docs" in sys.argv:
            write_measured(name, text)


if __name__ == "__main__":
    main()
