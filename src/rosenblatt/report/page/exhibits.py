"""Figures and tables on the page.

A page has each figure twice. The browser draws a chart when the figure comes into view.
A picture serves for print and for browsers without scripts.
"""

from __future__ import annotations

import base64
from html import escape

from rosenblatt.charts.labels import as_html, as_text
from rosenblatt.core.curve_styles import BLACK, CurveStyle, styles
from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.report.files import stem
from rosenblatt.report.page.markup import facts, rerun, time_taken
from rosenblatt.report.results import Exhibit

__all__ = ["exhibit"]

_STROKES = {"solid": "", "dashed": "6 4", "dotted": "2 3"}
_SHAPES = {
    "circle": '<circle cx="14" cy="6" r="4" fill="{0}"/>',
    "x": '<path d="M10 2l8 8m0-8l-8 8" stroke="{0}" stroke-width="2"/>',
    "square": '<rect x="10" y="2" width="8" height="8" fill="{0}"/>',
}


def _sample(style: CurveStyle) -> str:
    """Return a short piece of a curve; black is the colour of the text."""
    colour = "currentColor" if style.colour == BLACK else style.colour
    drawn = ""
    if style.dash is not None:
        drawn += (
            f'<path d="M0 6h28" stroke="{colour}" stroke-width="2.5" '
            f'stroke-dasharray="{_STROKES[style.dash]}"/>'
        )
    if style.mark is not None:
        drawn += _SHAPES[style.mark].format(colour)
    return f'<svg width="28" height="12" aria-hidden="true">{drawn}</svg>'


def _legend(data: FigureData) -> str:
    """Return buttons that hide and show the series."""
    buttons = "".join(
        f'<button type="button" aria-pressed="true" data-series="{index}">'
        f"{_sample(style)}<span>{as_html(series.name)}</span></button>"
        for index, (series, style) in enumerate(styles(data))
    )
    return f'<div class="legend">{buttons}</div>' if buttons else ""


def _chart(name: str, data: FigureData, chart: str) -> str:
    data_of_it = chart.replace("</", "<\\/")  # no text may end the script
    kind = "pictures" if data.pictures else "curves"
    return (
        f'<div class="live"><p class="axis">{as_html(data.y_label)}</p>'
        f'<div class="plot {kind}" data-chart="chart:{escape(name)}" role="img" '
        f'aria-label="{escape(as_text(data.title))}"></div>'
        f'<p class="axis across">{as_html(data.x_label)}</p>{_legend(data)}</div>'
        f'<script type="application/json" id="chart:{escape(name)}">{data_of_it}'
        "</script>"
    )


def _picture(data: FigureData, png: bytes) -> str:
    code = base64.b64encode(png).decode()
    return (
        f'<img class="still" src="data:image/png;base64,{code}" '
        f'alt="{escape(as_text(data.title))}">'
    )


def _cell(cell: object) -> str:
    number = isinstance(cell, int | float)
    text = "" if cell is None else str(cell)
    return f'<td class="number">{text}</td>' if number else f"<td>{as_html(text)}</td>"


def _table(data: TableData) -> str:
    heads = ""
    for index, column in enumerate(data.columns):
        numbers = any(isinstance(row[index], int | float) for row in data.cells)
        heads += (
            f'<th class="{"number" if numbers else "words"}">{as_html(column)}</th>'
        )
    rows = "".join(
        f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in data.cells
    )
    return (
        f'<div class="wide" tabindex="0"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _head(name: str, where: str, title: str) -> str:
    """Return a heading with the location in the paper and the title."""
    if title.lower().startswith(f"{where}: "):
        title = title[len(where) + 2 :]
        title = title[:1].upper() + title[1:]
    place = as_html(where[:1].upper() + where[1:])
    return (
        f'<h3><a class="anchor" href="#{escape(name)}">{place}</a> '
        f"{as_html(title)}</h3>"
    )


def exhibit(shown: Exhibit, place: str, *, quick: bool, cached: bool) -> str:
    """Return a figure or a table, or the reason of its failure."""
    name, data, drawing = shown.item.id, shown.data, shown.drawing
    head = _head(name, shown.item.where, "" if data is None else data.title)
    about = f"{escape(name)} &#183; {time_taken(shown.seconds, cached)}"
    if shown.failure or data is None:
        return (
            f'<figure id="{escape(name)}" {facts(shown, place)}>{head}'
            f'<p class="failure"><b>failed</b> '
            f'{escape(shown.failure)}</p><figcaption><p class="soft">{about}</p>'
            f"{rerun(shown.item, quick)}</figcaption></figure>"
        )
    endings = ["csv"]
    if isinstance(data, TableData):
        body = _table(data)
    else:
        assert drawing is not None
        body = _chart(name, data, drawing.chart) + _picture(data, drawing.png)
        endings = ["png", "pdf", "csv"]
    links = " ".join(
        f'<a href="{escape(stem(name))}.{ending}">{ending.upper()}</a>'
        for ending in endings
    )
    return (
        f'<figure id="{escape(name)}" {facts(shown, place)}>{head}{body}<figcaption>'
        f'<p>{as_html(data.caption)}</p><details class="more">'
        f'<summary>{about} <span class="links">{links}</span></summary>'
        f"{rerun(shown.item, quick)}</details></figcaption></figure>"
    )
