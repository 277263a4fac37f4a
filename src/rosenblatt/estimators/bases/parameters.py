"""Parameters of estimators, each written once with its type and default."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

__all__ = ["with_parameters"]

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def with_parameters(kind: _Class) -> _Class:
    """Add the ``__init__`` of a dataclass to an estimator, and nothing else.

    An estimator must not be a dataclass: libraries take two dataclasses with equal
    fields for the same value. Dask would then mix up models with equal parameters that
    have learned different rows.

    Examples
    --------
    >>> from inspect import signature
    >>> @with_parameters
    ... class Model:
    ...     rate: float = 0.5
    >>> signature(Model), Model() == Model()
    (<Signature (rate: 'float' = 0.5) -> None>, False)
    """
    before = {*vars(kind), "__init__"}
    dataclass(eq=False, repr=False)(kind)
    for name in vars(kind).keys() - before:
        delattr(kind, name)
    return kind
