import os
import sys
from itertools import chain

import numpy as np
import pytest
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli import simulate as module
from rosenblatt.cli.app import app
from rosenblatt.specification.parts import Shift, combined

SMALL = {"--dim": "10", "--alpha": "1,2", "--replicas": "3"}


def run(*arguments):
    """Run the command, with small numbers where none are given."""
    small = [pair for pair in SMALL.items() if pair[0] not in arguments]
    return CliRunner().invoke(app, ["simulate", *chain(*small), *arguments])


def test_options_become_the_simulation_they_describe(tmp_path):
    done = run(
        *["--rule", "perceptron:margin=1", "--normalised", "--decay", "0.5"],
        *["--schedule", "power:scale=5.013,exponent=1", "--seed", "7"],
        *["--teacher", "sign:noise=0.1", "--shifted", "known"],
        *["--stream", "gaussian:mean=4,overlap=-1.95"],
        *["--start", "overlap:teacher=0.9", "--dim", "1e1", "--replicas", "2e0"],
        *["--save", str(tmp_path / "run.nc"), "--quiet"],
    )
    assert (done.exit_code, done.output) == (0, "")
    rule = rb.rules.Shifted.known(rb.rules.Perceptron(1.0), overlap=-1.95)
    wanted = rb.simulate(
        rb.rules.Normalised(rb.rules.Decay(rule, 0.5)),
        rb.schedules.Power(scale=5.013, exponent=1.0),
        rb.teachers.Sign(noise=0.1),
        rb.streams.Gaussian(mean=4.0, overlap=-1.95),
        dim=10,
        alpha=[1, 2],
        replicas=2,
        seed=7,
        start=rb.starts.Overlap(0.9),
    )
    found = rb.load(tmp_path / "run.nc")
    assert found.attrs["spec"] == wanted.attrs["spec"]
    for name in wanted:
        assert np.array_equal(found[name], wanted[name])


def test_a_run_prints_its_table_engine_and_speed():
    done = run("--rule", "hebb", "--theory", "--engine", "full", "--workers", "1")
    assert done.exit_code == 0
    header, summary = done.stdout.splitlines()[1], done.stdout.splitlines()[-1]
    for name in ("alpha", "error", "5-95%", "overlap", "theory"):
        assert name in header
    assert "0.2856" in done.stdout  # Hebb's curve at alpha = 1, in closed form
    assert summary.startswith("engine full, ")
    assert summary.endswith(" examples per second")


def test_figure_and_file_are_written(tmp_path):
    plot, save = tmp_path / "curve.svg", tmp_path / "run.nc"
    done = run("--rule", "hebb", "--theory", "--plot", str(plot), "--save", str(save))
    assert done.exit_code == 0
    assert "<svg" in plot.read_text()
    assert sorted(tmp_path.iterdir()) == [plot, save]


def test_a_users_parts_run_and_rerun(own, tmp_path):
    done = run(
        *["--rule", own("Timid:strength=0.5"), "--teacher", own("Guess")],
        *["--save", str(tmp_path / "run.nc")],
    )
    assert done.exit_code == 0, done.stderr
    found = rb.load(tmp_path / "run.nc")
    with pytest.raises(ValueError, match=r"parts=\{'Timid'"):
        rb.rerun(found)
    parts = {
        name: getattr(sys.modules["own_parts"], name) for name in ("Timid", "Guess")
    }
    assert rb.rerun(found, parts=parts).equals(found)


def test_a_users_function_is_a_schedule(own):
    assert run("--rule", "hebb", "--schedule", own("late")).exit_code == 0


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled"
)
def test_a_rule_that_does_not_compile_shows_its_line(own):
    done = run("--rule", own("Broken"))
    assert done.exit_code == 2
    assert "return Update(gain=p.nothing, decay=0.0)" in done.stderr


