"""Eight doubles side by side, as one value of a kernel.

The compiler does not find vector instructions in loops over eight replicas that end
after one register. Here a register is a value on which formulas are written with ``+``,
``-``, ``*`` and ``/``. In plain Python it is an array of eight numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core.types import Type
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    register_model,
    type_callable,
)

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.registers import I64, call, data_of, same
from rosenblatt.core.types import FloatArray

EIGHT = 8
_VECTOR = ir.VectorType(ir.DoubleType(), EIGHT)
_ONE, _ZERO = (ir.Constant(_VECTOR, [x] * EIGHT) for x in (1.0, 0.0))
_NUMBER = 8  # bytes; also the alignment that arrays have
_FLAGS = ("contract",)  # products may be fused with sums; sums are not reordered


class _Eight(Type):
    """Numba's type of eight doubles."""

    def __init__(self) -> None:
        super().__init__(name="Eight")


_eight = _Eight()


@register_model(_Eight)
class _Model(models.PrimitiveModel):
    """A register of the processor."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


def _operator(symbol: Callable[..., Any], name: str) -> None:
    """Let two registers be added, subtracted, multiplied or divided."""

    @type_callable(symbol)
    def typed(context: Any) -> Any:
        def typer(a: Any, b: Any) -> Any:
            return _eight if isinstance(a, _Eight) and isinstance(b, _Eight) else None

        return typer

    @lower_builtin(symbol, _Eight, _Eight)  # type: ignore[no-untyped-call,untyped-decorator]
    def lowered(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return getattr(builder, name)(*given, flags=_FLAGS)


for _symbol, _name in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_symbol, _name)


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = data_of(context, builder, kind, array)
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


@intrinsic
def _load(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _address(context, builder, signature.args[0], *given)
        return builder.load(place, align=_NUMBER)

    return _eight(array, types.int64), generate


@intrinsic
def _store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _address(context, builder, signature.args[0], *given[:2])
        builder.store(given[2], place, align=_NUMBER)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


@intrinsic
def _same(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return same(builder, _VECTOR, given[0])

    return _eight(types.float64), generate


def _square_root(builder: Any, value: Any) -> Any:
    return call(builder, "llvm.sqrt.v8f64", _VECTOR, value)


@intrinsic
def _root(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _square_root(builder, given[0])

    return _eight(value), generate


@intrinsic
def _inverse_root(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        inverse = builder.fdiv(_ONE, _square_root(builder, given[0]))
        positive = builder.fcmp_ordered(">", given[0], _ZERO)
        return builder.select(positive, inverse, _ZERO)

    return _eight(value), generate


@intrinsic
def _is_zero(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        zero = builder.fcmp_ordered("==", given[0], _ZERO)
        return builder.select(zero, _ONE, _ZERO)

    return _eight(value), generate


@intrinsic
def _first_not_positive(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = builder.fcmp_ordered("<=", given[0], _ZERO)
        bits = builder.zext(builder.bitcast(found, ir.IntType(EIGHT)), I64)
        marked = builder.or_(bits, I64(1 << EIGHT))  # a bit for "none of them"
        return call(builder, "llvm.cttz.i64", I64, marked, ir.IntType(1)(1))

    return types.int64(value), generate


def _plain_load(array: FloatArray, index: int) -> FloatArray:
    return array.reshape(-1)[index : index + EIGHT].copy()


def _plain_store(array: FloatArray, index: int, value: FloatArray) -> None:
    array.reshape(-1)[index : index + EIGHT] = value


def _plain_first(value: FloatArray) -> int:
    return int(np.append(value <= 0.0, True).argmax())


def _plain_inverse_root(value: FloatArray) -> FloatArray:
    found = np.zeros(EIGHT)
    np.divide(1.0, np.sqrt(value), out=found, where=value > 0)
    return found


# The eight numbers of a contiguous array from a place on, counted in numbers.
load: Any = _plain_load if PLAIN else _load
store: Any = _plain_store if PLAIN else _store
# One number in all eight places.
same_eight: Any = (lambda value: np.full(EIGHT, value)) if PLAIN else _same
root: Any = np.sqrt if PLAIN else _root
# 1 / sqrt(value), and 0 where the value is not above 0.
inverse_root: Any = _plain_inverse_root if PLAIN else _inverse_root
# Place of the first number that is 0 or below, and 8 if there is none.
first_not_positive: Any = _plain_first if PLAIN else _first_not_positive
# 1 where the value is 0, else 0.
is_zero: Any = (lambda value: (value == 0).astype(float)) if PLAIN else _is_zero
