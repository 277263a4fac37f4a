"""The application: its commands, and what it says when something is wrong."""

from __future__ import annotations

import warnings
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rosenblatt.cli.digits import digits
from rosenblatt.cli.inspect import inspect
from rosenblatt.cli.lab import lab
from rosenblatt.cli.predict import predict
from rosenblatt.cli.reproduce import claims, reproduce
from rosenblatt.cli.schedules import schedules
from rosenblatt.cli.simulate import simulate
from rosenblatt.cli.sweep import sweep
from rosenblatt.cli.train import train

__all__ = ["app", "main"]

# Wrong usage, of which typer exports only the special case of a bad parameter.
_Usage: Any = typer.BadParameter.__base__
_WRONG = 2  # exit codes, those of other programs
_FAILED = 1
_INTERRUPTED = 130


class _Commands(TyperGroup):
    """Commands whose errors are one line, whoever raises them."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # somebody has read enough; typer ends quietly
            raise
        except _Usage as wrong:
            message, code = wrong.format_message(), _WRONG
        except (ValueError, TypeError, ArithmeticError) as wrong:
            message, code = str(wrong), _WRONG
        except (OSError, MemoryError, ImportError) as failure:
            message, code = str(failure), _FAILED
        except KeyboardInterrupt as stopped:
            message, code = str(stopped) or "interrupted", _INTERRUPTED
        typer.echo(f"rosenblatt: {message}", err=True)
        raise typer.Exit(code)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("rosenblatt"))
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print it."
        ),
    ] = False,
) -> None:
    """Perceptron learning: simulate it, and reproduce the papers about it.

    Every command explains itself, with examples, if it is followed by `--help`. Results
    go to the standard output, with `--json` as JSON; bars and complaints go to the
    standard error. Colours are for terminals, and never where `NO_COLOR` is set.

    Examples:

    - `rosenblatt simulate --help`
    - `rosenblatt reproduce --quick`
    - `rosenblatt --install-completion`: let the shell complete commands and options
    """


for _command in (
    simulate,
    schedules,
    train,
    predict,
    inspect,
    sweep,
    reproduce,
    claims,
    digits,
    lab,
):
    app.command()(_command)


def _warn(message: Warning | str, *where: object, **more: object) -> None:
    """Say what the matter is, and not in which line of which file."""
    typer.echo(f"rosenblatt: {message}", err=True)


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _warn
    app(prog_name="rosenblatt")
