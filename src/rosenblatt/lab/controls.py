"""Controls of the first tab, which turn inputs into a new state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from bokeh.layouts import column, row
from bokeh.models import Div

from rosenblatt.core import Activation, BeliefRule, Combinator, Rule, Schedule
from rosenblatt.lab.presets import CHOSEN, name_of, options, preset_of
from rosenblatt.lab.state import OWN, State, changed, part_of
from rosenblatt.lab.widgets import choice, wide
from rosenblatt.rules import SphericalBayes
from rosenblatt.schedules import Custom
from rosenblatt.specification import codec

_KINDS = ((Rule, BeliefRule), (Schedule,), (Activation,))
_FIELDS: dict[str, tuple[str, Any, str]] = {  # title, choices, what it means
    "normalised": ("length of the weights", [("true", "fixed"), ("false", "free")], ""),
    "decay": ("weight decay", [], "Strength of the decay; 0 for none."),
    "shifted": (
        "shift of the inputs",
        [
            ("none", "none"),
            ("average", "learned: M / <y>"),
            ("field", "learned, along the field"),
            ("known", "known beforehand"),
        ],
        "",
    ),
    "opening": ("opening", [], "Hebbian examples per weight, before the shift."),
    "noise": ("share of wrong labels", [], "From 0 to 0.5."),
    "mean": ("mean input: length", [], "Length of the mean of all inputs."),
    "overlap": ("along the teacher", [], "Its overlap with the teacher."),
    "motion": (
        "motion of the teacher",
        [],
        "none, random-walk:strength=0.1, rotation:speed=0.1, retreat:speed=0.1 or "
        "abrupt:times=(10,20).",
    ),
    "dim": ("weights N", [], "Number of weights of a student, such as 1000 or 1e6."),
    "alpha": ("\u03b1, up to", [], "The last \u03b1: examples per weight."),
    "replicas": ("replicas", [], "Independent students, 1000 at most."),
    "seed": ("seed", [], "The same seed gives the same numbers."),
    "axes": ("axes", ["logarithmic", "linear"], ""),
}


def names(kinds: tuple[Any, ...]) -> list[str]:
    """Return the names of all parts of some kinds that need numbers only.

    Examples
    --------
    >>> names((Schedule,))
    ['constant', 'per-mistake', 'power']
    """
    found = [kind for kind in codec.parts().values() if issubclass(kind, kinds)]
    plain = [k for k in found if not issubclass(k, Combinator) and k is not Custom]
    own = list(OWN) if Rule in kinds else []
    return own + [codec.kebab(kind.__name__) for kind in plain]


def parameters(part: Any, path: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, value and possible values of the parameters of a part.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> [found[:2] for found in parameters(rb.rules.Delta(rb.rules.Tanh(gain=2)))]
    [('activation', 'tanh'), ('activation.gain', '2')]
    """
    for field in fields(part):
        inside = getattr(part, field.name)
        if isinstance(inside, bool):
            yield path + field.name, str(inside).lower(), ["false", "true"]
        elif isinstance(inside, int | float):
            yield path + field.name, f"{inside:.12g}", []
        elif inside is not None:  # a likelihood: labels are signs here
            kinds = next(known for known in _KINDS if isinstance(inside, known))
            yield path + field.name, codec.kebab(type(inside).__name__), names(kinds)
            yield from parameters(inside, f"{path}{field.name}.")


