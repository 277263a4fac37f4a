"""Presets: figures of papers, as live states of the page or as they are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rosenblatt.web.jobs.work import PAPERS
from rosenblatt.web.state import State

__all__ = ["OWN", "PRESETS", "Preset", "name_of", "note_of", "options", "preset_of"]

OWN = "own"  # what the control says when choices are the visitor's own
_FIGURE = "figure:"  # before the id of a figure that is shown as it is
_BEST = f"power:scale={2 * math.sqrt(2 * math.pi):.6g}"  # barkai1995, after eq. (6)
_Q0 = -1.95  # q0 of barkai1995, figure 2
# eq. (18) of barkai1995 with eta0 = 2
_FIGURE_2 = f"power:scale={2 * math.sqrt(math.pi / 2) * math.exp(_Q0**2 / 2):.6g}"


@dataclass(frozen=True)
class Preset:
    """A figure as a state, with what differs from the paper."""

    label: str
    state: State
    note: str = ""


def _figure_2(shifted: str) -> State:
    return State(
        schedule=_FIGURE_2 if shifted != "none" else f"{_FIGURE_2},offset=20",
        shifted=shifted,
        noise=0.2,
        mean=4.0,
        overlap=_Q0,
        dim=250,
        alpha=400.0,
        replicas=40,
        axes="linear",
    )


def _bayes(rule: str, **more: object) -> State:
    first = State(rule=rule, normalised=False, schedule="constant")
    return State(**{**vars(first), **more})


def _drifting(drift: str, rate: float) -> State:
    """Return a state of the perceptron at a constant rate."""
    schedule = f"constant:rate={rate:g}"
    return State(drift=drift, schedule=schedule, alpha=100.0, axes="linear")


_START = (
    "The paper does not say where its runs start; here the student does not begin near "
    "the teacher, as it does in the reproduction."
)

_SHOWN = (
    'This is the figure of the quick report. Items marked "live" run a simulation '
    "instead, and so does a change of any other control. The data of bhattacharya1995 "
    "are on the other tab."
)

PRESETS = {
    "barkai1995/fig1": Preset(
        "Figure 1, live: the best rate, N = 50",
        State(schedule=_BEST, dim=50, alpha=1e4, replicas=200),
    ),
    "barkai1995/fig1-large": Preset(
        "Figure 1, live: up to \u03b1 = 1e9",
        State(schedule=_BEST, dim=5000, alpha=1e9, replicas=4),
        "From mistake to mistake: 5e12 examples for each student.",
    ),
    "barkai1995/constant": Preset(
        "Eq. (5), live: a constant rate",
        State(schedule="constant:rate=0.1", dim=1000, alpha=1000.0),
    ),
    "barkai1995/fig2": Preset(
        "Figure 2, live: regular rule, wrong labels", _figure_2("none"), _START
    ),
    "barkai1995/fig2-known": Preset(
        "Figure 2, live: shifted, T known", _figure_2("known"), _START
    ),
    "barkai1995/fig2-learned": Preset(
        "Figure 2, live: shifted, T learned", _figure_2("average"), _START
    ),
    "barkai1995/baum": Preset(
        "Section 5, live: no normalisation, rate 1",
        State(normalised=False, schedule="constant", dim=50, alpha=1e5, replicas=16),
        "The length grows as the cube root of \u03b1, which acts as a falling rate.",
    ),
    "vicente1998/random": Preset(
        "Random drift, live: the best constant rate",
        _drifting("random-walk:strength=0.01", 0.4315),
    ),
    "vicente1998/rotation": Preset(
        "Rotation, live: the best constant rate",
        _drifting("rotation:speed=0.01", 0.2701),
    ),
    "vicente1998/abrupt": Preset(
        "Abrupt changes, live: a constant rate",
        _drifting("abrupt:times=(30,60)", 0.5),
    ),
    "saad1995/two": Preset(
        "Plateau and escape, live: two hidden units",
        State(units=2, schedule="constant", dim=5000, alpha=250.0, axes="linear"),
    ),
    "saad1995/three": Preset(
        "Plateau and escape, live: three hidden units",
        State(
            units=3, schedule="constant:rate=0.5", dim=2000, alpha=500.0, axes="linear"
        ),
    ),
    "winther1997/fig1": Preset(
        "Figure 1, live: binary prior, as printed",
        _bayes("binary-bayes:floor=0", dim=50, alpha=6.0, replicas=200, axes="linear"),
    ),
    "winther1997/spherical": Preset(
        "Eq. (9), live: spherical prior", _bayes("spherical-bayes", alpha=100.0)
    ),
    "winther1997/spherical-noise": Preset(
        "Eq. (9), live: a tenth of the labels wrong",
        _bayes("spherical-bayes:noise=0.1", noise=0.1, alpha=100.0),
    ),
    "winther1997/filters": Preset(
        "Outlook, live: full covariance",
        _bayes("full-bayes", dim=50, alpha=30.0, replicas=50),
    ),
    "winther1997/filters-diagonal": Preset(
        "Outlook, live: a variance for each weight",
        _bayes("diagonal-bayes", dim=100, alpha=20.0, replicas=40),
    ),
    "winther1997/trapped": Preset(
        "Trapped runs, live: binary prior, as printed",
        _bayes("binary-bayes:floor=0", dim=50, alpha=8.0, replicas=400, axes="linear"),
        "In the histogram: most runs end without an error, trapped ones with some.",
    ),
    "winther1997/cured": Preset(
        "Trapped runs, live: with rho at least 1 none is",
        _bayes("binary-bayes", dim=50, alpha=8.0, replicas=400, axes="linear"),
    ),
    "winther1997/curve": Preset(
        "Binary prior, live: N = 500",
        _bayes("binary-bayes", dim=500, alpha=6.0, replicas=20, axes="linear"),
    ),
    "winther1997/curve-noise": Preset(
        "Binary prior, live: N = 500, a tenth of the labels wrong",
        _bayes(
            "binary-bayes:noise=0.1",
            noise=0.1,
            dim=500,
            alpha=20.0,
            replicas=10,
            axes="linear",
        ),
    ),
}


def options() -> dict[str, list[tuple[str, str]]]:
    """Return all presets in groups, live ones first, as a control takes them.

    Browsers tell them apart by what they see, so all labels differ.

    Examples
    --------
    >>> options()["golea1993"][0]
    ('figure:golea1993/fig2a', 'golea1993/fig2a: figure 2a')
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
