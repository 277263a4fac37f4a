"""The first tab: a learning curve that grows while it is computed."""

from __future__ import annotations

import base64
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from bokeh.layouts import column, row
from bokeh.models import (
    Arrow,
    Button,
    CustomJS,
    Div,
    Label,
    Legend,
    NormalHead,
    Range1d,
    Span,
)

import rosenblatt as rb
from rosenblatt.charts.charts import GREY, drawing
from rosenblatt.core import Activation, BeliefRule, Combinator, Rule, Schedule
from rosenblatt.core.figures import FigureData, comma_separated
from rosenblatt.core.formulas import as_html, as_text
from rosenblatt.core.types import FloatArray
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
from rosenblatt.lab.presets import CHOSEN, name_of, options, preset_of
from rosenblatt.lab.state import OWN, State, changed, part_of, query
from rosenblatt.lab.widgets import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    choice,
    columns,
    legend,
    message,
    numbers,
    plot,
    reach,
    say,
    wide,
)
from rosenblatt.rules import SphericalBayes
from rosenblatt.schedules import Custom
from rosenblatt.specification import codec

_KINDS = ((Rule, BeliefRule), (Schedule,), (Activation,))
_FIELDS: dict[str, tuple[str, Any, str]] = {  # title, choices, what it means
    "normalised": ("length of the weights", [("true", "fixed"), ("false", "free")], ""),
    "decay": ("weight decay", [], "Strength of the decay; 0 for none."),
    "shifted": (
        "shift of the inputs",
        [
            ("none", "none"),
            ("average", "learned: M / <y>"),
            ("field", "learned, along the field"),
            ("known", "known beforehand"),
        ],
        "",
    ),
    "opening": ("opening", [], "Hebbian examples per weight, before the shift."),
    "noise": ("share of wrong labels", [], "From 0 to 0.5."),
    "mean": ("mean input: length", [], "Length of the mean of all inputs."),
    "overlap": ("along the teacher", [], "Its overlap with the teacher."),
    "motion": (
        "motion of the teacher",
        [],
        "none, random-walk:strength=0.1, rotation:speed=0.1, retreat:speed=0.1 or "
        "abrupt:times=(10,20).",
    ),
    "dim": ("weights N", [], "Number of weights of a student, such as 1000 or 1e6."),
    "alpha": ("\u03b1, up to", [], "The last \u03b1: examples per weight."),
    "replicas": ("replicas", [], "Independent students, 1000 at most."),
    "seed": ("seed", [], "The same seed gives the same numbers."),
    "axes": ("axes", ["logarithmic", "linear"], ""),
}


def names(kinds: tuple[Any, ...]) -> list[str]:
    """Return the names of all parts of some kinds that need numbers only.

    Examples
    --------
    >>> names((Schedule,))
    ['constant', 'per-mistake', 'power']
    """
    found = [kind for kind in codec.parts().values() if issubclass(kind, kinds)]
    plain = [k for k in found if not issubclass(k, Combinator) and k is not Custom]
    own = list(OWN) if Rule in kinds else []
    return own + [codec.kebab(kind.__name__) for kind in plain]


