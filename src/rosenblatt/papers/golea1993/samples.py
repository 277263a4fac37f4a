"""Samples, students and hypotheses that the claims of this paper share."""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from rosenblatt.bits import Bits, BitStream, Counts, count, fields, pack
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear import (
    Signs,
    clipped_hebb_weights,
    histogram,
    influence_weights,
    printed_threshold,
)
from rosenblatt.papers.claims import Paper
from rosenblatt.streams import ProductBits, UniformBits
from rosenblatt.theory.closed.influences import disagreement

PAPER = Paper(
    key="golea1993",
    citation="M. Golea, M. Marchand: On learning perceptrons with binary weights. "
    "Neural Computation (1993); third draft, December 22, 1992.",
    outline="abstract, section 1, section 2, eqs. (1) to (2), section 3, section 3.1, "
    "section 3.2, eqs. (3) to (5), lemmas 1, 2, eqs. (6) to (10), lemma 3, figure 1, "
    "theorem 1, section 4, eq. (11), corollary 1, section 5, section 5.1, "
    "eqs. (12) to (29), figures 2, 2a, 2b, eq. (30), section 5.2, "
    "eqs. (31) to (34), figure 3, section 6",
)
# The reason for an allowance of 1/n^2 in mean errors.
TWO_MOMENTS = "the law of the distance has the exact mean and variance only"


SEED = 1993  # of everything random in this paper's claims and figures


def target(dim: int, positive: int | None = None) -> IntArray:
    """Return weights of which the first ``positive``, else half of them, are +1."""
    plus = dim // 2 if positive is None else positive
    return np.where(np.arange(dim) < plus, 1, -1)


def pair_fields(dim: int, wrong: int, examples: int) -> IntArray:
    """Return the fields of a student and its target, a row per uniform example.

    The first ``wrong`` weights of the student have the wrong sign.
    """
    truth = target(dim)
    student = np.where(np.arange(dim) < wrong, -truth, truth)
    bits = UniformBits(dim).draw(examples, SEED)
    return fields(bits, pack(np.stack([student, truth]))).astype(np.int64)


def drawn(
    stream: BitStream, weights: IntArray, rows: int, sample: int, noise: float = 0.0
) -> tuple[Bits, IntArray]:
    """Return the examples of a sample and their labels, of which some are flipped.

    Samples are independent if their number, dimension, noise or number of positive
    target weights differs. A sample with more rows begins with those of a smaller one.
    """
    positive = int(np.count_nonzero(weights > 0))
    millionths = round(1e6 * noise)  # seeds are whole numbers
    seed = np.random.SeedSequence([SEED, sample, weights.size, positive, millionths])
    bits = stream.draw(rows, seed)
    labels = np.where(fields(bits, pack(weights[None]))[:, 0] > 0, 1, -1)
    if noise:
        flips = ProductBits((noise,)).draw(rows, seed.spawn(1)[0])
        labels = np.where(flips.words[:, 0] > 0, -labels, labels)
    return bits, labels


@functools.lru_cache(maxsize=64)
def distances(
    dim: int,
    examples: tuple[int, ...],
    samples: int,
    *,
    noise: float = 0.0,
    positive: int | None = None,
) -> IntArray:
    """Learn by the clipped Hebb rule and count wrong weights, one row per sample.

    Examples are uniform, and each sample grows from one number of ``examples`` to the
    next.
    """
    truth, stream = target(dim, positive), UniformBits(dim)
    found = np.empty((samples, len(examples)), np.int64)
    for sample in range(samples):
        bits, labels = drawn(stream, truth, examples[-1], sample, noise)
        counts = Counts(np.zeros(dim, np.int64), np.zeros(dim, np.int64), 0, 0)
        for k, (start, stop) in enumerate(itertools.pairwise((0, *examples))):
            counts += count(bits[start:stop], labels[start:stop])
            found[sample, k] = np.count_nonzero(clipped_hebb_weights(counts) != truth)
    return found


class Hypothesis(NamedTuple):
    """Weights and threshold that the algorithm of figure 1 returns."""

    weights: Signs
    threshold: float  # infinite for a constant
    found: bool  # whether the search of step 7 ended by itself

    def error(self, weights: IntArray, threshold: float, chances: FloatArray) -> float:
        """Return the exact probability of a label other than the target's."""
        return disagreement(weights, self.weights, threshold, self.threshold, chances)


def learn(
    bits: Bits,
    labels: IntArray,
    eps: float,
    *,
    times: IntArray | None = None,
) -> Hypothesis:
    """Run the algorithm of figure 1.

    Parameters
    ----------
    bits, labels
        The examples.
    eps
        The accuracy asked for.
    times
        Number of times that each example occurs; by default once.
    """
    learned = influence_weights(count(bits, labels, times), eps)
    if learned.constant:
        return Hypothesis(learned.values, -learned.constant * math.inf, True)
    fields_of = histogram(bits, labels > 0, 2, learned.values[None], times)[0]
    found = printed_threshold(fields_of, eps)
    return Hypothesis(learned.values, found.value, found.found)


class Cells(NamedTuple):
    """All inputs of some variables; a sample is how often each of them occurs."""

    bits: Bits
    inputs: IntArray  # -1 and +1, shape (2**n, n)

    def chances(self, law: FloatArray) -> FloatArray:
        """Return the probability of each input under a product law."""
        return np.asarray(np.prod(np.where(self.inputs > 0, law, 1 - law), axis=1))

    def labels(self, weights: IntArray, threshold: float) -> IntArray:
        """Return the target's labels."""
        return np.where(self.inputs @ weights > threshold, 1, -1)


@functools.lru_cache(maxsize=16)
def cells(dim: int) -> Cells:
    """Return all inputs of so many variables."""
    inputs = np.array(list(itertools.product((-1, 1), repeat=dim)))
    return Cells(pack(inputs), inputs)
