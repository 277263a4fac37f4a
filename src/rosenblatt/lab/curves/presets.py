"""Presets: figures of papers, as live states of the page or as they are.

``presets.toml`` has the choices of each live preset that differ from a first visit.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from rosenblatt.lab.jobs.work import PAPERS
from rosenblatt.lab.state import State

__all__ = ["OWN", "PRESETS", "Preset", "name_of", "note_of", "options", "preset_of"]

OWN = "own"  # what the control says when choices are the visitor's own
_FIGURE = "figure:"  # before the id of a figure that is shown as it is
_SHOWN = (
    'This is the figure of the quick report. Items marked "live" run a simulation '
    "instead, and so does a change of any other control. The data of bhattacharya1995 "
    "are on the other tab."
)


@dataclass(frozen=True)
class Preset:
    """A figure as a state, with what differs from the paper."""

    label: str
    state: State
    note: str = ""


def _live() -> dict[str, Preset]:
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    found = {}
    for name, given in tomllib.loads(text).items():
        label, note = given.pop("label"), given.pop("note", "")
        found[name] = Preset(label, State(**given), note)
    return found


PRESETS = _live()


def options() -> dict[str, list[tuple[str, str]]]:
    """Return all presets in groups, live ones first, as a control takes them.

    Browsers tell them apart by what they see, so all labels differ.

    Examples
    --------
    >>> options()["golea1993"][0]
    ('figure:golea1993/error', 'golea1993/error: eq. (30)')
    """
    groups: dict[str, list[tuple[str, str]]] = {"": [(OWN, "your own choice")]}
    for paper in PAPERS:
        live = [
            (name, preset.label)
            for name, preset in PRESETS.items()
            if name.startswith(f"{paper.key}/")
        ]
        shown = [(_FIGURE + one.id, f"{one.id}: {one.where}") for one in paper.figures]
        groups[paper.key] = [*live, *shown]
    return groups


def preset_of(name: str, seed: int = 0) -> Preset:
    """Return a preset by the name that a control has for it.

    Examples
    --------
    >>> preset_of("figure:golea1993/fig3").state.figure
    'golea1993/fig3'
    """
    if name.startswith(_FIGURE):
        return Preset(name, State(figure=name.removeprefix(_FIGURE)))
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}")
    return PRESETS[name]


def name_of(state: State) -> str:
    """Return the name of the preset of a state, or that of a visitor's own.

    Examples
    --------
    >>> name_of(PRESETS["barkai1995/fig1"].state)
    'barkai1995/fig1'
    """
    if state.figure:
        return _FIGURE + state.figure
    return next((k for k, p in PRESETS.items() if p.state == state), OWN)


def note_of(state: State) -> str:
    """Return what a visitor should know about what is shown, if anything.

    Examples
    --------
    >>> note_of(PRESETS["barkai1995/fig1-large"].state)
    'From mistake to mistake: 5e12 examples for each student.'
    """
    if state.figure:
        return _SHOWN
    preset = PRESETS.get(name_of(state))
    return "" if preset is None else preset.note
