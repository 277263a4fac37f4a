import json
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

from rosenblatt.cli import reproduce as commands
from rosenblatt.papers.claims import Claim, Kind, Measurement, Paper, Verdict
from rosenblatt.report import running

app = typer.Typer()
app.command()(commands.reproduce)
app.command()(commands.claims)


def words(result):
    return " ".join(result.stdout.replace("\u2502", " ").split())


def paper(value):
    claim = Claim(
        id="minsky1969/x",
        where="here",
        statement="x is 1",
        quote="x = 1",
        published=1.0,
        expected=1.0,
        measure=lambda quick: Measurement(value, 0.001),
    )
    return Paper(key="minsky1969", citation="", statements=(claim,))


@pytest.fixture(params=[1.001, 1.2], ids=["right", "wrong"])
def value(request, monkeypatch):
    monkeypatch.setattr(running, "available", lambda: (paper(request.param),))
    return request.param


def test_claims_prints_verdicts_and_fails_if_one_is_not_reproduced(value):
    result = CliRunner().invoke(app, ["claims"])
    assert f"{value:.4f}(10)" in result.stdout
    if value == 1.001:
        assert result.exit_code == 0
        assert "statements checked: 1; 1 hold, 0 with a remark; errors: 0" in words(
            result
        )
    else:
        assert result.exit_code == 1
        assert "minsky1969/x: not as expected (+0.2" in result.stdout


def test_extensions_are_listed_and_summed_apart(monkeypatch):
    (claim,) = paper(1.001).claims
    ours = replace(claim, id="minsky1969/y", quote="", kind=Kind.EXTENSION)
    both = Paper(key="minsky1969", citation="", statements=(claim, ours))
    monkeypatch.setattr(running, "available", lambda: (both,))
    result = CliRunner().invoke(app, ["claims"])
    summary = "1 hold, 0 with a remark; errors: 0, not reproduced: 0, extensions: 1"
    assert summary in words(result)
    listed = CliRunner().invoke(app, ["claims", "--list"]).stdout.splitlines()
    assert listed == ["minsky1969/x\there", "minsky1969/y\there\textension"]


def test_the_help_defines_the_verdicts():
    told = words(CliRunner().invoke(app, ["claims", "--help"]))
    for name in (*Verdict, *Kind):
        assert name.value in told, name


def test_what_is_known_not_to_be_reproduced_fails_nothing(monkeypatch):
    (claim,) = paper(1.2).claims
    known = replace(claim, fails="one run decides nothing")
    given = Paper(key="minsky1969", citation="", statements=(known,))
    monkeypatch.setattr(running, "available", lambda: (given,))
    result = CliRunner().invoke(app, ["claims"])
    assert result.exit_code == 0
    assert "minsky1969/x: one run decides nothing" in result.stdout


def test_reproduce_writes_a_report_and_fails_if_something_did(value, tmp_path):
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["reproduce", "minsky1969/x", "--out", str(out)])
    assert result.exit_code == (0 if value == 1.001 else 1)
    (row,) = json.loads((out / "claims.json").read_text())
    assert row["measured"] == value
    assert str(out / "index.html") in result.stdout.replace("\n", "")


def test_reproduce_refuses_a_file_for_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["reproduce", "--out", str(tmp_path / "file")])
    assert isinstance(result.exception, ValueError)
    assert "--out must be a folder" in str(result.exception)


def test_an_unknown_target_lists_what_there_is():
    result = CliRunner().invoke(app, ["claims", "nobody2000"])
    assert isinstance(result.exception, ValueError)
    assert "barkai1995, bhattacharya1995, " in str(result.exception)


def test_claims_can_be_listed_without_running_any():
    result = CliRunner().invoke(app, ["claims", "barkai1995/eq5", "--list"])
    assert result.exit_code == 0
    assert "barkai1995/eq5/limit\teq. (5)" in result.stdout.splitlines()
    assert "checked" not in result.stdout
    result = CliRunner().invoke(app, ["claims", "barkai1995/eq5", "--list", "--json"])
    rows = {row["id"]: row for row in json.loads(result.stdout)}
    limit = rows["barkai1995/eq5/limit"]
    assert (limit["paper"], limit["where"]) == ("barkai1995", "eq. (5)")


@pytest.mark.parametrize("fresh", [[], ["--fresh"]])
def test_an_interrupted_report_says_what_is_kept(monkeypatch, tmp_path, fresh):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands.report, "reproduce", stopped)
    with pytest.raises(KeyboardInterrupt, match="results are stored in") as raised:
        commands.reproduce([], tmp_path, fresh=bool(fresh))
    assert ("without --fresh" in str(raised.value)) == bool(fresh)


def test_a_figure_without_claims_is_counted(tmp_path):
    arguments = ["reproduce", "winther1997/calibration", "--quick", "--out"]
    result = CliRunner().invoke(app, [*arguments, str(tmp_path)])
    assert "not reproduced: 0, figures and tables: 1; " in words(result)
    result = CliRunner().invoke(app, [*arguments, str(tmp_path), "--json"])
    assert json.loads(result.stdout)["exhibits"] == 1


def test_quick_claims_of_one_equation():
    result = CliRunner().invoke(app, ["claims", "barkai1995/eq5/limit", "--quick"])
    assert result.exit_code == 0
    assert "eq5/limit" in result.stdout
