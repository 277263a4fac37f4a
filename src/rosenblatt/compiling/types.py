"""Types of kernel arguments: annotations, and the types of numba that they stand for.

A kernel's signature is that of its annotations, read by :func:`of`. Besides those below
they may be functions of :mod:`rosenblatt.compiling.jit`, such as ``Step``, and named
tuples of all these.
"""

import typing
from collections.abc import Callable
from typing import Annotated, Any

import numba.types as nb
import numpy as np

from rosenblatt.core.types import FloatArray, IntArray, Words

Array, CPointer, FunctionType = nb.Array, nb.CPointer, nb.FunctionType
NamedUniTuple, UniTuple = nb.NamedUniTuple, nb.UniTuple
float32, float64, int32, int64 = nb.float32, nb.float64, nb.int32, nb.int64
boolean, uint64, void = nb.boolean, nb.uint64, nb.void

# Arrays that a kernel only reads: numbers with one, two and three indices, and codes.
VECTOR, MATRIX, TENSOR = (Array(float64, n, "C", readonly=True) for n in (1, 2, 3))
WHOLES = Array(int64, 1, "C", readonly=True)

Pointer = Annotated[FloatArray, CPointer(float64)]
Vector = Annotated[FloatArray, float64[::1]]
Matrix = Annotated[FloatArray, float64[:, ::1]]
Tensor = Annotated[FloatArray, float64[:, :, ::1]]
Wholes = Annotated[IntArray, int64[::1]]
WholeMatrix = Annotated[IntArray, int64[:, ::1]]
WholeTensor = Annotated[IntArray, int64[:, :, ::1]]
WordVector = Annotated[Words, uint64[::1]]
WordMatrix = Annotated[Words, uint64[:, ::1]]
WordTensor = Annotated[Words, uint64[:, :, ::1]]
ReadVector = Annotated[FloatArray, VECTOR]
ReadMatrix = Annotated[FloatArray, MATRIX]
ReadWholes = Annotated[IntArray, WHOLES]
ReadColumns = Annotated[IntArray, Array(int32, 1, "C", readonly=True)]  # of sparse rows
ReadWords = Annotated[Words, Array(uint64, 1, "C", readonly=True)]
ReadWordMatrix = Annotated[Words, Array(uint64, 2, "C", readonly=True)]
_SCALARS: dict[Any, Any] = {
    float: float64,
    int: int64,
    bool: boolean,
    np.uint64: uint64,
    type(None): void,
}


def of(annotation: Any) -> Any:
    """Return numba's type of an annotation.

    A structure cannot hold arrays that may be read-only.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> Pair = NamedTuple("Pair", [("first", float), ("second", int)])
    >>> of(Pair), of(tuple[float, float])
    (Pair(float64, int64), UniTuple(float64, 2))
    """
    if hasattr(annotation, "__metadata__"):
        return annotation.__metadata__[0]
    if hasattr(annotation, "_fields"):
        hints = typing.get_type_hints(annotation, include_extras=True)
        return nb.BaseTuple.from_types(tuple(map(of, hints.values())), annotation)
    if typing.get_origin(annotation) is tuple:
        return nb.BaseTuple.from_types(tuple(map(of, typing.get_args(annotation))))
    return _SCALARS[annotation]


def signature(function: Callable[..., Any], *first: Any) -> Any:
    """Return the signature of a function's annotations, with other first arguments."""
    hints = typing.get_type_hints(function, include_extras=True)
    *arguments, result = map(of, list(hints.values())[len(first) :])
    return result(*first, *arguments)
