"""The interface of a format, and the outcome of a case."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import sklearn

__all__ = [
    "ACCEPTED",
    "FAULT",
    "REFUSED",
    "Case",
    "FaultError",
    "Format",
    "Outcome",
    "Stage",
    "judged",
]

ACCEPTED, REFUSED, FAULT = "accepted", "refused", "fault"
# Errors of bad input, of missing files, and of curves that cannot be followed.
_DOCUMENTED = (ValueError, TypeError, OSError)
_OWN = "rosenblatt"
_CHECKS = str(Path(sklearn.__file__).parent)  # which the estimators call
Stage = Callable[[str], None]  # says what a case does next, for a report of its death


class FaultError(AssertionError):
    """The library broke a promise: a changed model, a traceback, two lines of error."""


@dataclass(frozen=True)
class Case:
    """One hostile input.

    Parameters
    ----------
    said
        The input in words.
    files
        Content of files by name, written to a folder before the case runs.
    given
        Anything else that the format wants to pass to its own ``run``.
    """

    said: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    given: Any = None


class Outcome(NamedTuple):
    """The result of a case: accepted, refused or fault, and why."""

    kind: str
    detail: str = ""


class Format(Protocol):
    """A module with the cases of one format or one part of the public interface."""

    def prepare(self, folder: Path) -> Any:
        """Make golden inputs in an empty folder, and load the code that cases use."""

    def mutate(self, golden: Any, random: Random) -> Case:
        """Return a case that depends on the golden inputs and the generator only."""

    def run(self, case: Case, folder: Path, stage: Stage) -> None:
        """Give the case to the library; return if it is accepted.

        The files of the case are in the folder. A documented exception is a refusal.
        Anything else is a fault.
        """


def judged(failure: Exception) -> Outcome:
    """Return what an exception says about the library.

    A refusal is a documented exception that some ``raise`` statement has raised, or
    the checks of scikit-learn. The same exception from an operation that happened to
    fail, such as ``unhashable type``, is a fault: nobody has looked at the input.
    """
    text = " ".join(str(failure).split())
    name = type(failure).__name__
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.name}"
    said = f"{name} at {place}: {text}"
    if isinstance(failure, FaultError):
        return Outcome(FAULT, text)
    if not (isinstance(failure, _DOCUMENTED) or type(failure) is ArithmeticError):
        return Outcome(FAULT, said)
    if not text:
        return Outcome(FAULT, f"no message: {said}")
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    by_system = isinstance(failure, OSError) and failure.errno is not None
    stated = line.startswith("raise") or frame.filename.startswith(_CHECKS)
    if not (stated or by_system):
        return Outcome(FAULT, f"not a check: {said}")
    return Outcome(REFUSED, said)
