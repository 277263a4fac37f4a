"""Python program that computes a view again, with the same numbers."""

from __future__ import annotations

import math
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import rosenblatt as rb
from rosenblatt.core import BeliefRule
from rosenblatt.lab.jobs.experiment import EVEN, Experiment, experiment, logarithmic
from rosenblatt.lab.state import OWN, State
from rosenblatt.specification.codec import default

__all__ = ["committee_script", "figure_script", "python", "script"]

_MODULES = ("rules", "schedules", "teachers", "motions", "streams")


def _value(value: Any) -> str:
    if isinstance(value, float) and math.isinf(value):
        return f'float("{value}")'
    if isinstance(value, bool | int | float | tuple):
        return repr(value)
    return python(value)


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


def _theory(parts: Experiment) -> list[str]:
    """Return how to compute the curve that the page shows for N to infinity."""
    rule = parts.rule
    if isinstance(rule, rb.rules.BinaryBayes):
        if rule.noise != getattr(parts.teacher, "noise", 0.0):
            return []
        solved = [
            "curve = rb.theory.solve_online(",
            '    alpha, teacher.noise, prior="binary"',
            ').sel(learner=["bayes"])',
        ]
    elif isinstance(rule, BeliefRule):
        return []
    else:
        more = ", motion=motion" if parts.motion is not None else ""
        solved = [
            f"curve = rb.solve(rule, schedule, teacher, stream, alpha=alpha{more})"
        ]
    return [
        "try:",
        *(f"    {line}" for line in solved),
        '    print("theory", curve.error.values[0, -1])',
        "except (ValueError, TypeError, ArithmeticError) as failure:",
        "    print(failure)",
    ]


def _setting(state: State, named: dict[str, str]) -> list[str]:
    """Return imports, parts by name, N, and the times to record."""
    first, count = logarithmic(state.alpha)
    return [
        "import numpy as np",
        "",
        "import rosenblatt as rb",
        "",
        *(f"{name} = {text}" for name, text in named.items()),
        f"dim = {state.dim}",
        f"times = np.geomspace({first!r}, {state.alpha!r}, {count})",
        f"times = np.append(times, np.linspace(0, {state.alpha!r}, {EVEN}))",
        "alpha = np.unique(np.rint(dim * times)) / dim  # whole numbers of examples",
    ]


def script(state: State, last: float | None = None) -> str:
    """Return a program that makes the view of a state.

    Parameters
    ----------
    state
        State that the page shows.
    last
        Where the run was stopped, if it was.

    Examples
    --------
    >>> print(script(State(dim=50)).splitlines()[-2])
    rb.save(run, "curve.nc")
    """
    parts = experiment(state)
    own = OWN.get(state.rule.partition(":")[0], "")
    file, _, name = own.rpartition(":")
    given = {name: part for name, part in parts._asdict().items() if part is not None}
    named = {name: python(part) for name, part in given.items()}
    stopped = f"alpha = alpha[alpha <= {last!r}]  # where the page stopped"
    lines = [
        f"# Learning curves, made with rosenblatt {version('rosenblatt')}.",
        "",
        *([f"from {Path(file).stem} import {name}  # {Path(file).name}"] * bool(own)),
        *_setting(state, named),
        *([] if last is None else [stopped]),
        "",
        "run = rb.simulate(",
        "    rule, schedule, teacher, stream,",
        *(["    motion=motion,"] if parts.motion is not None else []),
        f"    dim=dim, alpha=alpha, replicas={state.replicas}, seed={state.seed},",
        ")",
        'print("error", run.error.values[:, -1].mean(), "at alpha =", alpha[-1])',
        "curve = None",
        *_theory(parts),
        'rb.plotting.learning_curve(run, theory=curve).savefig("curve.png")',
        'rb.save(run, "curve.nc")',
        "",
    ]
    return "\n".join(lines) + "\n"


def committee_script(state: State) -> str:
    """Return a program that makes the overlaps of a committee, and their theory.

    Examples
    --------
    >>> "students=2, teachers=2" in committee_script(State(units=2))
    True
    """
    parts, units = experiment(state), state.units
    erf = f"rb.rules.Erf(), students={units}, teachers={units}"
    named = {
        "committee": f"rb.committees.Committee({erf})",
        "schedule": python(parts.schedule),
        "motion": "None" if parts.motion is None else python(parts.motion),
    }
    lines = [
        f"# Overlaps of a committee, made with rosenblatt {version('rosenblatt')}.",
        "",
        "import matplotlib.pyplot as plt",
        *_setting(state, named),
        "",
        "run = rb.committees.simulate(",
        "    committee, schedule, motion=motion, "
        f"dim=dim, alpha=alpha, seed={state.seed}",
        ")",
        "start = run.R.values[0, 0], run.Q.values[0, 0]",
        "curve = rb.committees.solve(",
        "    committee, schedule, motion=motion, alpha=alpha, start=start",
        ")",
        'for name, colour in ("R", "tab:blue"), ("Q", "tab:orange"):',
        '    for result, line in (run, "-"), (curve, "--"):',
        "        values = result[name].values[0].reshape(alpha.size, -1)",
        "        plt.plot(alpha, values, line, color=colour)",
        'plt.savefig("overlaps.png")',
        'rb.save(run, "overlaps.nc")',
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
