"""Presets: figures of papers, as live states of the page or as they are.

``presets.toml`` has the choices of each live preset that differ from a first visit.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from rosenblatt.lab.job import PAPERS
from rosenblatt.lab.state import State

CHOSEN = "own"  # the value of the control for choices of the visitor
_FIGURE = "figure:"  # before the id of a figure that is shown as it is
_SHOWN = (
    'This is the figure of the quick report. Items marked "live" run a simulation '
    "instead, and so does a change of any other control. The data of bhattacharya1995 "
    "are on the other tab."
)


@dataclass(frozen=True)
class Preset:
    """A view with its name, and what to look at or how it differs from the paper."""

    label: str
    state: State
    note: str = ""


def _live() -> dict[str, Preset]:
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    return {
        name: Preset(
            given.pop("label"), note=given.pop("note", ""), state=State(**given)
        )
        for name, given in tomllib.loads(text).items()
    }


PRESETS = _live()


def options() -> dict[str, list[tuple[str, str]]]:
    """Return all presets in groups, live ones first, as a control takes them.

    Browsers tell them apart by what they see, so all labels differ.

    Examples
    --------
    >>> options()["golea1993"][0]
    ('figure:golea1993/fig2a', 'golea1993/fig2a: figure 2a')
    """
    groups = {"": [(CHOSEN, "your own choice")]}
    for key in ("examples", *(paper.key for paper in PAPERS)):
        live = [(k, p.label) for k, p in PRESETS.items() if k.startswith(f"{key}/")]
        groups[key] = live
    for paper in PAPERS:
        shown = [(_FIGURE + one.id, f"{one.id}: {one.where}") for one in paper.figures]
        groups[paper.key] += shown
    return groups


def preset_of(name: str) -> Preset:
    """Return a preset by the name that a control has for it.

    Examples
    --------
    >>> preset_of("figure:golea1993/fig3").state.figure
    'golea1993/fig3'
    """
    if name.startswith(_FIGURE):
        return Preset(name, State(figure=name.removeprefix(_FIGURE)), _SHOWN)
    return PRESETS[name]


def name_of(state: State) -> str:
    """Return the name of the preset of a state, or that of a visitor's own choices.

    Examples
    --------
    >>> name_of(PRESETS["barkai1995/fig1"].state)
    'barkai1995/fig1'
    """
    if state.figure:
        return _FIGURE + state.figure
    return next((k for k, p in PRESETS.items() if p.state == state), CHOSEN)
