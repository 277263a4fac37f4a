"""The first tab: a learning curve that grows while it is computed."""

from __future__ import annotations

import base64
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from bokeh.layouts import column, row
from bokeh.models import Button, CustomJS, Div

import rosenblatt as rb
from rosenblatt.core.figures import comma_separated
from rosenblatt.lab.controls import Controls
from rosenblatt.lab.job import (
    EVEN,
    LOGARITHMIC,
    Curve,
    Job,
    Message,
    Remark,
    Run,
    experiment,
    first,
    grid,
)
from rosenblatt.lab.plots import ErrorPlot, Histogram, Plane, paper_figure
from rosenblatt.lab.presets import CHOSEN, name_of, preset_of
from rosenblatt.lab.state import OWN, State, query
from rosenblatt.lab.widgets import message, numbers, say, wide
from rosenblatt.specification import codec


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
    name = codec.name_of(type(part))  # None for a rule of the server's owner
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


_JOBS = 32  # at the same time
Files = dict[str, Callable[[], bytes]]
_KEEP, _DROP = "Keep this curve to compare", "Drop the kept curve"


class Shared:
    """Jobs of all visitors."""

    def __init__(self) -> None:
        self.jobs: set[Job] = set()

    def stop(self, job: Job | None) -> None:
        """End a job, if there is one."""
        if job is not None:
            job.stop()
            self.jobs.discard(job)