def parameters(part: Any, path: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, value and possible values of the parameters of a part.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> [found[:2] for found in parameters(rb.rules.Delta(rb.rules.Tanh(gain=2)))]
    [('activation', 'tanh'), ('activation.gain', '2')]
    """
    for field in fields(part):
        inside = getattr(part, field.name)
        if isinstance(inside, bool):
            yield path + field.name, str(inside).lower(), ["false", "true"]
        elif isinstance(inside, int | float):
            yield path + field.name, f"{inside:.12g}", []
        elif inside is not None:  # a likelihood: labels are signs here
            kinds = next(known for known in _KINDS if isinstance(inside, known))
            yield path + field.name, codec.kebab(type(inside).__name__), names(kinds)
            yield from parameters(inside, f"{path}{field.name}.")


class Controls:
    """All controls, and the state they show.

    Parameters
    ----------
    state
        State that the controls show at first.
    on_change
        Called with the new state whenever something changes.
    show_error
        Called with what is wrong with an input, and with nothing if all is right.
    """

    def __init__(
        self,
        state: State,
        on_change: Callable[[State], None],
        show_error: Callable[[str], None],
    ) -> None:
        self._on_change, self._show_error = on_change, show_error
        self._quiet = False
        self.preset = choice("example or figure", options())
        self.preset.on_change("value", self._taken(lambda new: preset_of(new).state))
        self.inputs = {name: choice(*given) for name, given in _FIELDS.items()}
        self._parameters = {}
        for name, kinds in (("rule", _KINDS[0]), ("schedule", _KINDS[1])):
            self.inputs[name] = choice(name, names(kinds))
            self._parameters[name] = column(**wide())
        for name, control in self.inputs.items():
            control.on_change("value", self._taken(self._reader(name)))
        self.layout = self._arranged()
        self.show(state)

    def _arranged(self) -> Any:
        def heading(text: str) -> Div:
            return Div(text=f"<h2>{text}</h2>", **wide())

        def pair(*chosen: str) -> Any:
            return row(*(self.inputs[name] for name in chosen), **wide())

        return column(
            self.preset,
            self.inputs["axes"],
            heading("Rule"),
            self.inputs["rule"],
            self._parameters["rule"],
            pair("normalised", "decay"),
            pair("shifted", "opening"),
            heading("Schedule"),
            self.inputs["schedule"],
            self._parameters["schedule"],
            heading("Examples"),
            self.inputs["noise"],
            pair("mean", "overlap"),
            self.inputs["motion"],
            heading("Students"),
            pair("dim", "alpha"),
            pair("replicas", "seed"),
            **wide(),
        )

    def show(self, state: State) -> None:
        """Show a state, without calling back."""
        self._quiet, self.state = True, state
        known = {value for group in options().values() for value, _ in group}
        self.preset.value = name if (name := name_of(state)) in known else CHOSEN
        for name in _FIELDS:
            value = getattr(state, name)
            text = f"{value:.12g}" if isinstance(value, float) else str(value)
            self.inputs[name].value = text.lower()
        for name, place in self._parameters.items():
            part = part_of(name, getattr(state, name))
            self.inputs[name].value = codec.spell(part).partition(":")[0]
            place.children = self._shown(name, part)
        belief = isinstance(part_of("rule", state.rule), BeliefRule)
        for name in ("normalised", "decay", "shifted"):
            self.inputs[name].disabled = belief
        self.inputs["opening"].disabled = state.shifted == "none"
        self._quiet = False

    def _shown(self, name: str, part: Any) -> list[Any]:
        """Return inputs for the parameters of a part, two in a row."""
        inputs = []
        for path, text, choices in parameters(part):

            def read(new: str, path: str = path) -> State:
                made = codec.replace(part, path, new.strip()[:40])
                return changed(self.state, **{name: codec.spell(made)}, figure="")

            one = choice(path.replace(".", " ").replace("_", " "), choices)
            one.value = text
            one.on_change("value", self._taken(read))
            inputs.append(one)
        return [row(*inputs[i : i + 2], **wide()) for i in range(0, len(inputs), 2)]

    def _reader(self, name: str) -> Callable[[str], State]:
        def read(new: str) -> State:
            try:
                state = changed(self.state, **{name: new})
            except ValueError as failure:
                words = str(failure).removeprefix(f"{name} ")
                raise ValueError(f"{self.inputs[name].title}: {words}") from None
            if name == "rule" and isinstance(
                part_of("rule", state.rule), BeliefRule | SphericalBayes
            ):  # these have no rate and no length to keep
                given: dict[str, Any] = {
                    "decay": 0.0,
                    "shifted": "none",
                    "schedule": "constant",
                }
                state = replace(state, normalised=False, **given)
            return state if name == "axes" else replace(state, figure="")

        return read

    def _taken(self, read: Callable[[str], State]) -> Callable[..., None]:
        """Return a callback that shows a new state, or the error and the old one."""

        def take(attribute: str, old: str, new: str) -> None:
            if self._quiet or new == CHOSEN:
                return
            try:
                state = read(new)
            except (ValueError, TypeError) as failure:
                self.show(self.state)
                self._show_error(str(failure))
                return
            state = replace(state, tab=self.state.tab)
            self.show(state)
            self._on_change(state)

        return take


_ROLES = {  # colour and dashes
    "theory": (ORANGE, "dashed"),
    "best": (GREEN, "dotdash"),
    "kept": (PURPLE, "solid"),
}
_BINS = 24
_ALIKE = 1e-9  # relative difference of errors that are the same
_SPREAD = 0.05  # relative half width of their bar
_WIDE, _HIGH, _LOW = 2.3, 1.3, -0.12  # of the plane, in lengths of the teacher


class ErrorPlot:
    """Errors of a run and of theory, up to a last time."""

    def __init__(self, log: bool, first: float, last: float) -> None:
        kind = "log" if log else "linear"
        self._log, self._low, self._high = log, np.inf, 0.0
        self._run = columns("alpha", "low", "median", "high")
        self._lines = {role: columns("alpha", "error") for role in _ROLES}
        self.plot = plot(
            f"Learning curve: {kind} axes, error against examples per weight",
            height=380,
            x_axis_type=kind,
            y_axis_type=kind,
            x_axis_label="examples per weight \N{GREEK SMALL LETTER ALPHA}",
            y_axis_label="error",
            x_range=Range1d(first if log else 0.0, last),
            y_range=Range1d(0.01, 1.0) if log else Range1d(0.0, 0.55),
        )
        band = {"x": "alpha", "source": self._run, "color": BLUE}
        self.plot.varea(
            y1="low", y2="high", fill_alpha=0.18, legend_label="90% of replicas", **band
        )
        self.plot.line(y="median", line_width=2.5, legend_label="median", **band)
        self._names = {}
        for role, (colour, dash) in _ROLES.items():
            line = {"source": self._lines[role], "line_width": 2}
            self.plot.line(
                "alpha",
                "error",
                color=colour,
                line_dash=dash,
                legend_label=role,
                **line,
            )
            self._names[role] = self.plot.legend[0].items[-1]
            self._names[role].visible = False
        legend(self.plot, "bottom_left" if log else "top_right")

    def _show(self, source: Any, alpha: FloatArray, **values: FloatArray) -> None:
        """Show columns, and extend the axis of errors to them."""
        first = next(iter(values.values()))
        kept = np.isfinite(first) & ((alpha > 0) & (first > 0) | (not self._log))
        source.data = {k: v[kept] for k, v in {"alpha": alpha, **values}.items()}
        for shown in values.values():
            self._low = min(self._low, float(shown[kept].min(initial=np.inf)))
            self._high = max(self._high, float(shown[kept].max(initial=0.0)))
        if self._high > 0:
            low, rise = (0.7 * self._low, 1.4) if self._log else (0.0, 1.05)
            reach(self.plot.y_range, low, rise * self._high)

    def show_run(self, alpha: FloatArray, errors: FloatArray) -> None:
        """Show the median and a band of all replicas."""
        low, median, high = np.quantile(errors, [0.05, 0.5, 0.95], axis=0)
        self._show(self._run, alpha, low=low, median=median, high=high)

    def show_line(self, line: Curve) -> None:
        """Show another curve."""
        self._show(self._lines[line.role], line.alpha, error=line.error)
        self._names[line.role].update(label={"value": line.name}, visible=True)

    def drop(self) -> None:
        """Remove the curve that was kept."""
        self._lines["kept"].data = {"alpha": [], "error": []}
        self._names["kept"].visible = False


class Plane:
    """Students in the plane of the teacher and what is orthogonal to it."""

    def __init__(self) -> None:
        self._path = columns("along", "across")
        self._ends = columns("x", "y")
        self.plot = plot(
            "The students in the plane: across is the part at a right angle to the "
            "teacher",
            height=260,
            aspect_ratio=_WIDE / _HIGH,  # angles are as they are, on any screen
            min_width=300,
            min_border=0,
            tools="",
            toolbar_location=None,
            frame_align=False,  # not with the histogram, which has axes and a title
            x_range=Range1d(-_WIDE / 2, _WIDE / 2),
            y_range=Range1d(_LOW, _LOW + _HIGH),
        )
        words = {"text_font": self.plot.title.text_font, "text_font_size": "12px"}
        for x, y, text, more in (
            (-_WIDE / 2, 1.08, "Student and teacher", {"text_font_style": "bold"}),
            (_WIDE / 2, -0.11, "along the teacher", {"text_align": "right"}),
            (-_WIDE / 2 + 0.08, 0.2, "across the teacher", {"angle": np.pi / 2}),
        ):
            self.plot.add_layout(Label(x=x, y=y, text=text, **words, **more))
        turn = np.linspace(0, np.pi, 100)
        self.plot.line(np.cos(turn), np.sin(turn), color=GREY, line_dash="dotted")
        head = NormalHead(size=9, fill_color=GREY, line_color=GREY)
        ends = {"x_start": 0, "y_start": 0, "x_end": 1, "y_end": 0}
        self.plot.add_layout(Arrow(end=head, line_width=2, line_color=GREY, **ends))
        self.plot.scatter(
            "x", "y", source=self._ends, size=4, color=BLUE, fill_alpha=0.35
        )
        self.plot.line("along", "across", source=self._path, color=ORANGE, line_width=2)
        self.plot.axis.visible = self.plot.grid.visible = False

    def show(self, angle: FloatArray, norm: FloatArray) -> None:
        """Show the path of the mean weights, and the last weights of all replicas."""
        scale = max(float(norm.max()), 1e-300)
        x, y = norm * np.cos(angle) / scale, norm * np.sin(angle) / scale
        self._path.data = {"along": x.mean(axis=0), "across": y.mean(axis=0)}
        self._ends.data = {"x": x[:, -1], "y": y[:, -1]}


def _bars(errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the heights and edges of a histogram; equal errors are one narrow bar.

    Examples
    --------
    >>> _bars(np.array([0.1, 0.1]))
    (array([2.]), array([0.095, 0.105]))
    """
    low, high = float(errors.min()), float(errors.max())
    count = min(_BINS, max(1, int(np.sqrt(errors.size)) * 2))
    if high - low <= _ALIKE * high:
        width = _SPREAD * (high or 1.0)
        low, high, count = high - width, high + width, 1
    tops, edges = np.histogram(errors, bins=count, range=(low, high))
    return tops.astype(float), edges


class Histogram:
    """Errors of all replicas at the last time, beside theory."""

    def __init__(self) -> None:
        self._source = columns("left", "right", "top")
        self._mark = Span(
            dimension="height", line_color=ORANGE, line_dash="dashed", line_width=2
        )
        self.plot = plot(
            "Histogram of the replicas' errors",
            height=260,
            min_width=300,
            tools="reset",
            title="Replicas",
            x_axis_label="error",
            y_axis_label="replicas",
            x_range=Range1d(0.0, 0.5),
            y_range=Range1d(0.0, 1.0),
        )
        self.plot.add_layout(self._mark)
        sides = {"left": "left", "right": "right", "top": "top", "bottom": 0}
        self.plot.quad(**sides, source=self._source, color=BLUE, fill_alpha=0.6)
        self.plot.xaxis.ticker.desired_num_ticks = 4  # labels may be long

    def show(self, alpha: float, errors: FloatArray, theory: float | None) -> None:
        """Show the errors at a time, and that of theory."""
        tops, edges = _bars(errors)
        self._source.data = {"left": edges[:-1], "right": edges[1:], "top": tops}
        margin = 0.05 * (edges[-1] - edges[0])
        reach(self.plot.x_range, float(edges[0] - margin), float(edges[-1] + margin))
        reach(self.plot.y_range, 0.0, 1.1 * float(tops.max()))
        self.plot.title.text = f"{errors.size} replicas at \u03b1 = {alpha:.4g}"
        self._mark.update(location=theory or 0.0, visible=theory is not None)


def paper_figure(data: FigureData) -> Any:
    """Return a figure of a paper, with its title, legend and caption."""
    found = drawing(data)
    found.sizing_mode, found.height = "stretch_width", 380 + 26 * len(data.series)
    found.html_attributes = {"role": "img", "aria-label": as_text(data.title)}
    found.toolbar.autohide = True
    if data.series:
        found.xaxis.axis_label = as_text(data.x_label)
        items = [
            (as_text(series.name), list(found.select({"name": str(index)})))
            for index, series in enumerate(data.series)
        ]
        found.add_layout(Legend(items=items), "below")
        legend(found, "top_left")
    title = f"<strong>{as_html(data.title)}</strong><p>{as_html(data.y_label)}</p>"
    caption = Div(text=as_html(data.caption), **wide())
    return column(Div(text=title, **wide()), found, caption, **wide())


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
