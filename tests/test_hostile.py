"""Faults that hostile input once found: one test for each, by public calls.

Each gives one clear line, without a crash, a hang or gigabytes. Wrong indices (1) and
masked entries (16) of sparse rows are in ``tests/estimators/test_inputs.py``, the
laboratory's (8, 9) in ``tests/lab/test_server.py``.
"""

import contextlib
import itertools
import json
import os
import pty
import re
import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy import sparse
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app
from tests.conformance.estimators import CLASSIFIERS, ESTIMATORS
from tests.models.forging import forged

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux"),
    # labels of these rows are random, of which BinaryPerceptron warns
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

X = np.where(np.random.default_rng(0).random((12, 4)) < 0.5, 0.0, 1.0)
Y = np.arange(12) % 2
REFUSED = (ValueError, TypeError)


def run(script, *arguments, **more):
    """Run Python code in a process of its own, where threads of BLAS take no memory."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    given = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, env=given, timeout=120, **more
    )


LIMITED = """
import json, resource, sys
from typer.testing import CliRunner
from rosenblatt.cli.app import app

resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
for command in json.loads(sys.argv[1]):
    done = CliRunner().invoke(app, command)
    print(json.dumps([done.exit_code, done.output]), flush=True)
"""


def limited(*commands):
    """Run commands in a process that may have 3 GiB of addresses.

    Returns the exit code and the output of each.
    """
    given = json.dumps([list(map(str, command)) for command in commands])
    done = run(LIMITED, given)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return list(map(json.loads, done.stdout.splitlines()))


def said(*arguments):
    """Return the exit code of a command, and all that it printed."""
    done = CliRunner().invoke(app, list(map(str, arguments)))
    return done.exit_code, done.output


def table(path, rows, header="x,won"):
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


@pytest.mark.parametrize("shape", [(3,), (3, 0, 2)])
def test_1_blocks_that_are_none(shape):
    rows = sparse.bsr_matrix(X, blocksize=(2, 2))
    rows.data = np.zeros(shape)
    for call in (lambda X: rb.BayesPerceptron().fit(X, Y), rb.bits.pack):
        with pytest.raises(ValueError, match="X must have blocks of entries, got"):
            call(rows)


FULL_DISK = """
import gc, os, resource, sys
import rosenblatt as rb

path = sys.argv[1]
run = rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=1)
rb.save(run, path)
before = open(path, "rb").read()
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    rb.save(run, path)
except OSError as failure:
    print(failure)
