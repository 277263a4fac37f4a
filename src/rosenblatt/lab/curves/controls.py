"""Controls of the first tab, which turn inputs into a new state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bokeh.layouts import column, row
from bokeh.models import Checkbox, Div, Select, Slider, Spinner, TextInput

from rosenblatt.core import BeliefRule, Rule, Schedule
from rosenblatt.lab.curves.choices import choices, names, replaced
from rosenblatt.lab.curves.presets import OWN, name_of, options, preset_of
from rosenblatt.lab.state import State, changed, part_of
from rosenblatt.lab.style import wide
from rosenblatt.rules import SphericalBayes
from rosenblatt.specification.codec import spell

__all__ = ["Controls"]

_KINDS: dict[str, tuple[Any, ...]] = {
    "rule": (Rule, BeliefRule),
    "schedule": (Schedule,),
}
_SHIFTS = [
    ("none", "none"),
    ("average", "learned: M / <y>"),
    ("field", "learned, along the field"),
    ("known", "known beforehand"),
]
_TEXTS = {  # field: (title, what it means)
    "dim": ("weights N", "How many weights a student has, such as 1000 or 1e6."),
    "alpha": ("\u03b1, up to", "The last \u03b1: examples per weight."),
    "replicas": ("replicas", "Independent students, 1000 at most."),
    "seed": ("seed", "The same seed gives the same numbers."),
    "motion": (
        "motion of the teacher",
        "none, random-walk:strength=0.1, rotation:speed=0.1, retreat:speed=0.1 or "
        "abrupt:times=(10,20).",
    ),
}
_UNITS = [("0", "none"), ("1", "1"), ("2", "2"), ("3", "3")]
_NUMBERS = {  # field: (title, step, ends of the slider)
    "noise": ("share of wrong labels", 0.01, (0.0, 0.5)),
    "mean": ("mean input: length", 0.1, (0.0, 5.0)),
    "overlap": ("along the teacher", 0.1, (-5.0, 5.0)),
}


def _heading(text: str) -> Div:
    return Div(text=f"<h2>{text}</h2>", **wide(css_classes=["heading"]))


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
        self.state = state
        self._on_change, self._show_error = on_change, show_error
        self._quiet = False
        self._build()
        self.show(state)

    def _build(self) -> None:
        self.preset = Select(title="the papers' figures", options=options(), **wide())
        self.preset.on_change("value", self._take_preset)
        self.parts: dict[str, Select] = {}
        self._parameters: dict[str, Any] = {}
        for field, kinds in _KINDS.items():
            self.parts[field] = Select(title=field, options=names(kinds[0]), **wide())
            self.parts[field].on_change("value", self._take_part(field))
            self._parameters[field] = column(**wide())
        self.normalised = Checkbox(
            label="normalised: weights keep their length", **wide()
        )
        self.normalised.on_change("active", self._take("normalised", str.lower))
        self.decay = TextInput(title="decay", **wide())
        self.shifted = Select(title="shift", options=_SHIFTS, **wide())
        self.opening = TextInput(title="opening: Hebbian examples per weight", **wide())
        for field in ("decay", "shifted", "opening"):
            getattr(self, field).on_change("value", self._take(field))
        self.numbers: dict[str, Any] = {}
        self.sliders: dict[str, Slider] = {}
        for field, (title, step, (start, end)) in _NUMBERS.items():
            # Without bounds, beyond which it would show another number.
            made = Spinner(title=title, step=step, **wide())
            made.on_change("value", self._take(field))
            self.numbers[field] = made
            slider = Slider(
                start=start, end=end, step=step, value=start, show_value=False,
                align="end", margin=(5, 5, 14, 5),  # beside its number
                **wide()
            )  # fmt: skip
            slider.on_change("value_throttled", self._take(field))
            self.sliders[field] = slider
        for field, (title, meaning) in _TEXTS.items():
            made = TextInput(title=title, description=meaning, **wide())
            made.on_change("value", self._take(field))
            self.numbers[field] = made
        self.units = Select(
            title="hidden units: a committee instead of a rule",
            options=_UNITS,
            **wide(),
        )
        self.units.on_change("value", self._take("units"))
        self.axes = Select(title="axes", options=["logarithmic", "linear"], **wide())
        self.axes.on_change("value", self._take("axes"))
        self._arrange()

    def _arrange(self) -> None:
        """Put all controls into one column."""
        n = self.numbers
        rule = column(
            self.parts["rule"],
            self._parameters["rule"],
            self.normalised,
            row(self.decay, self.shifted, **wide()),
            self.opening,
            **wide(),
        )
        pairs = (row(n[field], self.sliders[field], **wide()) for field in _NUMBERS)
        examples = column(*pairs, **wide())
        self.of_rules = rule, examples, n["replicas"]  # not of committees
        self.layout = column(
            self.preset,
            self.axes,
            _heading("Rule"),
            self.units,
            rule,
            _heading("Schedule"),
            self.parts["schedule"],
            self._parameters["schedule"],
            _heading("Examples"),
            examples,
            n["motion"],
            _heading("Students"),
            row(n["dim"], n["alpha"], **wide()),
            row(n["replicas"], n["seed"], **wide()),
            **wide(),
        )

    def show(self, state: State) -> None:
        """Show a state, without calling back."""
        self._quiet = True
        self.state = state
        name = name_of(state)
        known = {value for group in options().values() for value, _ in group}
        self.preset.value = name if name in known else OWN
        belief = False
        for field, kinds in _KINDS.items():
            part = part_of(getattr(state, field), *kinds)
            self.parts[field].value = spell(part).partition(":")[0]
            self._show_parameters(field, part)
            belief = belief or isinstance(part, BeliefRule)
        self.normalised.active = state.normalised
        self.decay.value = "none" if state.decay is None else f"{state.decay:.12g}"
        self.shifted.value = state.shifted
        self.opening.value = f"{state.opening:.12g}"
        self.opening.visible = state.shifted != "none"
        for widget in (self.normalised, self.decay, self.shifted):
            widget.disabled = belief
        self.units.value = str(state.units)
        for part in self.of_rules:
            part.visible = not state.units
        for field in _NUMBERS:
            value = getattr(state, field)
            self.numbers[field].value = value
            slider = self.sliders[field]
            slider.value = min(max(value, slider.start), slider.end)
        for field in _TEXTS:
            value = getattr(state, field)
            self.numbers[field].value = f"{value:g}" if field == "alpha" else str(value)
        self.axes.value = state.axes
        self._quiet = False

    def _show_parameters(self, field: str, part: Any) -> None:
        widgets = []
        for choice in choices(part):
            made: Any
            if choice.options:
                made = Select(
                    title=choice.label,
                    options=list(choice.options),
                    value=choice.text,
                    **wide(),
                )
            else:
                made = TextInput(title=choice.label, value=choice.text, **wide())
            made.on_change("value", self._take_parameter(field, part, choice.path))
            widgets.append(made)
        pairs = [widgets[i : i + 2] for i in range(0, len(widgets), 2)]
        self._parameters[field].children = [row(*pair, **wide()) for pair in pairs]

    def _apply(self, make: Callable[[], State]) -> None:
        """Show a new state, or keep the old one and show the error."""
        if self._quiet:
            return
        try:
            state = make()
        except (ValueError, TypeError) as failure:
            self.show(self.state)
            self._show_error(str(failure))
            return
        self._show_error("")
        self.show(state)
        self._on_change(state)

    def _take(
        self, field: str, read: Callable[[str], str] = str
    ) -> Callable[..., None]:
        def make(new: Any) -> State:
            text = read("" if new is None else str(new))
            try:
                state = changed(self.state, **{field: text})
            except ValueError as failure:
                title = ({**_TEXTS, **_NUMBERS}.get(field) or (field,))[0]
                words = str(failure).removeprefix(f"{field} ")
                raise ValueError(f"{title}: {words}") from None
            return state if field == "axes" else replace(state, figure="")

        return lambda attribute, old, new: self._apply(lambda: make(new))

    def _take_part(self, field: str) -> Callable[..., None]:
        def make(text: str) -> State:
            state = replace(changed(self.state, **{field: text}), figure="")
            part = part_of(state.rule, Rule, BeliefRule)
            if field == "rule" and isinstance(part, BeliefRule | SphericalBayes):
                # these have no rate and no length to keep
                state = replace(
                    state,
                    normalised=False,
                    decay=None,
                    shifted="none",
                    schedule="constant",
                )
            return state

        return lambda attribute, old, new: self._apply(lambda: make(new))

    def _take_parameter(
        self, field: str, part: Any, path: tuple[str, ...]
    ) -> Callable[..., None]:
        def make(text: str) -> State:
            text = spell(replaced(part, path, text.strip()[:40]))
            return replace(changed(self.state, **{field: text}), figure="")

        return lambda attribute, old, new: self._apply(lambda: make(new))

    def _take_preset(self, attribute: str, old: str, new: str) -> None:
        if new != OWN:
            self._apply(lambda: replace(preset_of(new).state, tab=self.state.tab))
