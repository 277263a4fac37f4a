"""Small pieces of the page that claims, errata, figures and tables have in common."""

from __future__ import annotations

from html import escape

from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.paper import Item
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.formatting import command, duration, verdict_word, with_error
from rosenblatt.report.results import Result

__all__ = ["MARKS", "facts", "kind", "number", "rerun", "time_taken", "verdict"]

MARKS = {
    Verdict.REPRODUCED: "&#10003;",
    Verdict.ERRATUM: "&#8800;",
    Verdict.NOT_REPRODUCED: "&#10007;",
}


def kind(given: Verdict) -> str:
    """Return the CSS class of a verdict."""
    return given.value.replace(" ", "-")


def verdict(outcome: Outcome) -> str:
    """Return a verdict with its mark."""
    given = outcome.verdict
    return (
        f'<span class="verdict {kind(given)}">{MARKS[given]}'
        f" <span>{verdict_word(outcome)}</span></span>"
    )


def facts(found: Result, place: str) -> str:
    """Return the attributes of an item that search and filters look at."""
    named = "none"
    if isinstance(found, Outcome):
        named = kind(found.verdict)
    elif found.failure:
        named = kind(Verdict.NOT_REPRODUCED)
    return f'data-verdict="{named}" data-section="{escape(place)}"'


def number(given: Measurement | None) -> str:
    """Return a number with its error, in pieces that stay together."""
    text = escape(with_error(given)).replace("-", "&#8722;") if given else "&#8211;"
    value, plus_minus, error = text.partition(" +&#8722; ")
    if not plus_minus:
        return f"<span>{value}</span>"
    return f"<span>{value}</span> <span>&#177; {error}</span>"


def time_taken(seconds: float, cached: bool) -> str:
    """Return a duration, marked if the result is cached."""
    return duration(seconds) + (", cached" if cached else "")


def rerun(item: Item, quick: bool) -> str:
    """Return the command that runs an item again, with a button that copies it."""
    return (
        f'<div class="command"><code>{escape(command(item, quick=quick))}</code>'
        '<button type="button" class="copy" aria-label="copy this command">copy'
        "</button></div>"
    )