del run
gc.collect()
print(before == open(path, "rb").read(), os.listdir(os.path.dirname(path)))
"""


def test_2_a_full_disk_while_a_result_is_saved(tmp_path):
    done = run(FULL_DISK, tmp_path / "run.nc")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert "run.nc cannot be written (File too large)" in first
    assert second == "True ['run.nc']"


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_3_weights_that_nobody_can_present(kind):
    for weights in (np.full(12, 2.0**53), np.full(12, 2.0**52), 12 * [1e300]):
        model = kind()
        with pytest.raises(ValueError, match="sample_weight must "):
            model.fit(X, Y, sample_weight=weights)
        assert not hasattr(model, "n_features_in_")


@pytest.mark.parametrize("kind", [rb.BinaryPerceptron, rb.ClippedHebb])
def test_3_weights_that_cannot_be_counted_together(kind):
    model = kind().fit(X, Y)
    with pytest.raises(ValueError, match=r"sum of at most .* in all calls, got 900"):
        model.partial_fit(X[:1], Y[:1], sample_weight=[2.0**53])
    assert model.t_ == 12


def test_3_weights_that_nobody_can_present_in_a_file(tmp_path):
    path = table(tmp_path / "x.csv", ["1,yes,9e15", "2,no,9e15"] * 50, "x,won,w")
    command = "train", path, "--target", "won", "--column", "w=weight"
    [(code, output)] = limited(command)
    assert code == 2
    assert re.search(r"weight.* must .*got", output)


def test_4_labels_of_a_megabyte(tmp_path):
    places, paths = (0, 250), []
    for place in places:
        rows = [f"{i},{'yes' if i % 2 else 'no'}" for i in range(300)]
        rows[place] = "1," + "a" * 10**6
        paths.append(table(tmp_path / f"{place}.csv", rows))
        learned = rb.train([paths[-1]], "won", on_error="skip")
        assert rb.training.report(learned)["rows"] == 299
    found = limited(*(["train", p, "--target", "won", "--quiet"] for p in paths))
    for place, (code, output) in zip(places, found, strict=True):
        assert code == 2
        wanted = f"row {place + 2}, column 'won': label of more than 1000"
        assert wanted in output
        assert len(output) < 1000


def test_5_a_million_columns(tmp_path):
    path = table(tmp_path / "x.csv", ["0," * 999_999 + "1"], ",".join("a" * 10**6))
    [(code, output)] = limited(["train", path, "--target", "7", "--no-header"])
    assert code == 2
    assert "at most 65536 columns, got 1000000" in output


def test_6_arrays_are_no_files_of_rows(tmp_path):
    np.save(tmp_path / "x.npy", np.eye(3))
    code, output = said("train", tmp_path / "x.npy", "--target", "-1")
    assert code == 2
    assert re.search(r"must end in one of .*, got '.*x\.npy'", output)


CUTTING = '''
import os, pathlib
from dataclasses import dataclass
from rosenblatt.core import Rule, Update

@dataclass(frozen=True)
class Cutting(Rule):
    """A rule that cuts the file that is being read, when it is compiled."""

    turn: int = 0  # another rule is compiled again

    @property
    def kinks(self):
        return (0.0,)

    def bind(self):
        for link in pathlib.Path("/proc/self/fd").iterdir():
            path = link.resolve() if link.exists() else link
            if path.name in ("x.parquet", "x.arrow"):
                os.truncate(path, 2000)
        def step(p):
            gain = p.rate * p.label if p.label * p.field <= 0 else 0.0
            return Update(gain=gain, decay=0.0)
        return step
'''


def test_7_files_that_are_cut_while_they_are_read(tmp_path):
    rule = tmp_path / "cutting.py"
    rule.write_text(CUTTING)
    numbers = np.random.default_rng(0).random((1_000_000, 2)).round()
    columns = pa.table({"0": numbers[:, 0], "1": numbers[:, 1]})
    pyarrow.parquet.write_table(columns, tmp_path / "x.parquet", row_group_size=1000)
    with pa.ipc.new_file(tmp_path / "x.arrow", columns.schema) as out:
        out.write_table(columns, 1000)
    paths = sorted(tmp_path.glob("x.*"))
    found = limited(
        *(["train", path, "--target", "1", "--model", "perceptron",
           "--rule", f"{rule}:Cutting:turn={turn}", "--quiet"]
          for turn, path in enumerate(paths))
    )  # fmt: skip
    for path, (code, output) in zip(paths, found, strict=True):
        assert code == 2, output
        assert path.stat().st_size == 2000
        assert str(path) in output


def test_10_escape_sequences_in_names_and_labels(tmp_path):
    model, labels = tmp_path / "m.safetensors", ("n\x1b]0;t\x07", "y\x1b[2J")
    rows = [f"{i % 7},{labels[i % 7 > 3]}" for i in range(200)]
    path = table(tmp_path / "x.csv", rows, "x\x1b[31m,won")
    for command in (
        ("train", path, "--target", "won", "--save", model),
        ("inspect", model),
        ("predict", model, path, "--out", tmp_path / "out.csv"),
        ("train", path, "--target", "gone\x1b[2J"),
    ):
        _, output = said(*command)
        assert "\\x1b" in output
        assert "\x1b" not in output
        assert "\x07" not in output
    ours, theirs = pty.openpty()
    table(path, rows[:20], "x\x1b[31m,won")
    command = [sys.executable, "-m", "rosenblatt", "predict", model, path]
    subprocess.run(command, stdout=theirs, stderr=theirs, check=True)
    shown = os.read(ours, 2**16)
    assert b"n\\x1b" in shown
    assert b"\x1b" not in shown
    os.close(ours)
    os.close(theirs)


@pytest.fixture
def model(tmp_path):
    """Return the path of a model of a table with one number."""
    rows = [f"{i % 7},{'yes' if i % 7 > 3 else 'no'}" for i in range(200)]
    path = tmp_path / "m.safetensors"
    rb.train([table(tmp_path / "x.csv", rows)], "won", save=path)
    return path


def changed(path, old, new):
    """Write a model file in which the plain values differ; the checksum is right."""

    def change(tree, tensors):
        text, count = re.subn(old, new, repr(tree))
        assert count
        tree.update(eval(text))

    path.write_bytes(forged(path, change))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"'means', \[[^]]*\]", "'means', []"),
        (r"('curve', .*?\[)[\d.]+, ", r"\1"),  # a point with three numbers
    ],
)
def test_11_records_of_other_lengths(old, new, model):
    changed(model, old, new)
    with pytest.raises(rb.models.ModelFileError, match=r"is (not a model|damaged): "):
        rb.training.report(rb.load_model(model))


def test_12_a_version_of_5000_digits(model):
    content = model.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = content[8 : 8 + size].decode()
    header, count = re.subn(r'(\\"format\\":)\d+', r"\g<1>" + "9" * 5000, header)
    assert count == 1
    header = header.encode() + b" " * (-len(header) % 8)
    model.write_bytes(len(header).to_bytes(8, "little") + header + content[8 + size :])
    with pytest.raises(rb.models.ModelFileError, match="is not a model: ") as failure:
        rb.load_model(model)
    assert len(str(failure.value)) < 1000


def test_13_large_labels_of_svmlight(tmp_path):
    path, labels = tmp_path / "x.svm", (2**53 + 1, 2**53 + 2, 2**53)
    path.write_text("".join(f"{labels[i % 3]} {i % 3}:1\n" for i in range(300)))
    with pytest.raises(ValueError, match=r"line 1: .* label must be below 90071"):
        rb.train([path], "y")


def test_13_labels_beyond_all_integers(tmp_path):
    """Some are as large as a double can be; others become text because of them."""
    path, labels = tmp_path / "x.parquet", (-3e300, -2e300, 1.0)
    given = {"x": np.arange(300) % 3, "y": np.resize(labels, 300)}
    pyarrow.parquet.write_table(pa.table(given), path)
    model = rb.train([path], "y", save=tmp_path / "m.safetensors")
    assert rb.training.report(model)["rows"] == 300
    assert {float(label) for label in model.classes_} == set(labels)
    rows = table(tmp_path / "x.csv", [f"{i % 3},{9 + i % 3}" for i in range(300)])
    with rows.open("a") as file:
        file.write(f"0,{2**63}\n" * 9)
    model = rb.train([rows], "won", classes=["9", "10", "11", str(2**63)])
    assert rb.training.report(model)["rows"] == 309
    with pytest.raises(ValueError, match=f"row 302.*unseen label: '{2**63}"):
        rb.train([rows], "won", batch_rows=100)


def test_14_stores_that_are_links_or_pipes(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(OSError, match="must be the file of a sweep"):
            rb.open_sweep(tmp_path / name)


RULE = """
from dataclasses import dataclass
from rosenblatt.core import Rule, Teacher, Update

