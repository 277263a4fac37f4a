"""Types of kernel arguments: numba's own, and named structures of them."""

from typing import Any

from numba.types import (
    Array as Array,
)
from numba.types import (
    BaseTuple,
)
from numba.types import (
    CPointer as CPointer,
)
from numba.types import (
    FunctionType as FunctionType,
)
from numba.types import (
    NamedUniTuple as NamedUniTuple,
)
from numba.types import (
    UniTuple as UniTuple,
)
from numba.types import (
    boolean as boolean,
)
from numba.types import (
    float32 as float32,
)
from numba.types import (
    float64 as float64,
)
from numba.types import (
    int32 as int32,
)
from numba.types import (
    int64 as int64,
)
from numba.types import (
    uint64 as uint64,
)
from numba.types import (
    void as void,
)

# Arrays that a kernel only reads: numbers with one, two and three indices, and codes.
VECTOR, MATRIX, TENSOR = (Array(float64, n, "C", readonly=True) for n in (1, 2, 3))
WHOLES = Array(int64, 1, "C", readonly=True)


def structure(kind: type, *entries: Any) -> Any:
    """Return the type of a named tuple whose entries have these types.

    Kernels take their many arrays and numbers in a few such structures.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> Pair = NamedTuple("Pair", [("first", float), ("second", int)])
    >>> structure(Pair, float64, int64)
    Pair(float64, int64)
    """
    return BaseTuple.from_types(entries, kind)
