r"""Examples of a stream with the labels of a perceptron, batch by batch.

.. math:: y = +1 \quad\text{if}\quad \sum_i w_i x_i > \theta, \quad\text{else } -1,
    \tag{1}

and, with a probability called noise, the opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from rosenblatt.bits.container import Bits
from rosenblatt.bits.drawing import BitStream, draw_product
from rosenblatt.bits.packing import pack
from rosenblatt.bits.predicting import fields
from rosenblatt.core.arguments import number, part, whole
from rosenblatt.core.types import IntArray

__all__ = ["labelled"]

Labelled = tuple[Bits, IntArray]


def labelled(
    stream: BitStream,
    weights: npt.ArrayLike,
    rows: int,
    *,
    threshold: float = 0.0,
    noise: float = 0.0,
    batch: int = 65536,
    seed: int | np.random.SeedSequence = 0,
) -> Callable[[], Iterator[Labelled]]:
    """Return a function that draws the same labelled examples each time it is called.

    It is what ``fit_batches`` of the classifiers that count wants, which may go through
    the examples twice. One batch at a time is in memory.

    Parameters
    ----------
    stream
        The law of the inputs, which are those of ``stream.draw(rows, seed)``.
    weights
        Those of eq. (1), each -1, 0 or 1, one for each column.
    rows
        Number of examples.
    threshold
        Threshold of eq. (1).
    noise
        The probability of a wrong label, for each example by itself.
    batch
        Examples at a time; the last batch may have fewer. The examples do not depend on
        it.
    seed
        A whole number or a ``SeedSequence``.

    Returns
    -------
    function
        Without arguments; it returns an iterator over pairs of packed bits and labels,
        -1 and +1.

    Examples
    --------
    >>> from rosenblatt.estimators import BinaryPerceptron
    >>> from rosenblatt.streams import ProductBits
    >>> law = ProductBits((0.1, 0.9, 0.9))
    >>> batches = labelled(law, [1, 1, 1], rows=10_000, batch=1000)
    >>> BinaryPerceptron().fit_batches(batches).coef_
    array([[1, 1, 1]])
    """
    part("stream", BitStream, stream)
    w = np.asarray(weights)
    if w.shape != (stream.dim,) or not (w**3 == w).all():  # -1, 0, 1
        raise ValueError(
            f"weights must be {stream.dim} of -1, 0 and 1, one for each column of the "
            f"stream, got {weights!r}"
        )
    rows, batch = whole("rows", rows, low=1), whole("batch", batch, low=1)
    threshold = number("threshold", threshold)
    chance = np.array([number("noise", noise, low=0, high=1)])
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(whole("seed", seed, low=0))
    inputs = seed
    # a child of the seed, made by hand since spawning changes the parent
    flips = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0))
    signs = pack(w[None] > 0)
    mask = None if w.all() else pack(w[None] != 0)

    def batches() -> Iterator[Labelled]:
        for first in range(0, rows, batch):
            size = min(batch, rows - first)
            bits = stream.draw(size, inputs, first)
            positive = fields(bits, signs, mask)[:, 0] > threshold
            if chance[0]:
                flipped = draw_product(chance, size, flips, first)
                positive ^= flipped.words[:, 0] > 0
            yield bits, np.where(positive, 1, -1)

    return batches
