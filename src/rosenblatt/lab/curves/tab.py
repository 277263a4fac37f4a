"""The first tab: a learning curve that grows while it is computed."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from functools import partial
from html import escape

import numpy as np
from bokeh.layouts import column, row
from bokeh.models import Button, Div

from rosenblatt.core.figures import FigureData, comma_separated
from rosenblatt.lab.curves import paper_figures
from rosenblatt.lab.curves.controls import Controls
from rosenblatt.lab.curves.plots import CurvePlots
from rosenblatt.lab.curves.presets import note_of
from rosenblatt.lab.curves.script import committee_script, figure_script, script
from rosenblatt.lab.downloads import Downloads, result_csv, result_netcdf
from rosenblatt.lab.jobs.experiment import grid
from rosenblatt.lab.jobs.messages import Curve, Job, Remark, Run
from rosenblatt.lab.jobs.scheduler import JobScheduler
from rosenblatt.lab.state import OWN, State, query
from rosenblatt.lab.style import numbers, wide, with_error

__all__ = ["CurvesTab"]

_KEEP, _DROP = "Keep this curve to compare", "Drop the kept curve"


class CurvesTab:
    """The tab of one visitor.

    Parameters
    ----------
    visitor
        Whose it is.
    state
        State that the tab shows at first.
    scheduler, downloads
        Where work is done, and files are offered, for all visitors.
    moved
        Called with the state when it has changed.
    """

    def __init__(
        self,
        visitor: Hashable,
        state: State,
        scheduler: JobScheduler,
        downloads: Downloads,
        moved: Callable[[State], None],
    ) -> None:
        self._visitor, self._scheduler = visitor, scheduler
        self._downloads, self._token = downloads, downloads.token()
        self._moved = moved
        self._theory: Curve | None = None
        self._run: Run | None = None
        self._remarks: list[str] = []
        self.plots = CurvePlots()
        self.message = Div(**wide(css_classes=["message"], render_as_text=True))
        self.message.html_attributes = {"role": "status", "aria-live": "polite"}
        self.numbers = Div(**wide())
        self.files = Div(**wide())
        self.paper = column(**wide(visible=False))
        self.keep = Button(label=_KEEP, **wide())
        self.keep.on_click(self._keep)
        self.controls = Controls(state, self._changed, self._show_error)
        errors = [drawing.plot for drawing in self.plots.errors.values()]
        self.curves = column(*errors, self.paper, self.keep, **wide())
        self.pair = row(
            self.plots.plane,
            self.plots.histogram,
            **wide(styles={"flex-wrap": "wrap"}),
        )
        for small in (self.plots.plane, self.plots.histogram):
            small.min_width = 300
        self._start()

    @property
    def state(self) -> State:
        """State that the tab shows."""
        return self.controls.state

    def warn(self, text: str) -> None:
        """Add a remark that stays until the next change."""
        self._remarks.append(text)

    def pause(self) -> None:
        """End the job while no browser is connected."""
        self._scheduler.cancel(self._visitor)

    def resume(self) -> None:
        """Start the job again after a pause."""
        if self._run is None or not self._run.complete:
            self._start()

    def close(self) -> None:
        """End the job and remove the files of the visitor."""
        self._scheduler.cancel(self._visitor)
        self._downloads.withdraw(self._token)

    def _changed(self, state: State) -> None:
        self._moved(state)
        self._start()

    def _show_error(self, text: str) -> None:
        self.message.css_classes = ["message", "wrong"] if text else ["message"]
        self.message.text = text[:500]

    def _keep(self) -> None:
        """Keep the curve of this run beside others, or drop it."""
        kept = self.keep.label == _KEEP
        if kept and self._run is None:
            self._show_error("there is no curve yet to keep")
            return
        words = query(self.state).replace("&", ", ") or "first example"
        self.plots.keep(f"kept: {words}" if kept else "")
        self.keep.label = _DROP if kept else _KEEP

    def _start(self) -> None:
        """Start the job of the state, and end the one before."""
        state = self.state
        self._theory = self._run = None
        note = note_of(state)
        self._remarks = [note] if note else []
        self._began = time.monotonic()
        times = grid(state)
        self.plots.clear(
            float(times[times > 0][0]) if times.any() else 0.1, state.alpha
        )
        self._show_views()
        self.numbers.text = self.files.text = ""
        self._downloads.withdraw(self._token)
        self._show_error("")
        self._scheduler.submit(self._visitor, Job(state, tuple(OWN.values())))

    def _show_views(self) -> None:
        shows_paper = bool(self.state.figure or self.state.units)
        for axes, drawing in self.plots.errors.items():
            drawing.plot.visible = not shows_paper and axes == self.state.axes
        self.paper.visible = shows_paper
        self.paper.children = []
        for shown in (self.pair, self.keep, self.numbers):
            shown.visible = not shows_paper

    def update(self) -> None:
        """Show new messages of the job; called periodically."""
        if not self._scheduler.busy(self._visitor):
            return
        for message in self._scheduler.collect(self._visitor):
            if isinstance(message, Curve):
                if message.role == "theory":
                    self._theory = message
                self.plots.show_line(message)
            elif isinstance(message, Run):
                self._run = message
                self.plots.show_run(message)
                self._show_numbers(message)
            elif isinstance(message, FigureData):
                paper_figures.show(self.paper, message)
                self._offer_figure(message)
            elif isinstance(message, Remark):
                self._remarks.append(message.text)
                if message.failure:
                    # what may still come must not cover the error
                    self._scheduler.cancel(self._visitor)
                    self._show_error(message.text)
                    return
        self._show_progress()

    def _show_progress(self) -> None:
        if self._scheduler.busy(self._visitor):
            before = self._scheduler.waiting(self._visitor)
            waits = f", {before} in line" if before else ""
            seconds = time.monotonic() - self._began
            doing = f"Working{waits}, {seconds:.0f} s."
        else:
            doing = "Done."
            if self._run is not None:
                self._offer_run(self._run)
        self._show_error("")
        self.message.text = " ".join([doing, *self._remarks])[:1000]

    def _show_numbers(self, run: Run) -> None:
        """Show where the run is, how well it does, and how fast it was."""
        result, state = run.result, self.state
        errors = np.asarray(result["error"].values)[:, -1]
        alpha = float(result["alpha"].values[-1])
        spread = (
            errors.std(ddof=1) / np.sqrt(errors.size) if errors.size > 1 else np.nan
        )
        speed = state.replicas * state.dim * alpha / max(run.seconds, 1e-9)
        shown = {
            "engine": str(result.attrs["engine"]),
            "\u03b1": f"{alpha:.4g}",
            "mean error": with_error(float(errors.mean()), float(spread)),
        }
        if self._theory is not None:
            theory = np.interp(alpha, self._theory.alpha, self._theory.error)
            shown["theory"] = f"{theory:.5g}"
        shown["equivalent examples per second"] = f"{float(f'{speed:.2g}'):,.0f}"
        self.numbers.text = numbers(shown)

    def _offer(self, files: dict[str, Callable[[], bytes]]) -> None:
        self._downloads.offer(self._token, files)
        links = " ".join(
            f'<a href="download/{self._token}/{name}" download="{name}">{name}</a>'
            for name in map(escape, files)
        )
        self.files.text = f'<p class="files">Download: {links}</p>'

    def _offer_run(self, run: Run) -> None:
        last = None if run.complete else float(run.result["alpha"].values[-1])
        program = script(self.state, last).encode()
        self._offer(
            {
                "curve.csv": partial(result_csv, run.result),
                "curve.nc": partial(result_netcdf, run.result),
                "view.py": lambda: program,
            }
        )

    def _offer_figure(self, data: FigureData) -> None:
        figure = self.state.figure
        text = figure_script(figure) if figure else committee_script(self.state)
        program = text.encode()
        self._offer(
            {"figure.csv": partial(comma_separated, data), "view.py": lambda: program}
        )
