"""Style of the page: colours, plots and controls."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from bokeh.plotting import figure

from rosenblatt.charts.labels import MATH_STYLE
from rosenblatt.core.curve_styles import COLOURS

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "legend",
    "numbers",
    "plot",
    "wide",
    "with_error",
]

BLUE, ORANGE, GREEN, PURPLE, *_ = COLOURS
GREY = "#757b82"  # seen on white and on black
_DECIMALS = 8  # more are not read
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"

_SHEET = f"""{MATH_STYLE}
:host {{
  font-family: {_FONT}; font-size: 14px; color: var(--ink);
  --color: var(--soft);
}}
.bk-input, .bk-btn {{ font-family: inherit; font-size: 14px; border-radius: 6px; }}
.bk-input {{
  border-color: var(--field); min-height: 34px;
  color: var(--ink); background-color: var(--paper);
}}
.bk-input:disabled {{ color: var(--soft); background-color: var(--grid); }}
.bk-input::file-selector-button {{
  color: var(--ink); background: var(--grid); border: 1px solid var(--field);
}}
.bk-input:focus {{ border-color: {BLUE}; box-shadow: 0 0 0 2px #0072b240; }}
.bk-input-group > label {{ color: var(--soft); font-size: 13px; margin-bottom: 2px; }}
select:not([multiple]).bk-input {{
  background-image: linear-gradient(45deg, transparent 50%, var(--soft) 50%),
    linear-gradient(-45deg, transparent 50%, var(--soft) 50%);
  background-position: right 13px center, right 8px center;
  background-size: 5px 5px;
}}
:is(.noUi-target, .noUi-handle) {{ border-color: var(--field); box-shadow: none; }}
.noUi-target {{ background: var(--grid); }}
.noUi-connect {{ background: var(--field) !important; }}  /* Bokeh sets it inline */
.noUi-handle {{ background: var(--paper); }}
.bk-btn-default {{
  color: var(--ink); background-color: var(--paper); border-color: var(--field);
}}
.bk-btn-default.bk-active {{ background-color: var(--line); }}
.bk-btn-group .bk-btn {{ padding: 6px 12px; }}
.bk-btn:focus-visible {{ outline: 2px solid {BLUE}; outline-offset: 1px; }}
.bk-btn-primary {{ background-color: {BLUE}; border-color: {BLUE}; }}
:host(.message) {{ min-height: 22px; color: var(--soft); }}
:host(.message.wrong) {{
  color: var(--wrong); background: var(--wrong-paper);
  border-radius: 6px; padding: 6px 10px;
}}
.bk-clearfix {{ display: block; width: 100%; }}
h2 {{
  font-size: 15px; margin: 10px 0 0;
  padding-top: 10px; border-top: 1px solid var(--grid);
}}
.numbers {{ display: flex; flex-wrap: wrap; gap: 6px 26px; margin: 8px 0 2px; }}
.numbers dt {{ color: var(--soft); font-size: 12px; }}
.numbers dd {{ margin: 0; font-size: 16px; font-variant-numeric: tabular-nums; }}
.files {{ margin: 6px 0 0; }}
.files a {{ color: var(--accent); margin-right: 12px; }}
"""


def wide(**more: Any) -> dict[str, Any]:
    """Return the common options of all controls, and others that are given."""
    return {"sizing_mode": "stretch_width", "stylesheets": [_SHEET], **more}


def numbers(shown: Mapping[str, str]) -> str:
    """Return names and values as HTML, whatever they contain.

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


def with_error(value: float, error: float) -> str:
    r"""Return a value with the digits that its standard error leaves.

    Examples
    --------
    >>> with_error(0.00126471, 6.1e-06), with_error(0.25, math.nan)
    ('0.0012647 ± 0.0000061', '0.25')
    >>> with_error(1.273e-9, 2e-12)
    '1.273e-09 ± 2e-12'
    """
    if not math.isfinite(error) or error <= 0.0:
        return f"{value:.5g}"
    digits = max(1 - math.floor(math.log10(error)), 0)
    if digits > _DECIMALS:
        return f"{value:.5g} \xb1 {error:.1g}"
    return f"{value:.{digits}f} \xb1 {error:.{digits}f}"


def plot(label: str, height: int, **more: Any) -> Any:
    """Return an empty plot; ``label`` is what a screen reader calls it."""
    found = figure(
        height=height,
        sizing_mode="stretch_width",
        toolbar_location=more.pop("toolbar_location", "above"),
        tools=more.pop("tools", "pan,box_zoom,wheel_zoom,reset,save"),
        active_drag=None,
        active_scroll=None,
        html_attributes={"role": "img", "aria-label": label},
        **more,
    )
    found.toolbar.logo = None
    found.toolbar.autohide = True
    found.outline_line_color = None
    # The page paints both; white before that would leave an edge on a dark page.
    found.border_fill_color = found.background_fill_color = None
    found.min_border_right = 16
    for axis in found.axis:
        axis.axis_line_color = axis.major_tick_line_color = "#9aa0a6"
        axis.minor_tick_line_color = "#c4c9d0"
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_color = axis.major_label_text_color = "#3c4043"
        axis.axis_label_text_font = axis.major_label_text_font = _FONT
        axis.axis_label_text_font_size, axis.major_label_text_font_size = "14px", "12px"
    found.grid.grid_line_color = "#e8eaed"
    found.title.text_font = _FONT
    found.title.text_font_size = "15px"
    found.title.text_color = "#202124"
    return found


def legend(found: Any, place: str = "top_right") -> None:
    """Style the legend of a plot; a click on a name hides its curve."""
    for one in found.legend:
        one.location = place
        one.label_text_font, one.label_text_font_size = _FONT, "12px"
        one.background_fill_alpha, one.border_line_color = 0.75, None
        one.click_policy = "hide"
        one.padding, one.spacing = 6, 0
