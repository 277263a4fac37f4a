"""The page of one visitor: two tabs, and an address that says what they show."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bokeh.core.validation import silence
from bokeh.core.validation.warnings import EMPTY_LAYOUT
from bokeh.models import CustomJS, Div
from jinja2 import Environment

from rosenblatt.charts.charts import wipe_script
from rosenblatt.lab.curves.tab import CurvesTab
from rosenblatt.lab.data.points import BYTES
from rosenblatt.lab.data.tab import DataTab
from rosenblatt.lab.downloads import Downloads
from rosenblatt.lab.jobs.scheduler import JobScheduler
from rosenblatt.lab.state import State, from_query, query

__all__ = ["Visitor"]

silence(EMPTY_LAYOUT)  # a rule without parameters has no controls for them
_HERE = Path(__file__).parent
# What is put into the page is either ours or escaped there.
_TEMPLATE = Environment().from_string((_HERE / "page.html").read_text("utf-8"))
_STYLE = (_HERE / "page.css").read_text("utf-8")
_PACE = 100  # milliseconds between two looks at what has come
_GONE = 3.0  # seconds without a connection after which a visitor has left
_COMES = 60.0  # seconds that a first connection may take


def _text_of(arguments: Mapping[str, list[bytes]]) -> dict[str, str]:
    """Return the arguments of a request as text; the last of each name counts."""
    return {
        name: values[-1].decode("utf-8", "replace")
        for name, values in arguments.items()
        if values
    }


class Visitor:
    """Page of one visitor.

    Parameters
    ----------
    document
        Document that the browser shows.
    scheduler, downloads
        Where work is done, and files are offered, for all visitors.
    prepared
        Says whether the learners of the second tab are compiled.
    """

    def __init__(
        self,
        document: Any,
        scheduler: JobScheduler,
        downloads: Downloads,
        prepared: Callable[[], bool],
    ) -> None:
        context = document.session_context
        state, wrong = from_query(_text_of(context.request.arguments))
        self._state, self._context = state, context
        self._prepared, self._waits = prepared, True
        self._seen, self._away = time.monotonic() + _COMES, False
        self.address = Div(
            text=query(state), visible=False, name="address", render_as_text=True
        )
        self.address.js_on_change(
            "text", CustomJS(code="window.writeAddress(cb_obj.text)")
        )
        self.curves = CurvesTab(
            context.id, state, scheduler, downloads, self._curves_moved
        )
        self.data = DataTab(state, self._data_moved)
        if wrong:
            words = "This address has invalid values: " + "; ".join(wrong)
            self.curves.warn(words)
            if state.tab == "data":
                self.data.warn(words)
        self._fill(document)
        document.add_periodic_callback(self._update, _PACE)
        document.on_session_destroyed(lambda _: self.curves.close())

    def _fill(self, document: Any) -> None:
        roots = {
            "address": self.address,
            "controls": self.curves.controls.layout,
            "message": self.curves.message,
            "curves": self.curves.curves,
            "numbers": self.curves.numbers,
            "files": self.curves.files,
            "pair": self.curves.pair,
            "data_controls": self.data.controls,
            "data_message": self.data.message,
            "data_view": self.data.drawing.plot,
            "data_numbers": self.data.numbers,
        }
        for name, root in roots.items():
            root.name = name
            document.add_root(root)
        document.title = "rosenblatt laboratory"
        document.template = _TEMPLATE
        document.template_variables.update(
            css=_STYLE, wipe=wipe_script(), tab=self._state.tab, longest=BYTES
        )

    def _curves_moved(self, state: State) -> None:
        own = ("data", "learner", "order", "points", "tab")
        kept = {name: getattr(self._state, name) for name in own}
        self._move(replace(state, **kept))

    def _data_moved(self, change: Callable[[State], State]) -> None:
        self._move(change(self._state))

    def _move(self, state: State) -> None:
        self._state = state
        self.address.text = query(state)

    def _update(self) -> None:
        now = time.monotonic()
        if self._context.session.connection_count > 0:
            self._seen = now
            if self._away:
                self._away = False
                self.curves.resume()
        elif now - self._seen > _GONE and not self._away:
            self._away = True
            self.curves.pause()
        if self._away:
            return
        self.curves.update()
        if self._waits and self._prepared():
            self._waits = False
            self.data.prepared()
        self.data.update()
