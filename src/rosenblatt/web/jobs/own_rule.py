"""A learning rule that a visitor has written in Python."""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from pathlib import Path

import xarray as xr

from rosenblatt.core import BeliefRule, Rule
from rosenblatt.specification.codec import load

__all__ = ["own_name", "own_rule"]

_OWN = "own_rule"  # the module that a visitor's code becomes


def own_rule(code: str) -> Rule | BeliefRule:
    """Return the last rule that a text defines, by running it.

    Examples
    --------
    >>> own_rule("x = 1")
    Traceback (most recent call last):
    ValueError: your code must define a class derived from rosenblatt.core.Rule
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{_OWN}.py")
        path.write_text(code, encoding="utf-8")
        sys.modules.pop(_OWN, None)  # of an earlier job, in a process of its own
        try:
            module = load(str(path))
        except ValueError as failure:
            raise ValueError(str(failure).replace(str(path), "your code")) from None
    mine = [
        made
        for made in vars(module).values()
        if inspect.isclass(made)
        and issubclass(made, Rule | BeliefRule)
        and made.__module__ == module.__name__
    ]
    if not mine:
        raise ValueError(
            "your code must define a class derived from rosenblatt.core.Rule"
        )
    found: Rule | BeliefRule = mine[-1]()
    return found


def own_name(result: xr.Dataset) -> str:
    """Return the name of the visitor's class in a result that was made with it.

    Examples
    --------
    >>> own_name(xr.Dataset(attrs={"spec": '{"rule": {"own": "Half"}}'}))
    'Half'
    """
    found = re.search(r'"own": "(\w+)"', result.attrs["spec"])
    assert found is not None
    return found[1]