@dataclass(frozen=True)
class Law(Teacher):
    rate: float

    def bind(self):
        rate = self.rate

        def positive(b):
            chance = 0.5
            while rate > 1.0 and chance < 1.0:
                chance = 1.0 - chance
            return chance
        return positive

@dataclass(frozen=True)
class Endless(Rule):
    @property
    def kinks(self):
        return ()

    def bind(self):
        def step(p):
            gain = p.rate * p.label
            while p.rate > 1.0 and gain < 1e300:  # where it is reset
                gain = gain * 1.000001 + 1.0
                if gain > 1e200:
                    gain = 1.0
            return Update(gain=gain, decay=0.0)
        return step
"""
ENDLESS = """
import os, signal, sys, threading
import numpy as np
import rosenblatt as rb
from endless import Endless, Law

signal.signal(signal.SIGINT, signal.default_int_handler)
X, y = np.eye(4), np.arange(4) % 2
rule, C = Endless(), rb.schedules.Constant
given = {"dim": 9, "alpha": 1, "replicas": 4, "workers": 2, "progress": False}
CALLS = {
    "full": lambda rate: rb.simulate(rule, C(rate), engine="full", **given),
    "reduced": lambda rate: rb.simulate(rule, C(rate), engine="reduced", **given),
    "solve": lambda rate: rb.solve(rule, C(rate), alpha=1),
    "teacher": lambda rate: rb.simulate(rule, C(1.0), Law(rate), **given),
    "train": lambda rate: rb.train("x.csv", "won", model="perceptron",
        rule="endless.py:Endless", schedule=f"constant:rate={rate}"),
    "fit": lambda rate: rb.OnlinePerceptron(rule, C(rate)).fit(X, y),
    "weights": lambda rate: rb.BayesPerceptron("diagonal").fit(
        X, y, sample_weight=1 if rate == 1 else 2.0**38),
    "bits": lambda rate: rb.BinaryBayesPerceptron().fit(
        X, y, sample_weight=1 if rate == 1 else 2.0**38),
}
for name in sys.argv[1:]:
    call = CALLS[name]
    call(1.0)  # all is compiled
    before = threading.active_count()
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        call(2.0)
    except KeyboardInterrupt:
        timer.join()
        print(name, threading.active_count() > before, flush=True)
