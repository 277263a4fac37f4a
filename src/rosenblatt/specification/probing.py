"""Checks of a user's functions before they are compiled, which drops bounds checks."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from rosenblatt.compiling import storage
from rosenblatt.core.parts import Machine, VectorStream
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.random import generators

_TRIES = 5  # inputs at which a gradient is compared with differences
_WRONG = 1e-3  # relative deviation that rounding does not explain


def probe(machine: Machine, weights: FloatArray) -> None:
    """Refuse a machine that reads or writes where it must not.

    Its function is called as plain Python. Compiled code does not notice an index that
    is too large, nor a derivative that is never written.

    Examples
    --------
    >>> from rosenblatt.machines import Smooth
    >>> probe(Smooth(lambda s, w: s[0] - w[7], lambda s, w, out: None, 1, 1), [0.0])
    Traceback (most recent call last):
    ValueError: machine ... uses an entry that is not there, of its 1 inputs or 1 ...
    """
    if storage.name_of(machine) is not None:  # all of this package, and tested
        return
    s = np.random.default_rng(0).standard_normal(machine.inputs)
    gradients = np.stack([np.zeros(machine.parameters), np.ones(machine.parameters)])
    try:
        with np.errstate(all="ignore"):
            for gradient in gradients:
                result: Any = machine.plain()(s, weights.copy(), gradient)
    except IndexError as failure:
        raise ValueError(
            f"machine {machine!r} uses an entry that is not there, of its "
            f"{machine.inputs} inputs or {machine.parameters} parameters: {failure}"
        ) from None
    except Exception:  # this input is not one of its stream's: nothing is known
        return
    if result is None or np.ndim(result) > 0:
        raise ValueError(f"machine {machine!r} must return one number, got {result!r}")
    same = (gradients[0] == gradients[1]) | np.isnan(gradients).all(axis=0)
    for i in np.flatnonzero(~same):
        raise ValueError(
            f"machine {machine!r} leaves entry {i} of its gradient as it was or adds "
            f"to it; all {machine.parameters} must be written"
        )
    try:
        with np.errstate(all="ignore"):
            wrong = _misfit(machine, weights)
    except Exception:  # inputs that are not of its stream again
        return
    if wrong:
        warnings.warn(f"in machine {machine!r} {wrong}", stacklevel=4)


def _misfit(machine: Machine, weights: FloatArray) -> str:
    """Describe how a gradient differs from that of f; "" if it does not."""
    function = machine.plain()
    rng, step = np.random.default_rng(1), 1e-5
    stated, found = np.empty((2, _TRIES, machine.parameters))
    unused = np.empty(machine.parameters)
    for k in range(_TRIES):
        s = rng.standard_normal(machine.inputs)
        w = weights + 0.1 * rng.standard_normal(machine.parameters)
        function(s, w, stated[k])
        for i, shift in enumerate(step * np.eye(machine.parameters)):
            ends = (function(s, w + shift, unused), function(s, w - shift, unused))
            found[k, i] = (ends[0] - ends[1]) / (2 * step)
    wrong = np.abs(stated - found) > _WRONG * (1 + np.abs(found))
    # Everywhere: a kink is no mistake.
    for entry in np.flatnonzero(wrong.all(axis=0)).tolist():
        return (
            f"entry {entry} of the gradient is {stated[0, entry]:.6g} where the slope "
            f"of f is {found[0, entry]:.6g}"
        )
    return ""


def probe_stream(stream: VectorStream) -> None:
    """Refuse a stream that does not write all of its inputs, or writes beyond them.

    Examples
    --------
    >>> from rosenblatt.streams import Sampled
    >>> probe_stream(Sampled(2, lambda rng, s: s[:1].fill(0.0)))
    Traceback (most recent call last):
    ValueError: stream ... leaves component 1 of an input as it was; all 2 must be ...
    """
    if storage.name_of(stream) is not None:  # all of this package, and tested
        return
    function = stream.bind()
    function = getattr(function, "py_func", function)  # of one that is compiled already
    inputs = np.stack([np.zeros(stream.dim), np.ones(stream.dim)])
    try:
        with np.errstate(all="ignore"):
            for s in inputs:
                function(generators(0, range(1), 1)[0, 0], s)  # the same numbers
    except IndexError as failure:
        raise ValueError(
            f"stream {stream!r} uses a component that is not there, of {stream.dim}: "
            f"{failure}"
        ) from None
    except Exception:  # what is good for numba need not be for Python
        return
    for i in np.flatnonzero((inputs[0] == 0.0) & (inputs[1] == 1.0)):
        raise ValueError(
            f"stream {stream!r} leaves component {i} of an input as it was; all "
            f"{stream.dim} must be written"
        )
