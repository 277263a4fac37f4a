"""The application: its commands, help and error messages."""

from __future__ import annotations

import functools
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

from rosenblatt.system.extras import missing
from rosenblatt.system.progress import on_compilation

try:
    import typer
    from typer.core import TyperCommand, TyperGroup

    from rosenblatt.cli.output import printable
except ImportError as failure:
    raise missing("typer", "the command line") from failure


# Wrong usage, of which typer exports only the special case of a bad parameter.
_Usage: Any = typer.BadParameter.__base__
_WRONG = 2  # exit codes, those of other programs
_FAILED = 1
_INTERRUPTED = 130
_COMPILING = "compiling for this machine, once; this takes about 5 s"
_STYLE: Any = {"rich_markup_mode": "markdown", "pretty_exceptions_enable": False}
COMMANDS = {  # in the order of the help, with their summaries
    "simulate": "Simulate students that learn from a teacher, without approximation.",
    "train": "Learn to predict a column of a table of any size, in one pass.",
    "predict": "Predict the labels of the rows of files, of any size.",
    "inspect": "Show a trained model: metrics, columns, weights, learning curve.",
    "sweep": "Run a grid or a list of experiments, and store each result at once.",
    "reproduce": "Rerun papers and write pages with figures, data and verdicts.",
    "claims": "Rerun claims and errata of papers and print the verdicts.",
    "lab": "Serve the laboratory: live learning curves and data sets on a web page.",
}
_MODULES = {"claims": "reproduce"}  # of the others the module has the command's name


def _flags_take_no_value(parameters: list[Any]) -> list[Any]:
    """Return the parameters, without placeholders for values of flags."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


class _Command(TyperCommand):
    """A command that refuses options given twice; its help shows no values of flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments of the command."""
        return _flags_take_no_value(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read options and arguments; only options that are lists may come twice."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            for option in given:
                if given.count(option) > 1 and not option.multiple:
                    raise _Usage(
                        f"{' or '.join([*option.opts, *option.secondary_opts])} must "
                        f"be given once, got it {given.count(option)} times",
                        ctx,
                    )
        return super().parse_args(ctx, args)


@functools.cache
def loaded(name: str) -> Any:
    """Return a command, loaded with all that it computes with."""
    module = import_module(f"rosenblatt.cli.{_MODULES.get(name, name)}")
    alone = typer.Typer(add_completion=False, **_STYLE)
    alone.command(name, cls=_Command)(getattr(module, name))
    return typer.main.get_command(alone)


class _Commands(TyperGroup):
    """Group of commands, which are loaded when they run; their errors are one line."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command with its summary only, for lists of commands."""
        if cmd_name in COMMANDS:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name])
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return name, command and remaining arguments of a command line."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            raise _Usage(f"there is no command {args[0]!r}; possible: {known}", ctx)
        name, _, rest = super().resolve_command(ctx, args)
        return name, loaded(str(name)), rest

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the application itself."""
        return _flags_take_no_value(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what comes before the command; without any words, show the help."""
        asked = bool(args)
        try:
            return super().parse_args(ctx, args)
        except _Usage as wrong:
            if not asked:
                raise
            typer.echo(f"rosenblatt: {wrong.format_message()}", err=True)
            raise typer.Exit(_WRONG) from None

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # somebody has read enough; typer ends quietly
            raise
        except _Usage as wrong:
            message, code = wrong.format_message(), _WRONG
        except (ValueError, TypeError, ArithmeticError) as wrong:
            message, code = self._as_typed(ctx, str(wrong)), _WRONG
        except (OSError, MemoryError, ImportError) as failure:
            message, code = str(failure), _FAILED
        except KeyboardInterrupt as stopped:
            message, code = str(stopped) or "interrupted", _INTERRUPTED
        typer.echo(printable(f"rosenblatt: {' '.join(message.splitlines())}"), err=True)
        raise typer.Exit(code)

    def _as_typed(self, ctx: Any, message: str) -> str:
        """Return a message that begins with an option as one types it.

        The library names arguments of Python: batch_rows is ``--batch-rows`` here.
        """
        name, space, rest = message.partition(" ")
        for given in loaded(ctx.invoked_subcommand).params if space else ():
            if given.name == name and given.opts[0].startswith("--"):
                return f"{given.opts[0]} {rest}"
        return message


app = typer.Typer(cls=_Commands, no_args_is_help=True, **_STYLE)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("rosenblatt"))
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Perceptron learning: train on files, simulate learning, reproduce papers.

    Every command has a `--help` with examples. Results go to standard output, with
    `--json` as JSON; progress bars and errors go to standard error. Colours are used
    in terminals only, and never if `NO_COLOR` is set.

    Examples:

    - `rosenblatt simulate --help`
    - `rosenblatt reproduce --quick`
    - `rosenblatt --install-completion`: install completion for your shell
    """


@functools.cache
def _say(message: str) -> None:
    """Print a message, once."""
    typer.echo(printable(f"rosenblatt: {message}"), err=True)


def _warn(message: Warning | str, *where: object, **more: object) -> None:
    """Print a warning without file and line, once."""
    _say(str(message))


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _warn
    if sys.stderr.isatty():
        on_compilation(lambda: print(_COMPILING, file=sys.stderr))
    app(prog_name="rosenblatt")