os._exit(0)  # the threads would go on
"""


@pytest.mark.parametrize(
    "names",
    [
        ["full", "fit"],
        pytest.param(
            ["reduced", "solve", "teacher", "train", "weights", "bits"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_15_a_rule_or_a_repetition_without_end_can_be_interrupted(names, tmp_path):
    (tmp_path / "endless.py").write_text(RULE)
    table(tmp_path / "x.csv", ["1,yes", "2,no"] * 50)
    done = run(ENDLESS, *names, cwd=tmp_path)
    assert done.stdout.splitlines() == [f"{name} True" for name in names], done.stderr


def test_16_pipes_are_not_called_missing(tmp_path):
    os.mkfifo(tmp_path / "x.csv")
    code, output = said("train", tmp_path / "x.csv", "--target", "y")
    assert code == 2
    assert "must be a file, got a pipe" in output


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_16_columns_of_infinities_and_dictionaries(kind):
    infinite = X.copy()
    infinite[:, 1] = np.where(np.arange(12) % 3, np.inf, -np.inf)
    fitted = kind().fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for rows, message in ((infinite, "inf"), ({}, "X must be rows of numbers")):
            with pytest.raises(REFUSED, match=message):
                kind().partial_fit(rows, Y, classes=[0, 1])
            with pytest.raises(REFUSED, match=message):
                fitted.predict(rows)


def test_16_a_formula_in_a_name_is_drawn_as_it_is(tmp_path):
    path = table(tmp_path / "x.csv", ["1,yes", "2,no"] * 50, "$x^$,won")
    said("train", path, "--target", "won", "--save", tmp_path / "m.safetensors")
    chart = tmp_path / "x.png"
    code, output = said("inspect", tmp_path / "m.safetensors", "--plot", chart)
    assert code == 0, output
    assert chart.read_bytes().startswith(b"\x89PNG")


def test_16_priors_whose_square_is_zero(model):
    changed(model, r"'prior': [\d.e+-]+", "'prior': 1e-320")
    with pytest.raises(rb.models.ModelFileError, match="prior"):
        rb.load_model(model)


def test_16_whole_numbers_of_128_bits():
    frame = pl.DataFrame({"a": pl.Series([2**100, 1, 2, 3] * 9, dtype=pl.Int128)})
    labels = np.arange(36) % 2
    with contextlib.suppress(*REFUSED):  # in words
        assert rb.BayesPerceptron().fit(frame, labels).coef_.shape == (1, 1)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({1: [1]}, "axes must have names of parameters, got 1"),
        ({"k": range(10**9)}, "axis 'k' must have at most 1000000 values"),
        ({"k": itertools.count()}, "axis 'k' must have at most 1000000 values"),
        ([1], r"axes must be a dictionary of values, got \[1\]"),
    ],
)
def test_16_axes_that_a_sweep_has_not(axes, message):
    with pytest.raises(REFUSED, match=message):
        rb.sweep(lambda k: k, axes=axes, cores=0)


def test_16_a_full_disk_while_predictions_are_written(model, tmp_path):
    rows = table(tmp_path / "many.csv", [f"{i % 7},no" for i in range(50_000)])
    out = tmp_path / "out.csv"
    done = run(
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
        "from rosenblatt.__main__ import main\n"
        "main()\n",
        *("predict", model, rows, "--out", out),
    )
    assert done.returncode in (1, 2), (done.returncode, done.stderr)
    assert "cannot be written" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["m.safetensors", "many.csv", "x.csv"]