def _netcdf(result: xr.Dataset) -> bytes:
    """Return a run as the file that :func:`rosenblatt.save` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "curve.nc")
        rb.save(result, path)
        return path.read_bytes()


def _csv(result: xr.Dataset) -> bytes:
    """Return a run as a table: one row for each replica and time."""
    text: str = result.to_dataframe(dim_order=["replica", "alpha"]).to_csv()
    return text.encode()


class CurvesTab:
    """The tab of one visitor.

    Parameters
    ----------
    state
        State that the tab shows at first.
    shared
        Jobs of all visitors.
    moved
        Called with the state when it has changed.
    wrong
        What is wrong with the address, to be shown until the next change.
    """

    def __init__(
        self, state: State, shared: Shared, moved: Callable[[State], None], wrong: str
    ) -> None:
        self._shared, self._moved = shared, moved
        self._kept: Curve | None = None
        self._job: Job | None = None
        self.message = message()
        wrapped = {"styles": {"flex-wrap": "wrap"}}
        self.numbers, self.files = Div(**wide()), row(**wide(**wrapped))
        self.sent = Div(visible=False)  # its tags are a file: its name and content
        self.sent.js_on_change("tags", CustomJS(code="window.save(cb_obj.tags)"))
        self.keep = Button(label=_KEEP, **wide())
        self.keep.on_click(self._keep)
        self.controls = Controls(state, self._changed, self._show_error)
        self.plane, self.histogram = Plane(), Histogram()
        self.pair = row(self.plane.plot, self.histogram.plot, **wide(**wrapped))
        self.curves = column(**wide())
        self._start()
        self._remarks.append(wrong)

    def close(self) -> None:
        """End the job of a visitor who has left."""
        self._shared.stop(self._job)

    def _changed(self, state: State) -> None:
        self._moved(state)
        self._start()

    def _show_error(self, text: str) -> None:
        say(self.message, text, bool(text))

    def _keep(self) -> None:
        """Keep the curve of this run beside others, or drop it."""
        if self._kept is not None:
            self._kept = None
            self.errors.drop()
        elif self._run is None:
            self._show_error("there is no curve yet to keep")
            return
        else:
            words = query(self.controls.state).replace("&", ", ") or "first example"
            result = self._run.result
            median = np.median(result["error"].values, axis=0)
            self._kept = Curve("kept", f"kept: {words}", result["alpha"].values, median)
            self.errors.show_line(self._kept)
        self.keep.label = _KEEP if self._kept is None else _DROP

    def _start(self) -> None:
        """Start the job of the state, and end the one before."""
        self._shared.stop(self._job)
        state = self.controls.state
        self._began, self._job = time.monotonic(), None
        self._theory: Curve | None = None
        self._run: Run | None = None
        name = name_of(state)
        self._remarks = [preset_of(name).note] if name != CHOSEN else []
        self.numbers.text, self.files.children = "", []
        for shown in (self.pair, self.keep, self.numbers):
            shown.visible = not state.figure
        times = grid(state)
        first = float(times[times > 0][0]) if times.any() else 0.1
        self.errors = ErrorPlot(state.axes == "logarithmic", first, state.alpha)
        if self._kept is not None:
            self.errors.show_line(self._kept)
        self.curves.children = [] if state.figure else [self.errors.plot, self.keep]
        if len(self._shared.jobs) >= _JOBS:
            self._show_error("Too many visitors are at work here; try later.")
            return
        self._job = Job(state)
        self._shared.jobs.add(self._job)

    def update(self) -> None:
        """Show new messages of the job; called periodically."""
        job = self._job
        if job is None or not job.running:
            return
        for received in job.messages():
            if isinstance(received, Remark) and received.failure:
                self._shared.stop(job)
                self._show_error(received.text)
                return
            self._show(received)
        if job.running:
            doing = f"Working, {time.monotonic() - self._began:.0f} s."
        else:
            doing = "Done."
            self._shared.stop(job)
            self._offer_run()
        say(self.message, " ".join([doing, *self._remarks]))

    def _show(self, received: Message) -> None:
        if isinstance(received, Remark):
            self._remarks.append(received.text)
        elif isinstance(received, Curve):
            if received.role == "theory":
                self._theory = received
            self.errors.show_line(received)
        elif isinstance(received, Run):
            self._run = received
            self._show_run(received)
        else:
            self.curves.children = [paper_figure(received)]
            self._offer({"figure.csv": partial(comma_separated, received)})

    def _show_run(self, run: Run) -> None:
        """Show a run so far, how well it does, and how fast it was."""
        found: dict[str, Any] = {
            str(k): v.values for k, v in run.result.data_vars.items()
        }
        times = run.result["alpha"].values
        self.errors.show_run(times, found["error"])
        self.plane.show(found["angle"], found["norm"])
        last, alpha = found["error"][:, -1], float(times[-1])
        shown = {
            "engine": str(run.result.attrs["engine"]),
            "\u03b1": f"{alpha:.4g}",
            "mean error": f"{last.mean():.4g}",
        }
        if last.size > 1:
            shown["mean error"] += f" \xb1 {last.std(ddof=1) / last.size**0.5:.1g}"
        theory = None
        if self._theory is not None:
            theory = float(np.interp(alpha, self._theory.alpha, self._theory.error))
            shown["theory"] = f"{theory:.4g}"
        self.histogram.show(alpha, last, theory)
        state = self.controls.state
        speed = state.replicas * state.dim * alpha / max(run.seconds, 1e-9)
        shown["equivalent examples per second"] = f"{float(f'{speed:.2g}'):,.0f}"
        self.numbers.text = numbers(shown)

    def _offer_run(self) -> None:
        if self._run is not None:
            run, result = self._run, self._run.result
            last = None if run.complete else float(result["alpha"].values[-1])
            files = {"curve.csv": partial(_csv, result)}
            self._offer({**files, "curve.nc": partial(_netcdf, result)}, last)

    def _offer(self, files: Files, last: float | None = None) -> None:
        """Offer files, and the program that makes them."""
        program = script(self.controls.state, last).encode
        offered = {**files, "view.py": program}
        self.files.children = [self._button(*file) for file in offered.items()]

    def _button(self, name: str, make: Callable[[], bytes]) -> Button:
        def send() -> None:
            self.sent.tags = [name, base64.b64encode(make()).decode(), time.time()]

        made = Button(label=f"Download {name}", min_width=160, **wide())
        made.on_click(send)
        return made
