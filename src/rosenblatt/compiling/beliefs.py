"""Compilation of learners that keep a belief about every weight."""

from __future__ import annotations

from types import FunctionType

from numba.core.errors import NumbaError, UnsupportedBytecodeError

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import compiled_for, inlined, remembered
from rosenblatt.compiling.storage import name_of
from rosenblatt.core.beliefs import (
    BeliefRule,
    Learn,
    Observation,
    WeightwiseRule,
    weightwise,
)
from rosenblatt.core.vocabulary import Part

_f = types.float64
_vector = _f[::1]
_LEARN = types.void(
    _vector,
    _vector,
    _vector,
    types.Array(_f, 1, "C", readonly=True),
    types.NamedUniTuple(_f, len(Observation._fields), Observation),
)
LEARN = types.FunctionType(_LEARN)


@remembered
def learning(rule: Part) -> Learn:
    """Return the compiled learner, the same one for equal rules."""
    assert isinstance(rule, BeliefRule)
    if isinstance(rule, WeightwiseRule) and type(rule).bind is WeightwiseRule.bind:
        function = weightwise(inlined(rule.signal()), inlined(rule.move()))
    else:
        function = rule.bind()
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType):
        raise TypeError(f"rule {rule!r} must bind a plain function, got {function!r}")
    try:
        return compiled_for(_LEARN, function, name_of(rule))
    except (NumbaError, UnsupportedBytecodeError, TypeError) as failure:
        raise TypeError(
            f"rule {rule!r} does not compile; its functions may use numbers, arrays, "
            f"math and other compiled functions only.\n{failure}"
        ) from None
