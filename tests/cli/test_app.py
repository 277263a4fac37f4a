import inspect
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from rosenblatt.cli import app as app_module
from rosenblatt.cli import simulate as module
from rosenblatt.cli.app import app

COMMAND = [sys.executable, "-m", "rosenblatt", "simulate", "--rule", "hebb"]
# Plain Python would take long between two looks at interrupts.
COMPILED = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
# What the simulation needs to stop and Python to end, on a busy machine too.
SOON = 20  # seconds on a busy machine; the run itself would take hours


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_help_names_the_commands():
    done = run("--help")
    assert done.exit_code == 0
    for command in (
        "simulate",
        "train",
        "predict",
        "inspect",
        "sweep",
        "reproduce",
        "claims",
        "lab",
    ):
        assert command in done.output
        explained = run(command, "--help")
        assert explained.exit_code == 0
        assert "Examples:" in explained.output
        assert "<bool>" not in explained.output  # flags take no value
    assert "<bool>" not in done.output


@pytest.mark.parametrize(
    ("words", "unwanted", "said"),
    [
        (
            ["--help"],
            {"numpy", "numba", "bokeh", "rosenblatt.cli.lab"},
            "Rerun claims and errata of papers",
        ),
        (["simulate", "--help"], {"matplotlib", "xarray"}, "The learning rule."),
    ],
)
def test_help_does_not_load_what_it_does_not_need(words, unwanted, said):
    code = (
        f"import sys; sys.argv = ['rosenblatt', *{words}];"
        "from rosenblatt.cli.app import app; app(standalone_mode=False);"
        f"loaded = {unwanted} & {{*sys.modules}};"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_the_version_is_that_of_the_package():
    assert run("--version").output.strip() == version("rosenblatt")


def test_an_unknown_command_is_one_line():
    done = run("simulat")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "no command 'simulat'; possible: simulate, " in done.stderr


@pytest.mark.parametrize("words", [["--jso"], ["--rule", "hebb"], ["--version=3"]])
def test_a_wrong_option_before_the_command_is_one_line(words):
    done = run(*words)
    assert done.exit_code == 2
    assert done.stderr.startswith("rosenblatt: ")
    assert done.stderr.count("\n") == 1


def test_nothing_at_all_shows_the_help():
    assert "Usage: " in run().output


def test_failures_of_the_machine_have_another_code_than_wrong_arguments(monkeypatch):
    for failure in (OSError("disk full"), MemoryError("too large")):

        def fail(*_, failure=failure):
            raise failure

        monkeypatch.setattr(module, "grid", fail)
        done = run("simulate", "--rule", "hebb")
        assert (done.exit_code, done.stderr) == (1, f"rosenblatt: {failure}\n")


@pytest.fixture(scope="module")
def short():
    """Return a short run; machine code for the next one is on disk after it."""
    return subprocess.run(
        [*COMMAND, "--dim", "10", "--alpha", "1"],
        capture_output=True,
        text=True,
        timeout=100,
        env=COMPILED,
    )


def test_the_module_is_a_command(short):
    assert short.returncode == 0, short.stderr
    assert "engine reduced" in short.stdout
    assert short.stderr == ""


def test_an_interrupt_ends_a_long_run_soon_and_leaves_no_file(short, tmp_path):
    own = tmp_path / "rates.py"
    own.write_text(
        "from pathlib import Path\n\n\ndef rate(clock):\n    return 1.0\n\n\n"
        "(Path(__file__).parent / 'begun').touch()\n"
    )
    process = subprocess.Popen(
        [
            *[*COMMAND, "--schedule", f"{own}:rate", "--alpha", "1e9,"],
            *["--save", tmp_path / "run.nc", "--plot", tmp_path / "run.png"],
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**COMPILED, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(1.5)  # compiling the rule and starting
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SOON)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert err == "rosenblatt: interrupted\n"
    assert {path.name for path in tmp_path.iterdir()} == {"rates.py", "begun"}


def test_a_warning_is_one_line_without_a_place_in_the_code():
    command = [
        *COMMAND,
        "--shifted",
        "average",
        "--dim",
        "9",
        "--alpha",
        "1,",
        "--quiet",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=COMPILED)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("rosenblatt: labels of Sign")


MODULES = {"claims": "reproduce"}


@pytest.mark.parametrize("name", ["simulate", "train", "inspect", "claims", "lab"])
def test_summaries_are_those_of_the_commands(name):
    summary = app_module.COMMANDS[name]
    found = getattr(import_module(f"rosenblatt.cli.{MODULES.get(name, name)}"), name)
    assert " ".join(inspect.getdoc(found).partition("\n\n")[0].split()) == summary