def test_a_rule_that_fails_on_its_way_is_said_in_one_line(own):
    done = run("--rule", own("Wild"))
    assert done.exit_code == 2
    assert "returned gain inf" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "help"], "there is no rule 'help'; possible: ada-tron, "),
        (["--rule", "hebb:x=1"], "rule hebb has no parameter 'x=1'; possible: none"),
        (
            ["--rule", "hebb", "--teacher", "sign:noise=0.7"],
            "noise must be a number from 0 to 0.5",
        ),
        (["--rule", "hebb", "--seed", "x"], "Invalid value for '--seed'"),
        (["--rule", "hebb", "--shifted", "known"], "overlap must not be 0"),
        (
            ["--rule", "hebb", "--shifted", "so"],
            "not one of 'average', 'field', 'known'",
        ),
        (["--rule", "hebb", "--engine", "x"], "engine must be one of events, reduced"),
        (["--rule", "hebb", "--engine", "events"], "engine 'events' cannot run this"),
        (["--rule", "hebb", "--dim", "2.5"], "dim must be a whole number, got '2.5'"),
        (["--rule", "hebb", "--dim", "0"], "dim must be a whole number not below 1"),
        (["--rule", "hebb", "--alpha", "2,1"], "alpha must increase"),
        (["--rule", "hebb", "--alpha", ","], "alpha must be one or more numbers"),
        (["--rule", "hebb", "--save", "x.txt"], "--save must be a file ending in .nc"),
        (["--rule", "hebb", "--plot", "no/x.png"], "--plot must be a file in an exis"),
        (["--ruel", "hebb"], "No such option: --ruel"),
        ([], "Missing option '--rule'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_rules_with_beliefs_have_their_engine(tmp_path):
    done = run(
        *["--rule", "binary-bayes:noise=0.1,floor=0", "--teacher", "sign:noise=0.1"],
        *["--stream", "uniform-bits:dim=10", "--save", str(tmp_path / "run.nc")],
    )
    assert done.exit_code == 0
    assert "engine coordinate" in done.stdout
    wanted = rb.simulate(
        rb.rules.BinaryBayes(0.1, floor=0.0),
        rb.schedules.Constant(),
        rb.teachers.Sign(0.1),
        rb.streams.UniformBits(10),
        dim=10,
        alpha=[1, 2],
        replicas=3,
    )
    found = rb.load(tmp_path / "run.nc")
    assert np.array_equal(found.estimate, wanted.estimate)
    assert rb.rerun(found).identical(wanted)
    for option in (["--normalised"], ["--theory"], ["--decay", "0.1"]):
        wrong = run("--rule", "binary-bayes", *option)
        assert wrong.exit_code != 0
        assert "cannot go with" in wrong.stderr


def test_one_alpha_is_the_end_of_a_logarithmic_grid():
    alphas = np.array(module.grid("1e4", 1000))
    assert (alphas[0], alphas[1], alphas[-1]) == (0, 0.1, 1e4)
    assert alphas.size == 52  # 0, and 5 decades of 10 with both ends
    steps = np.log10(alphas[2:] / alphas[1:-1])
    assert np.all(np.abs(steps - 0.1) < 0.005)  # rounded to examples: 1 in 100
    assert module.grid("1,10,2.5", 3) == [1.0, 10.0, 2.5]
    assert module.grid("100,", 3) == [100.0]
    assert module.grid("0", 3) == [0.0]


@pytest.mark.parametrize("dim", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("last", ["0.5", "3", "1e9"])
def test_a_grid_has_whole_numbers_of_examples_each_once(dim, last):
    alphas = np.array(module.grid(last, dim))
    assert np.all(np.diff(alphas) > 0)
    examples = alphas * dim
    assert np.allclose(examples, np.rint(examples), rtol=1e-12)


@pytest.mark.parametrize(
    ("shifted", "uniform"), [(Shift.average, True), (Shift.field, False)]
)
def test_a_learned_shift_is_averaged_or_grows_with_the_field(shifted, uniform):
    rule = combined(
        rb.rules.Hebb(),
        rb.streams.Gaussian(),
        shifted=shifted,
        decay=None,
        normalised=False,
    )
    assert rule.rule == rb.rules.Hebb()
    assert rule.shift == rb.rules.AverageShift(uniform=uniform)


def curve(alpha):
    return rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=alpha)


def test_a_table_has_all_rows_or_every_tenth_from_the_end():
    def cells(shown, column):
        return list(shown.columns[column].cells)

    shown = module.table(curve([1, 100]), curve([1, 100]))
    # the closed form, arccos(1 / sqrt(1 + pi / (2 alpha))) / pi
    assert cells(shown, 0) == ["1", "100"]
    assert cells(shown, 1) == cells(shown, 4) == ["0.2856", "0.03969"]
    assert cells(shown, 2) == ["0.286 - 0.286", "0.0397 - 0.0397"]
    long = module.table(curve(list(range(41))), None)
    assert cells(long, 0) == ["0", "10", "20", "30", "40"]


def test_a_figure_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    class Failing:
        def savefig(self, path, *, format):
            path.write_text("half")
            raise KeyboardInterrupt

    monkeypatch.setattr(rb.plotting, "learning_curve", lambda *_, **__: Failing())
    (tmp_path / "curve.png").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        module.draw(curve([1]), None, tmp_path / "curve.png")
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]
