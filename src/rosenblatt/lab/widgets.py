"""Widgets in the style of the page, whose rules are in ``widgets.css``."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from bokeh.models import ColumnDataSource, Div, Range1d, Select, TextInput

from rosenblatt.charts.charts import empty_plot
from rosenblatt.core.figures import COLOURS

BLUE, ORANGE, GREEN, PURPLE, *_ = COLOURS
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"
_CSS = Path(__file__).with_suffix(".css").read_text("utf-8")
_LONGEST = 1000  # letters of a message


def wide(**more: Any) -> dict[str, Any]:
    """Return the common options of all widgets, and others that are given."""
    return {"sizing_mode": "stretch_width", "stylesheets": [_CSS], **more}


def choice(title: str, options: Any = (), meaning: str = "") -> Any:
    """Return a menu of options, the first chosen, or a text field without options."""
    if not options:
        return TextInput(title=title, description=meaning or None, **wide())
    first = options[0] if isinstance(options, list) else ""
    value = first if isinstance(first, str) else first[0]
    return Select(title=title, options=options, value=value, **wide())


def message() -> Div:
    """Return a line of text that screen readers announce."""
    found = Div(**wide(css_classes=["message"], render_as_text=True))
    found.html_attributes = {"role": "status", "aria-live": "polite"}
    return found


def say(line: Div, text: str, wrong: bool = False) -> None:
    """Show a text in a message, as an error or not."""
    line.css_classes = ["message", "wrong"] if wrong else ["message"]
    line.text = text[:_LONGEST]


def numbers(shown: Mapping[str, str]) -> str:
    """Return names and values as HTML.

    Examples
    --------
    >>> numbers({"engine": "<b>"})
    '<dl class="numbers"><div><dt>engine</dt><dd>&lt;b&gt;</dd></div></dl>'
    """
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>"
        for name, text in shown.items()
    )
    return f'<dl class="numbers">{cells}</dl>'


def columns(*names: str) -> ColumnDataSource:
    """Return empty columns of these names."""
    return ColumnDataSource({name: [] for name in names})


def reach(axis: Range1d, start: float, end: float) -> None:
    """Set the limits of an axis, also those of a reset."""
    axis.update(start=start, end=end, reset_start=start, reset_end=end)


def plot(label: str, height: int, **more: Any) -> Any:
    """Return an empty plot; ``label`` is its name for screen readers."""
    found = empty_plot(
        height=height,
        sizing_mode="stretch_width",
        html_attributes={"role": "img", "aria-label": label},
        **more,
    )
    found.toolbar.autohide = True
    for axis in found.axis:
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font = axis.major_label_text_font = _FONT
        axis.axis_label_text_font_size = "14px"
    found.title.text_font, found.title.text_font_size = _FONT, "15px"
    return found


def legend(found: Any, place: str) -> None:
    """Style the legend of a plot; a click on a name hides its curve."""
    for one in found.legend:
        one.location, one.click_policy = place, "hide"
        one.label_text_font, one.label_text_font_size = _FONT, "12px"
        one.background_fill_alpha, one.border_line_color = 0.75, None