class Controls:
    """All controls, and the state they show.

    Parameters
    ----------
    state
        State that the controls show at first.
    on_change
        Called with the new state whenever something changes.
    show_error
        Called with what is wrong with an input, and with nothing if all is right.
    """

    def __init__(
        self,
        state: State,
        on_change: Callable[[State], None],
        show_error: Callable[[str], None],
    ) -> None:
        self._on_change, self._show_error = on_change, show_error
        self._quiet = False
        self.preset = choice("example or figure", options())
        self.preset.on_change("value", self._taken(lambda new: preset_of(new).state))
        self.inputs = {name: choice(*given) for name, given in _FIELDS.items()}
        self._parameters = {}
        for name, kinds in (("rule", _KINDS[0]), ("schedule", _KINDS[1])):
            self.inputs[name] = choice(name, names(kinds))
            self._parameters[name] = column(**wide())
        for name, control in self.inputs.items():
            control.on_change("value", self._taken(self._reader(name)))
        self.layout = self._arranged()
        self.show(state)

    def _arranged(self) -> Any:
        def heading(text: str) -> Div:
            return Div(text=f"<h2>{text}</h2>", **wide())

        def pair(*chosen: str) -> Any:
            return row(*(self.inputs[name] for name in chosen), **wide())

        return column(
            self.preset,
            self.inputs["axes"],
            heading("Rule"),
            self.inputs["rule"],
            self._parameters["rule"],
            pair("normalised", "decay"),
            pair("shifted", "opening"),
            heading("Schedule"),
            self.inputs["schedule"],
            self._parameters["schedule"],
            heading("Examples"),
            self.inputs["noise"],
            pair("mean", "overlap"),
            self.inputs["motion"],
            heading("Students"),
            pair("dim", "alpha"),
            pair("replicas", "seed"),
            **wide(),
        )

    def show(self, state: State) -> None:
        """Show a state, without calling back."""
        self._quiet, self.state = True, state
        known = {value for group in options().values() for value, _ in group}
        self.preset.value = name if (name := name_of(state)) in known else CHOSEN
        for name in _FIELDS:
            value = getattr(state, name)
            text = f"{value:.12g}" if isinstance(value, float) else str(value)
            self.inputs[name].value = text.lower()
        for name, place in self._parameters.items():
            part = part_of(name, getattr(state, name))
            self.inputs[name].value = codec.spell(part).partition(":")[0]
            place.children = self._shown(name, part)
        belief = isinstance(part_of("rule", state.rule), BeliefRule)
        for name in ("normalised", "decay", "shifted"):
            self.inputs[name].disabled = belief
        self.inputs["opening"].disabled = state.shifted == "none"
        self._quiet = False

    def _shown(self, name: str, part: Any) -> list[Any]:
        """Return inputs for the parameters of a part, two in a row."""
        inputs = []
        for path, text, choices in parameters(part):

            def read(new: str, path: str = path) -> State:
                made = codec.replace(part, path, new.strip()[:40])
                return changed(self.state, **{name: codec.spell(made)}, figure="")

            one = choice(path.replace(".", " ").replace("_", " "), choices)
            one.value = text
            one.on_change("value", self._taken(read))
            inputs.append(one)
        return [row(*inputs[i : i + 2], **wide()) for i in range(0, len(inputs), 2)]

    def _reader(self, name: str) -> Callable[[str], State]:
        def read(new: str) -> State:
            try:
                state = changed(self.state, **{name: new})
            except ValueError as failure:
                words = str(failure).removeprefix(f"{name} ")
                raise ValueError(f"{self.inputs[name].title}: {words}") from None
            if name == "rule" and isinstance(
                part_of("rule", state.rule), BeliefRule | SphericalBayes
            ):  # these have no rate and no length to keep
                given: dict[str, Any] = {
                    "decay": 0.0,
                    "shifted": "none",
                    "schedule": "constant",
                }
                state = replace(state, normalised=False, **given)
            return state if name == "axes" else replace(state, figure="")

        return read

    def _taken(self, read: Callable[[str], State]) -> Callable[..., None]:
        """Return a callback that shows a new state, or the error and the old one."""

        def take(attribute: str, old: str, new: str) -> None:
            if self._quiet or new == CHOSEN:
                return
            try:
                state = read(new)
            except (ValueError, TypeError) as failure:
                self.show(self.state)
                self._show_error(str(failure))
                return
            state = replace(state, tab=self.state.tab)
            self.show(state)
            self._on_change(state)

        return take
