"""Parameters of estimators, each written once with its type, default and check."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

from rosenblatt.core.arguments import Check

__all__ = ["checked_parameters", "parameter", "with_parameters"]

_Class = TypeVar("_Class", bound=type)
_CHECKS = "_parameter_checks"


def parameter(check: Check, *, default: Any) -> Any:
    """Return a parameter of an estimator, with its default and its check."""
    return field(default=default, metadata={"check": check})


@dataclass_transform(eq_default=False, field_specifiers=(field, parameter))
def with_parameters(kind: _Class) -> _Class:
    """Add the ``__init__`` of a dataclass to an estimator, and the checks.

    The estimator does not become a dataclass: libraries take two dataclasses with equal
    fields for the same value. Dask would then mix up models with equal parameters that
    have learned different rows.

    Examples
    --------
    >>> from inspect import signature
    >>> from rosenblatt.core.arguments import number
    >>> @with_parameters
    ... class Model:
    ...     rate: float = parameter(number, default=0.5)
    >>> signature(Model), Model() == Model()
    (<Signature (rate: 'float' = 0.5) -> None>, False)
    """
    before = {*vars(kind), "__init__"}
    made: Any = dataclass(eq=False, repr=False)(kind)
    checks = {}
    for one in fields(made):
        if one.init:
            check = one.metadata["check"]
            checks[one.name] = one.default, check(one.name, one.default), check
    for name in vars(kind).keys() - before:
        delattr(kind, name)
    setattr(kind, _CHECKS, checks)
    return kind


def checked_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters of an estimator by name; raise an error if one is wrong.

    As in scikit-learn, parameters are checked when they are used, not when they are
    set. Defaults are checked once, with the class.

    Examples
    --------
    >>> from rosenblatt.core.arguments import number
    >>> @with_parameters
    ... class Model:
    ...     rate: float = parameter(number, default=0.5)
    >>> checked_parameters(Model(rate=[1, 2]))
    Traceback (most recent call last):
    TypeError: rate must be a finite number, got [1, 2]
    """
    checks: dict[str, tuple[Any, Any, Check]] = getattr(model, _CHECKS)
    given = {name: getattr(model, name) for name in checks}
    return {
        name: checked if given[name] is default else check(name, given[name])
        for name, (default, checked, check) in checks.items()
    }
