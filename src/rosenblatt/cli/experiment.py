"""Experiment of the command line: parts and numbers from its options."""

from __future__ import annotations

import math

import numpy as np

import rosenblatt as rb
from rosenblatt.specification.codec import number, parse
from rosenblatt.specification.parts import Shift, combined

__all__ = ["Shift", "combined", "grid", "stream_of", "teacher_of"]

_FIRST = 0.1  # where a grid begins after 0
_DECADE = 10  # points of a grid in a decade


def grid(text: str, dim: int) -> list[float]:
    """Return the times to record: those listed, or a grid up to the only one.

    The grid has 0 and then about 10 points a decade. They begin at 0.1, or at a
    hundredth of the last point if that is less. Each is a whole number of examples.

    Examples
    --------
    >>> grid("1,10", 1000)
    [1.0, 10.0]
    >>> grid("0.3", 10)
    [0.0, 0.1, 0.2, 0.3]
    """
    if "," in text:
        return [number("alpha", piece) for piece in text.split(",") if piece.strip()]
    last = number("alpha", text)
    if not 0 < last * dim < math.inf:
        return [last]  # which the engines accept or refuse
    first = min(_FIRST, last / 100)
    points = np.geomspace(first, last, 1 + round(_DECADE * np.log10(last / first)))
    examples = np.unique(np.rint([0.0, *points * dim]))
    return [float(count) / dim for count in examples]


def teacher_of(text: str | None, noise: float | None) -> rb.core.Teacher:
    """Return the teacher; the noise is a short form for that of a perceptron.

    Examples
    --------
    >>> teacher_of(None, 0.1)
    Sign(noise=0.1)
    """
    if text is None:
        return rb.teachers.Sign(noise=noise or 0.0)
    if noise is not None:
        raise ValueError(
            "--noise cannot go with --teacher; write --teacher sign:noise=..."
        )
    return parse(rb.core.Teacher, text)


def stream_of(
    text: str | None, mean: float | None, overlap: float | None
) -> rb.core.Stream:
    """Return the stream; mean and overlap are short forms for Gaussian inputs.

    Examples
    --------
    >>> stream_of("gaussian:mean=4,overlap=-1.95", None, None)
    Gaussian(mean=4.0, overlap=-1.95)
    """
    if text is None:
        return rb.streams.Gaussian(mean=mean or 0.0, overlap=overlap or 0.0)
    if mean is not None or overlap is not None:
        raise ValueError(
            "--mean and --overlap cannot go with --stream; "
            "write --stream gaussian:mean=...,overlap=..."
        )
    return parse(rb.core.Stream, text)
