"""Vowpal Wabbit, with logistic loss and its own optimisers.

``predict`` is called for a row, and then ``learn``. The predictions that ``learn``
returns, and those that ``vw -p`` writes, are from after the update with ``--freegrad``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import vowpalwabbit

from benchmarks.data import Data
from benchmarks.streams.protocol import Learner, Pass

FLAGS = ("", "--coin", "--freegrad", "--ftrl")


def learners() -> list[Learner]:
    """Return each optimiser, with rows as they are and standardised."""
    return [
        Learner(f"VW {flag or 'default'}{more}", _begin(flag), scaled=bool(more))
        for flag in FLAGS
        for more in ("", ", scaled")
    ]


def command(flag: str, classes: int) -> str:
    """Return the arguments of Vowpal Wabbit."""
    kind = "--link logistic" if classes == 2 else f"--oaa {classes} --probabilities"
    return f"--quiet --loss_function logistic {kind} {flag}"


def lines(data: Data) -> Iterator[str]:
    """Yield examples in the text format of Vowpal Wabbit."""
    names = data.y + 1 if data.n_classes > 2 else 2 * data.y - 1
    for x, label in zip(data.X.tolist(), names.tolist(), strict=True):
        features = " ".join(f"{i}:{v:.9g}" for i, v in enumerate(x) if v)
        yield f"{label} | {features}"


def _begin(flag: str):
    def begin(data: Data) -> Pass:
        text = list(lines(data))
        return lambda: predictions(text, flag, data.n_classes)

    return begin


def predictions(text: list[str], flag: str, classes: int) -> np.ndarray:
    """Return probabilities, each from before its label was learned."""
    peer = vowpalwabbit.Workspace(command(flag, classes))
    found = []
    for line in text:
        example = peer.parse(line)
        found.append(peer.predict(example))
        peer.learn(example)
        peer.finish_example(example)
    peer.finish()
    P = np.array(found)
    return np.column_stack([1 - P, P]) if classes == 2 else P
