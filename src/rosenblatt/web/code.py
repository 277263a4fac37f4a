"""Python that makes a view again, number by number."""

from __future__ import annotations

import ast
import math
from dataclasses import fields, replace
from importlib.metadata import version
from typing import Any

import rosenblatt as rb
from rosenblatt.core import BeliefRule
from rosenblatt.spelling.text import default
from rosenblatt.web.experiment import EVEN, experiment, logarithmic
from rosenblatt.web.state import State

__all__ = ["figure_script", "python", "script"]

_MODULES = ("rules", "schedules", "teachers", "streams")


def _value(value: Any) -> str:
    if isinstance(value, float) and math.isinf(value):
        return f'float("{value}")'
    return repr(value) if isinstance(value, bool | int | float) else python(value)


def python(part: Any) -> str:
    """Return an expression for a part; parameters at their default are left out.

    Examples
    --------
    >>> python(rb.rules.Normalised(rb.rules.Perceptron(margin=2.0)))
    'rb.rules.Normalised(rb.rules.Perceptron(margin=2.0))'
    """
    name = type(part).__name__
    where = [m for m in _MODULES if getattr(getattr(rb, m), name, None) is type(part)]
    given = []
    for field in fields(part):
        value = getattr(part, field.name)
        if value != default(field):
            key = "" if field.name == "rule" else f"{field.name}="
            given.append(f"{key}{_value(value)}")
    prefix = f"rb.{where[0]}." if where else ""
    return f"{prefix}{name}({', '.join(given)})"


def _last_class(code: str) -> str:
    """Return the name of the last class that a text defines, without running it."""
    found = [n.name for n in ast.parse(code).body if isinstance(n, ast.ClassDef)]
    return found[-1]


def script(state: State, code: str | None = None) -> str:
    """Return a program that makes the view of a state.

    ``code`` defines a rule of the visitor's own, where there is one.

    Examples
    --------
    >>> print(script(State(dim=50)).splitlines()[-2])
    rb.save(run, "curve.nc")
    """
    parts = experiment(state if code is None else replace(state, rule="perceptron"))
    first, count = logarithmic(state.alpha)
    named = {name: python(part) for name, part in parts._asdict().items()}
    if code is not None:
        own = f"{_last_class(code)}()"
        named["rule"] = named["rule"].replace("rb.rules.Perceptron()", own)
    lines = [
        f'"""Learning curves, made with rosenblatt {version("rosenblatt")}."""',
        "",
        "import numpy as np",
        "",
        "import rosenblatt as rb",
        "",
        *([code.strip(), ""] if code else []),
        *(f"{name} = {text}" for name, text in named.items()),
        f"dim = {state.dim}",
        f"times = np.geomspace({first!r}, {state.alpha!r}, {count})",
        f"times = np.append(times, np.linspace(0, {state.alpha!r}, {EVEN}))",
        "alpha = np.unique(np.rint(dim * times)) / dim  # whole numbers of examples",
        "",
        "run = rb.simulate(",
        "    rule, schedule, teacher, stream,",
        f"    dim=dim, alpha=alpha, replicas={state.replicas}, seed={state.seed},",
        ")",
        'print("error", run.error.values[:, -1].mean(), "at alpha =", alpha[-1])',
        "curve = None",
    ]
    if not isinstance(parts.rule, BeliefRule):
        lines += [
            "try:",
            "    curve = rb.solve(rule, schedule, teacher, stream, alpha=alpha)",
            '    print("theory", curve.error.values[0, -1])',
            "except (ValueError, ArithmeticError) as failure:",
            "    print(failure)",
        ]
    lines += [
        'rb.plotting.learning_curve(run, theory=curve).savefig("curve.png")',
        'rb.save(run, "curve.nc")',
        "",
    ]
    return "\n".join(lines) + "\n"


def figure_script(name: str) -> str:
    """Return a program that makes a figure of a paper, as it is on the page.

    Examples
    --------
    >>> "golea1993" in figure_script("golea1993/fig3")
    True
    """
    key = name.partition("/")[0]
    return f'''"""{name}, made with rosenblatt {version("rosenblatt")}."""

import csv

import rosenblatt as rb

figures = {{figure.id: figure for figure in rb.papers.{key}.PAPER.figures}}
data = figures["{name}"].build(quick=True)
with open("figure.csv", "w", newline="") as file:
    csv.writer(file).writerows(data.rows())
rb.plotting.draw(data).savefig("figure.png")
'''
