"""The command line in a child: exit code, and one line of error."""

import contextlib
import io
import sys
from itertools import dropwhile

from rosenblatt.cli.app import COMMANDS, loaded, main
from tests.fuzz.cases import FaultError, judged

for _name in COMMANDS:  # once, and not in every child
    loaded(_name)
_WRONG, _FAILED = 2, 1  # exit codes: of bad input, and of files that are not there


class RefusedError(ValueError):
    """The command line refused its input in one line."""


def _output(arguments):
    """Run a command, and return its exit code and what it wrote to standard error."""
    sys.argv = ["rosenblatt", *arguments]
    errors, code = io.StringIO(), 0
    try:
        with contextlib.redirect_stderr(errors):
            main()
    except SystemExit as end:
        code = end.code or 0
    except Exception as failure:
        raise FaultError(f"a traceback: {judged(failure).detail}") from failure
    return code, errors.getvalue()


def command(arguments, stage, names=()):
    """Run a command; raise RefusedError if it refuses its input as it should.

    Parameters
    ----------
    arguments
        What follows the name of the program.
    stage
        Is told the command.
    names
        Words of which one must be in the error, such as the name of the bad file.
    """
    stage(f"rosenblatt {arguments[0] if arguments else ''}")
    code, said = _output(arguments)
    lines = [line for line in said.splitlines() if line.strip()]
    if "Traceback (most recent call last)" in said:
        raise FaultError(f"a traceback: {lines[-1]}")
    if code == 0:
        return
    if code not in (_WRONG, _FAILED):
        raise FaultError(f"exit code {code!r}: {said[:200]}")
    if arguments and arguments[0] == "train":  # it says first how it reads the columns
        lines = [*dropwhile(lambda line: not line.startswith("rosenblatt: "), lines)]
    if len(lines) != 1:
        raise FaultError(f"{len(lines)} lines of error: {' | '.join(lines)[:300]}")
    if not lines[0].startswith("rosenblatt: "):
        raise FaultError(f"an error that does not say who says it: {lines[0]}")
    if names and not any(name in lines[0] for name in names):
        raise FaultError(f"an error that does not name the file: {lines[0]}")
    if code == _FAILED and names:
        raise FaultError(f"exit code 1 for bad input: {lines[0]}")
    raise RefusedError(lines[0])
