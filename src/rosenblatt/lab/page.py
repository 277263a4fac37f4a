"""The page of one visitor: two tabs, and an address that says what they show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bokeh.core.validation import silence
from bokeh.core.validation.warnings import EMPTY_LAYOUT
from bokeh.models import CustomJS, Div
from jinja2 import Environment

from rosenblatt.charts.charts import wipe_script
from rosenblatt.lab.curves import CurvesTab, Shared
from rosenblatt.lab.data import DataTab
from rosenblatt.lab.points import BYTES
from rosenblatt.lab.presets import PRESETS
from rosenblatt.lab.state import State, from_query, query

silence(EMPTY_LAYOUT)  # a rule without parameters has no controls for them
_HERE = Path(__file__).parent
# What is put into the page is either ours or escaped there.
_TEMPLATE = Environment().from_string((_HERE / "page.html").read_text("utf-8"))
_STYLE = (_HERE / "page.css").read_text("utf-8")
_PERIOD = 100  # milliseconds between two updates
_OF_DATA = ("tab", "data", "learner", "order", "points")
_EXAMPLES = [
    (preset.label, query(preset.state))
    for name, preset in PRESETS.items()
    if name.startswith("examples/")
]


class Visitor:
    """Page of one visitor.

    Parameters
    ----------
    document
        Document that the browser shows.
    shared
        Jobs of all visitors.
    """

    def __init__(self, document: Any, shared: Shared) -> None:
        arguments = document.session_context.request.arguments
        given = {k: v[-1].decode("utf-8", "replace") for k, v in arguments.items() if v}
        self._state, found = from_query(given)
        wrong = "This address has invalid values: " + "; ".join(found) if found else ""
        self.address = Div(text=query(self._state), visible=False, render_as_text=True)
        self.address.js_on_change(
            "text", CustomJS(code="window.writeAddress(cb_obj.text)")
        )
        first = {self._state.tab: wrong}.get  # for the tab that is open
        self.curves = CurvesTab(
            self._state, shared, self._curves_moved, first("curves", "")
        )
        self.data = DataTab(self._state, self._move, first("data", ""))
        self._fill(document)
        document.add_periodic_callback(self._update, _PERIOD)
        document.on_session_destroyed(lambda _: self.curves.close())

    def _fill(self, document: Any) -> None:
        roots = {
            "address": self.address,
            "controls": self.curves.controls.layout,
            "message": self.curves.message,
            "curves": self.curves.curves,
            "numbers": self.curves.numbers,
            "files": self.curves.files,
            "sent": self.curves.sent,
            "pair": self.curves.pair,
            "data_controls": self.data.controls,
            "data_message": self.data.message,
            "data_view": self.data.drawing.plot,
            "data_numbers": self.data.numbers,
        }
        with document.models.freeze():  # one search for models instead of one a root
            for name, root in roots.items():
                root.name = name
                document.add_root(root)
        document.title = "rosenblatt laboratory"
        document.template = _TEMPLATE
        document.template_variables.update(
            css=_STYLE,
            wipe=wipe_script(),
            tab=self._state.tab,
            longest=BYTES,
            examples=_EXAMPLES,
        )

    def _curves_moved(self, state: State) -> None:
        self._move(**{k: v for k, v in vars(state).items() if k not in _OF_DATA})

    def _move(self, **choices: Any) -> None:
        self._state = replace(self._state, **choices)
        self.address.text = query(self._state)

    def _update(self) -> None:
        self.curves.update()
        self.data.update()
