import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app


def lines(*arguments):
    done = CliRunner().invoke(app, ["schedules", *arguments], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    _, table = done.output.rsplit("\u2500", 1)  # the line below the heading
    return [line.split() for line in table.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("constant:rate=3", ["3", "3", "3", "3", "no", "yes", "no"]),
        ("power:exponent=0.4", ["1", "0.158", "0.0251", "0.00398", "yes", "yes", "no"]),
        ("per-mistake", ["1", "0.01", "0.0001", "1e-06", "yes", "yes", "yes"]),
        ("power:exponent=2", ["1", "0.0001", "1e-08", "1e-12", "yes", "no", "yes"]),
    ],
)
def test_rates_and_conditions_are_shown(part, expected):
    assert lines(part) == [[part, *expected]]


def test_there_are_examples_by_default_and_own_functions_work(tmp_path):
    assert len(lines()) == 5
    file = tmp_path / "own.py"
    file.write_text("def rate(clock):\n    return 2.0 / clock.time\n")
    found, *rest = lines(f"{file}:rate")  # its name is long and goes on below
    assert all(len(words) == 1 for words in rest)
    assert found[-7:] == ["2", "0.02", "0.0002", "2e-06", "yes", "yes", "yes"]


def test_a_part_that_does_not_exist_is_one_line():
    done = CliRunner().invoke(app, ["schedules", "linear"])
    assert done.exit_code == 2
    assert "there is no schedule 'linear'" in done.stderr
