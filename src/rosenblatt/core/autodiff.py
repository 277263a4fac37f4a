r"""All knowledge of JAX: gradients of functions that are written with ``jax.numpy``.

Everything is in double precision and on the processor, whatever JAX is set to
elsewhere: settings are changed for the time of a call only. Nothing imports this
module before a differentiated machine is used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.system.extras import missing

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None  # type: ignore[assignment, unused-ignore]

__all__ = ["bound", "learner", "slopes", "values"]

Value = Callable[[Any, Any], Any]
_CACHED = 64  # functions whose compilations are kept


def _needed() -> None:
    """Raise an error if JAX is not installed."""
    if jax is None:
        raise missing("jax", "a differentiated machine")


def _compiled(function: Callable[..., Any]) -> Callable[..., tuple[FloatArray, ...]]:
    """Compile for double precision; arrays of NumPy go in and come out."""
    fast = jax.jit(function)

    @functools.wraps(function)
    def call(*given: Any) -> tuple[FloatArray, ...]:
        with jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]):
            return tuple(np.asarray(result) for result in fast(*given))

    return call


@functools.lru_cache(_CACHED)
def values(value: Value) -> Callable[..., tuple[FloatArray, ...]]:
    """Return f for inputs (replica, example, component) and each replica's weights."""
    _needed()
    rows = jax.vmap(jax.vmap(value, (0, None)))
    return _compiled(lambda inputs, weights: (rows(inputs, weights),))


@functools.lru_cache(_CACHED)
def slopes(value: Value) -> Callable[..., tuple[FloatArray, ...]]:
    """Return f and its gradient by the weights, for inputs in rows."""
    _needed()
    return _compiled(jax.vmap(jax.value_and_grad(value, 1), (0, None)))


def bound(value: Value) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
    """Return f as a plain function that leaves its gradient in its last argument."""

    def function(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
        found, slope = slopes(value)(s[None], w)
        gradient[:] = slope[0]
        return float(found[0])

    return function


@functools.lru_cache(_CACHED)
def learner(value: Value, groups: int) -> Callable[..., tuple[FloatArray, ...]]:
    """Return the learning of many replicas from a part of a block of examples.

    The arguments are weights (replica, parameter), inputs (replica, example,
    component), labels (replica, example), rates (example), and the first example and
    the one to stop before. The results are weights, numbers of mistakes, and for each
    replica the first example at which a number was not finite, or -1. The value and the
    largest derivative at that example come with it.
    """
    _needed()
    both = jax.vmap(jax.value_and_grad(value, 1))

    def rescaled(w: Any) -> Any:
        if groups == 0:
            return w
        parts = w.reshape(len(w), groups, -1)
        return (parts / jnp.linalg.norm(parts, axis=2, keepdims=True)).reshape(w.shape)

    def learn(
        w: Any, inputs: Any, labels: Any, rates: Any, first: Any, last: Any
    ) -> tuple[Any, ...]:
        def example(i: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
            w, mistakes, broken, seen = state
            f, gradient = both(inputs[:, i], w)
            y = labels[:, i]
            wrong = ~(y * f > 0)  # NaN is a mistake, for somebody to notice
            moved = rescaled(w + (rates[i] * y)[:, None] * gradient)
            finite = jnp.isfinite(f) & jnp.isfinite(moved).all(axis=1)
            new = (broken < 0) & wrong & ~finite
            here = jnp.stack([f, jnp.abs(gradient).max(axis=1)], axis=1)
            return (
                jnp.where(wrong[:, None], moved, w),
                mistakes + wrong,
                jnp.where(new, i, broken),
                jnp.where(new[:, None], here, seen),
            )

        none = jnp.zeros(len(w), int)
        state = (w, none, none - 1, jnp.zeros((len(w), 2)))
        found: tuple[Any, ...] = jax.lax.fori_loop(first, last, example, state)
        return found

    return _compiled(learn)
