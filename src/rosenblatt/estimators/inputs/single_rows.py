"""Single rows of a stream, which are learned with no more Python than needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.core.types import IntArray
from rosenblatt.estimators.inputs.examples import FLOATS

__all__ = ["single_row_code"]


def single_row_code(
    model: Any, X: Any, y: Any, classes: Any, sample_weight: Any
) -> IntArray | None:
    """Return the class code of a single row that needs no further checks, else None.

    Other rows take the usual path, which raises the error if anything is wrong. The
    model keeps the codes of its labels in ``_codes``.
    """
    own = vars(model)
    codes = own.get("_codes")
    if (
        not codes
        or classes is not None
        or sample_weight is not None
        or type(X) is not np.ndarray
        or X.shape != (1, own["n_features_in_"])
        or X.dtype not in FLOATS
        or not (X.flags.c_contiguous and X.flags.aligned)
        or type(y) not in (np.ndarray, list)
        or len(y) != 1
        or model.class_weight is not None
        or "feature_names_in_" in own
    ):
        return None
    try:
        code: IntArray | None = codes.get(y[0])
    except TypeError:  # a label that cannot be hashed
        return None
    return code
