"""Every command, discovered: help that teaches, and output for people and programs."""

import contextlib
import json
import os
import pty
import re
import shlex
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import COMMANDS as NAMES
from rosenblatt.cli.app import app, loaded

COMMANDS = {name: loaded(name) for name in NAMES}
# Commands that run until somebody stops them have no result to print.
SERVERS = {"lab"}
EXAMPLE = re.compile(r"`(rosenblatt\s[^`]+)`")


def examples(text):
    return [" ".join(found.split()) for found in EXAMPLE.findall(text)]


ALL = [
    pytest.param(name, example, id=example[:60])
    for name, command in COMMANDS.items()
    for example in examples(command.help)
]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_examples_of_the_command(name):
    text = COMMANDS[name].help
    assert "Examples:" in text
    shown = examples(text.partition("Examples:")[2])
    assert shown
    for example in shown:
        assert example.split()[1] == name
    printed = CliRunner().invoke(app, [name, "--help"]).output
    assert "Examples:" in printed


@pytest.mark.parametrize(("name", "example"), ALL)
def test_examples_parse(name, example):
    _, command, *arguments = shlex.split(example)
    assert command == name
    COMMANDS[name].make_context(name, arguments)  # raises what a user would see


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is_for(name):
    for parameter in COMMANDS[name].params:
        assert getattr(parameter, "help", None), parameter.name


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - SERVERS))
def test_results_can_be_had_as_json(name):
    flags = {flag for parameter in COMMANDS[name].params for flag in parameter.opts}
    assert "--json" in flags


CHEAP = (
    ["claims", "barkai1995/eq5/limit", "--quick"],
    ["simulate", "--rule", "hebb", "--dim", "10", "--alpha", "1,2", "--replicas", "5"],
)


@pytest.mark.parametrize("arguments", CHEAP, ids=lambda a: a[0])
def test_json_is_one_value_and_nothing_else(arguments):
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)
    assert "NaN" not in done.stdout


def test_json_of_a_report(tmp_path):
    arguments = ["reproduce", "barkai1995/eq5/limit", "--quick", "--json", "--out"]
    found = json.loads(CliRunner().invoke(app, [*arguments, str(tmp_path)]).stdout)
    assert (found["checked"], found["hold"], found["complete"]) == (1, 1, True)


def on_terminal(arguments, **environment):
    """Return what a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *arguments],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
    ) as process:
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 4096):
                said += piece
    os.close(ours)
    assert process.returncode == 0
    return said.decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*\b(3[0-7]|38|9[0-7])[0-9;]*m")


def test_colours_are_for_terminals_and_not_where_they_are_not_wanted():
    assert COLOUR.search(on_terminal(["--help"]))
    assert not COLOUR.search(on_terminal(["--help"], NO_COLOR="1"))


COMPLETED = [
    ("simu", ["simulate"]),
    ("claims barkai1995/eq5/l", ["barkai1995/eq5/limit"]),
    ("reproduce win", ["winther1997"]),
    ("simulate --rule passive", ["passive-aggressive"]),
    ("simulate --rule hebb --schedule p", ["per-mistake", "power"]),
]


def typed_so_far(typed):
    """Return what a shell says to a command that it asks for completions."""
    return {
        "_ROSENBLATT_COMPLETE": "complete_bash",
        "COMP_WORDS": f"rosenblatt {typed}",
        "COMP_CWORD": str(len(typed.split())),
    }


@pytest.mark.parametrize(("typed", "offered"), COMPLETED, ids=lambda x: str(x)[:30])
def test_the_command_line_completes(typed, offered):
    environment = typed_so_far(typed)
    done = CliRunner().invoke(app, [], env=environment, prog_name="rosenblatt")
    assert done.stdout.split() == offered


@pytest.mark.parametrize("command", ["predict", "inspect", "lab"])
def test_a_command_loads_nothing_for_the_others(command):
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from rosenblatt.cli.app import app\n"
        f"assert CliRunner().invoke(app, [{command!r}, '--help']).exit_code == 0\n"
        "print(*{'bokeh', 'rosenblatt.papers', 'rosenblatt.report'}"
        " & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")
