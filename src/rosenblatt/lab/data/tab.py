"""The second tab: draw or upload points, and let a learner learn them one by one."""

from __future__ import annotations

import base64
import binascii
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from bokeh.events import DoubleTap, Tap
from bokeh.layouts import column, row
from bokeh.models import Button, Div, FileInput, RadioButtonGroup, Select, TextInput

from rosenblatt.lab.data.learner import LEARNERS, LearningRun
from rosenblatt.lab.data.plot import DataPlot
from rosenblatt.lab.data.points import (
    BUNDLED,
    DRAWN,
    LARGEST,
    Points,
    bundled,
    own,
    read_csv,
    read_points,
    write_points,
)
from rosenblatt.lab.state import State, changed
from rosenblatt.lab.style import numbers, wide

__all__ = ["DataTab"]

_SPEEDS = ("1", "5", "20", "100")  # examples a second
_EMPTY = Points(np.empty((0, 2)), np.empty(0, dtype=np.int64), "no points yet")


class DataTab:
    """The tab of one visitor.

    Parameters
    ----------
    state
        State that the tab shows at first.
    moved
        Called with a function that changes the state, when it has changed.
    """

    def __init__(
        self, state: State, moved: Callable[[Callable[[State], State]], None]
    ) -> None:
        self._moved = moved
        self._run: LearningRun | None = None
        self._playing, self._due = False, 0.0
        self.message = Div(**wide(css_classes=["message"], render_as_text=True))
        self.message.html_attributes = {"role": "status", "aria-live": "polite"}
        self.numbers = Div(**wide())
        self.drawing = DataPlot()
        for click in (Tap, DoubleTap):  # the second of two quick ones is another kind
            self.drawing.plot.on_event(click, self._tap)
        self._points, self._wrong = self._first(state)
        self._data = state.data if state.data in BUNDLED else DRAWN
        self._learner = state.learner if state.learner in LEARNERS else "perceptron"
        self._order = state.order
        self._quiet = True
        self._build()
        self._quiet = False
        self.drawing.show_points(self._points)
        self._say(
            self._wrong or "The learners are being prepared, once ...",
            bool(self._wrong),
        )

    def warn(self, text: str) -> None:
        """Show what is wrong with the address."""
        self._wrong = " ".join(filter(None, [text, self._wrong]))
        self._say(self._wrong, wrong=True)

    @staticmethod
    def _first(state: State) -> tuple[Points, str]:
        """Return the points of an address, and what is wrong with it."""
        wrong = ""
        if state.learner not in LEARNERS:
            wrong = f"learner must be one of {', '.join(LEARNERS)}"
        try:
            if state.data == DRAWN:
                return read_points(state.points), wrong
            return bundled(state.data), wrong
        except ValueError as failure:
            return _EMPTY, str(failure)

    def _build(self) -> None:
        sets = [(name, label) for name, (label, _) in BUNDLED.items()]
        self.data = Select(
            title="data",
            options=[*sets, (DRAWN, "your own points")],
            value=self._data,
            **wide(),
        )
        self.data.on_change("value", self._take_data)
        self.draws = RadioButtonGroup(
            labels=["add to class 0", "add to class 1"], active=0, **wide()
        )
        undo, clear = Button(label="Undo", **wide()), Button(label="Clear", **wide())
        undo.on_click(lambda: self._own(own(self._points.X[:-1], self._points.y[:-1])))
        clear.on_click(lambda: self._own(own(*_EMPTY[:2])))
        self.file = FileInput(
            title="or a CSV file: numbers, then the class",
            accept=".csv,.txt",
            **wide(),
        )
        self.file.on_change("value", self._take_file)
        self.learner = Select(
            title="learner",
            options=[(name, label) for name, (label, _) in LEARNERS.items()],
            value=self._learner,
            **wide(),
        )
        self.learner.on_change("value", self._take_learner)
        self.order = TextInput(
            title="seed of the order", value=str(self._order), **wide()
        )
        self.order.on_change("value", self._take_order)
        self.speed = Select(
            title="examples a second", options=list(_SPEEDS), value="5", **wide()
        )
        self.play = Button(label="Play", button_type="primary", **wide())
        self.play.on_click(self._toggle)
        step, again = (
            Button(label="Step", **wide()),
            Button(label="Restart", **wide()),
        )
        step.on_click(lambda: self._advance(1))
        again.on_click(self._restart)
        self.controls = column(
            self.data,
            self.draws,
            row(undo, clear, **wide()),
            self.file,
            self.learner,
            row(self.speed, self.order, **wide()),
            row(self.play, step, again, **wide()),
            **wide(),
        )

    def prepared(self) -> None:
        """Start, once the learners are compiled."""
        if self._run is None:
            self._restart()
            if self._wrong:  # nobody may have read it yet
                self._say(self._wrong, wrong=True)

    def _restart(self) -> None:
        self._pause()
        self._run = LearningRun(self._points, self._learner, self._order)
        self.drawing.show_points(self._points)
        self._say(f"{len(self._points.y)} points: {self._points.about}.")
        self._show()

    def _own(self, points: Points) -> None:
        """Take other points, made by the visitor."""
        if len(points.y) > LARGEST:
            self._say(f"There may be {LARGEST} points at most.", wrong=True)
            return
        self._points = points
        self._quiet = True
        self.data.value = self._data = DRAWN
        self._quiet = False
        self._apply_choices()

    def _apply_choices(self) -> None:
        """Restart with other choices, and put them into the address."""
        points = write_points(self._points) if self._data == DRAWN else ""
        chosen: dict[str, Any] = {
            "data": self._data,
            "learner": self._learner,
            "points": points,
        }
        if self._run is not None:
            self._restart()
        try:
            changed(State(), points=points)
        except ValueError:
            chosen["points"] = ""
            self._say("There are too many points for the address: it leaves them out.")
        self._moved(lambda state: replace(state, order=self._order, **chosen))

    def _tap(self, event: Any) -> None:
        if event.x is None or event.y is None:
            return
        reach = self.drawing.plot.x_range.end
        point = np.clip([float(event.x), float(event.y)], -reach, reach).round(2)
        X = np.vstack([self._points.X, point])
        self._own(own(X, np.append(self._points.y, int(self.draws.active or 0))))

    def _take_data(self, attribute: str, old: str, new: str) -> None:
        if self._quiet:
            return
        self._data = new
        self._points = (
            own(self._points.X, self._points.y) if new == DRAWN else bundled(new)
        )
        self._apply_choices()

    def _take_file(self, attribute: str, old: str, new: str) -> None:
        try:
            points = read_csv(base64.b64decode(new, validate=True))
        except (ValueError, binascii.Error) as failure:
            self._say(str(failure), wrong=True)
            return
        self._own(points)

    def _take_learner(self, attribute: str, old: str, new: str) -> None:
        if new in LEARNERS:
            self._learner = new
            self._apply_choices()

    def _take_order(self, attribute: str, old: str, new: str) -> None:
        if self._quiet:
            return
        try:
            self._order = changed(State(), order=new).order
        except (ValueError, TypeError) as failure:
            self._quiet = True
            self.order.value = str(self._order)
            self._quiet = False
            self._say(str(failure), wrong=True)
            return
        self._apply_choices()

    def _toggle(self) -> None:
        if self._playing:
            self._pause()
        elif self._run is not None and len(self._points.y):
            self._playing, self._due = True, time.monotonic()
            self.play.label = "Pause"

    def _pause(self) -> None:
        self._playing, self.play.label = False, "Play"

    def update(self) -> None:
        """Learn more examples while Play is on; called periodically."""
        if not self._playing:
            return
        pace = 1.0 / float(self.speed.value)
        late = time.monotonic() - self._due
        if late >= pace:
            # a server that is behind leaves steps out rather than hurry
            count = min(int(late / pace), 20)
            self._due = time.monotonic()
            self._advance(count)

    def _advance(self, count: int) -> None:
        if self._run is None:
            return
        if not len(self._points.y):
            self._say("There is nothing to learn: click into the plot to add points.")
            return
        self._run.step(count)
        self._show()

    def _show(self) -> None:
        run = self._run
        assert run is not None
        self.drawing.show(run)
        total = len(run.points.y)
        shown = {
            "examples seen": str(run.seen),
            "mistakes so far": str(run.mistakes),
            "wrong now": f"{run.wrong} of {total}",
        }
        if run.margin is not None:
            shown["margin of the boundary"] = f"{run.margin:.4g}"
        found = run.separable
        if found is not None:
            guess = "" if found.proven else " (not proven)"
            shown["separable"] = ("yes" if found.separable else "no") + guess
            if found.separable:
                shown["largest margin, with intercept"] = f"{found.margin:.4g}"
                shown["perceptron: mistakes at most"] = (
                    f"{math.floor(found.mistake_bound):,}"
                )
        self.numbers.text = numbers(shown)

    def _say(self, text: str, wrong: bool = False) -> None:
        self.message.css_classes = ["message", "wrong"] if wrong else ["message"]
        self.message.text = text[:500]
