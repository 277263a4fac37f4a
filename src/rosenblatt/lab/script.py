"""Python programs that compute a view again, with the same numbers."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rosenblatt.lab.job import EVEN, LOGARITHMIC, experiment, first
from rosenblatt.lab.state import OWN, State
from rosenblatt.specification.codec import name_of


def python(part: Any) -> str:
    """Return an expression for a part.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> python(rb.rules.Normalised(rb.rules.Perceptron(margin=2.0)))
    'rb.rules.Normalised(rule=rb.rules.Perceptron(margin=2.0))'
    """
    if not is_dataclass(part):
        return 'float("inf")' if part == math.inf else repr(part)
    given = (f"{one.name}={python(getattr(part, one.name))}" for one in fields(part))
    name = name_of(type(part))  # None for a rule of the server's owner
    return f"{f'rb.{name}' if name else type(part).__name__}({', '.join(given)})"


def script(state: State, last: float | None = None) -> str:
    """Return a program that makes the view of a state.

    Parameters
    ----------
    state
        State that the page shows.
    last
        Time at which the run was stopped, if it was.

    Examples
    --------
    >>> print(script(State(dim=50)).splitlines()[-1])
    rb.save(run, "curve.nc")
    >>> "golea1993" in script(State(figure="golea1993/fig3"))
    True
    """
    made = f"# Made with rosenblatt {version('rosenblatt')}."
    if state.figure:
        return f'''{made}
import csv

import rosenblatt as rb

paper = rb.papers.{state.figure.partition("/")[0]}.PAPER
figures = {{figure.id: figure for figure in paper.figures}}
data = figures["{state.figure}"].build(quick=True)
with open("figure.csv", "w", newline="") as file:
    csv.writer(file).writerows(data.rows())
rb.plotting.draw(data).savefig("figure.png")
'''
    chosen = {k: part for k, part in experiment(state).items() if part is not None}
    named = "\n".join(f"{name} = {python(part)}" for name, part in chosen.items())
    given = ", ".join(f"{name}={name}" for name in chosen)
    file, _, name = OWN.get(state.rule.partition(":")[0], "").rpartition(":")
    own = f"from {Path(file).stem} import {name}  # {Path(file).name}\n" if file else ""
    stopped = "" if last is None else f"alpha = alpha[alpha <= {last!r}]\n"
    return f"""{made}
import numpy as np

import rosenblatt as rb
{own}
{named}
dim = {state.dim}
times = np.geomspace({first(state.alpha)!r}, {state.alpha!r}, {LOGARITHMIC})
times = np.append(times, np.linspace(0, {state.alpha!r}, {EVEN}))
alpha = np.unique(np.rint(dim * times)) / dim  # whole numbers of examples
{stopped}
parts = dict({given})
run = rb.simulate(
    **parts, dim=dim, alpha=alpha, replicas={state.replicas}, seed={state.seed}
)
print("error", run.error.values[:, -1].mean(), "at alpha =", alpha[-1])
try:
    curve = rb.solve(**parts, alpha=alpha)
    print("theory", curve.error.values[0, -1])
except (ValueError, TypeError, ArithmeticError) as failure:
    curve = None
    print("no theory:", failure)
rb.plotting.learning_curve(run, theory=curve).savefig("curve.png")
rb.save(run, "curve.nc")
"""
