"""The interface of a format, and the outcome of a case."""

import dis
import traceback
from pathlib import Path
from typing import Any, NamedTuple

import sklearn

ACCEPTED, REFUSED, FAULT = "accepted", "refused", "fault"
# Errors of bad input, of missing files, and of curves that cannot be followed.
_DOCUMENTED = (ValueError, TypeError, OSError)
_SKLEARN = str(Path(sklearn.__file__).parent)  # whose checks the estimators call
_LIBRARIES = ("site-packages", "lib/python")  # what others have written
# what the checks of scikit-learn call
_TOOLS = ("/numpy/", "/scipy/", "/pandas/", "/narwhals/")
_RAISE = ("RAISE_VARARGS", "RERAISE")


class FaultError(AssertionError):
    """The library broke a promise: a changed model, a traceback, two lines of error."""


class Case(NamedTuple):
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
    files: dict[str, bytes]
    given: Any = None


class Outcome(NamedTuple):
    """The result of a case: accepted, refused or fault, and why."""

    kind: str
    detail: str = ""


def judged(failure):
    """Return what an exception says about the library.

    A refusal is a documented exception of a ``raise`` statement in this package, or of
    the checks of scikit-learn. The same exception from an operation that happened to
    fail, such as ``unhashable type``, is a fault: nobody has looked at the input.
    """
    text = " ".join(str(failure).split())
    if isinstance(failure, FaultError):
        return Outcome(FAULT, text)
    frames = list(traceback.walk_tb(failure.__traceback__))
    code = frames[-1][0].f_code
    place = f"{Path(code.co_filename).name}:{code.co_name}"
    said = f"{type(failure).__name__} at {place}: {text}"
    if not (isinstance(failure, _DOCUMENTED) or type(failure) is ArithmeticError):
        return Outcome(FAULT, said)
    if not text:
        return Outcome(FAULT, f"no message: {said}")
    by_system = isinstance(failure, OSError) and failure.errno is not None
    if by_system or _checked(failure.__traceback__):
        return Outcome(REFUSED, said)
    return Outcome(FAULT, f"not a check: {said}")


def _checked(trace):
    """Return whether a check has raised this, and not whatever came across it."""
    by_sklearn = stated = False
    while trace is not None:
        code = trace.tb_frame.f_code
        inside = code.co_filename
        if not any(name in inside for name in _TOOLS):
            by_sklearn = inside.startswith(_SKLEARN)
        raised = dis.opname[code.co_code[trace.tb_lasti]] in _RAISE
        stated = raised and not any(name in inside for name in _LIBRARIES)
        trace = trace.tb_next
    return by_sklearn or stated
