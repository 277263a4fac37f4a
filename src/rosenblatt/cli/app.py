"""The application: its commands, help and error messages."""

from __future__ import annotations

import ast
import contextlib
import functools
import sys
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from rosenblatt.system.extras import missing
from rosenblatt.system.notices import on_compilation

try:
    import typer
    from typer.core import TyperCommand, TyperGroup

    from rosenblatt.cli.output import printable
except ImportError as failure:
    raise missing("typer", "the command line") from failure

__all__ = ["app", "main", "summary"]

# Wrong usage, of which typer exports only the special case of a bad parameter.
_Usage: Any = typer.BadParameter.__base__
_WRONG = 2  # exit codes, those of other programs
_FAILED = 1
_HERE = Path(__file__).parent
_INTERRUPTED = 130
_COMPILING = "compiling for this machine, once; this takes about 5 s"
_STYLE: Any = {"rich_markup_mode": "markdown", "pretty_exceptions_enable": False}
_FILES = {  # commands in the order of the help, and where each one is
    "simulate": "simulate",
    "train": "tables.train",
    "predict": "tables.predict",
    "inspect": "tables.inspect",
    "sweep": "sweep",
    "reproduce": "reproduce",
    "claims": "reproduce",
    "lab": "lab",
}


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


class _Loaded(Mapping[str, Any]):
    """Commands by name, each loaded when it is used."""

    def __getitem__(self, name: str) -> Any:
        module = import_module(f"rosenblatt.cli.{_FILES[name]}")
        alone = typer.Typer(add_completion=False, **_STYLE)
        alone.command(name, cls=_Command)(getattr(module, name))
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(_FILES)

    def __len__(self) -> int:
        return len(_FILES)


def summary(module: str, function: str) -> str:
    """Return the docstring of a command, read from its source without loading it.

    To load a command is to load all that it computes with: a list of commands would
    take as long as all of them together.

    Examples
    --------
    >>> summary("reproduce", "claims").partition(".")[0]
    'Rerun claims and errata of papers and print the verdicts'
    """
    path = _HERE.joinpath(*module.split(".")).with_suffix(".py")
    source = path.read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return ast.get_docstring(node) or ""
    raise LookupError(f"there is no function {function} in {module}.py")


@functools.cache
def _described(name: str) -> TyperCommand:
    """Return a command with its help only, not loaded."""
    return TyperCommand(name, help=summary(_FILES[name], name))


class _Commands(TyperGroup):
    """Group of commands whose errors are one line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Loaded()
        self._lists = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; for a list of commands, one with its help only."""
        if self._lists and cmd_name in _FILES:
            return _described(cmd_name)
        if cmd_name not in _FILES and not ctx.resilient_parsing:
            if cmd_name.startswith("-"):
                return None  # an option, for which there is another message
            raise _Usage(
                f"there is no command {cmd_name!r}; possible: {', '.join(_FILES)}", ctx
            )
        return super().get_command(ctx, cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        with self._listing():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands that begin with an incomplete word."""
        with self._listing():
            return super().shell_complete(ctx, incomplete)

    @contextlib.contextmanager
    def _listing(self) -> Iterator[None]:
        self._lists = True
        try:
            yield
        finally:
            self._lists = False

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

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, without loading anything."""
        return list(self.commands)

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
        command = self.commands.get(ctx.invoked_subcommand or "")
        for given in command.params if command is not None and space else ():
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
