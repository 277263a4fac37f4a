"""Record what a change of structure must not change, and compare two records.

``tests/keep.sh record FILE`` writes digests of simulations, accuracies on real data and
the public names. ``--claims`` adds the claims of the papers in quick mode, ``--speed``
the ratios of ``make bench`` that are goals, and ``--all`` measures all sets of data.
``tests/keep.sh compare BEFORE AFTER`` prints each difference, and its exit code is 1 if
anything but speed differs. A part that is not there any more is printed as ``absent``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import itertools
import json
import math
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import rosenblatt as rb

RULES = [
    "AdaTron()",
    "Decay(Perceptron(),0.5)",
    "Delta()",
    "Erf()",
    "Hebb()",
    "Linear()",
    "Logistic()",
    "Normalised(Hebb())",
    "Normalised(Perceptron())",
    "PassiveAggressive()",
    "Perceptron()",
    "Perceptron(0.3)",
    "ReLU()",
    "Residual()",
    "Shifted(Perceptron(),AverageShift())",
    "Shifted(Perceptron(),AverageShift(uniform=False),1)",
    "Shifted(Perceptron(),FixedShift(0.5,0.3),0)",
    "Shifted(Hebb())",
    "Tanh()",
]
BELIEFS = ["BinaryBayes()", "DiagonalBayes()", "FullBayes()", "SphericalBayes()"]
SCHEDULES = ["Constant(0.5)", "PerMistake(1.0)", "Power(0.5,0.5,1.0)"]
STREAMS = ["Gaussian()", "Gaussian(1.5,1.0)"]
TEACHERS = ["Sign()", "Sign(0.1)"]
STARTS = ["Random(2.0)", "Zero()", "Overlap(0.5)", "Hebbian(2)", "Vector((1.0,)*12)"]
MOTIONS = ["Abrupt((2.0,5.0))", "RandomWalk(0.5)", "Retreat(0.5)", "Rotation(0.5)"]
ENGINES = ("full", "reduced", "events")
MACHINES = {
    "Ball()": None,
    "Ball(3,2.0)": "Uniform(3)",
    "Parity()": None,
    "Parity(3,2)": "Normal(6,0.5,2.0)",
    "Parity(3,4,least_action=True)": "Uniform(12)",
    "Threshold()": None,
}
STREAM_SETS = ("Phishing", "Bananas", "ImageSegments", "SP500")
QUICK = ("breast_cancer", "digits, 3 or 8", "iris, shuffled", "Phishing", "wine")
SPEED = [
    "startup.first_fits",
    "bayes.default",
    "bayes.dense",
    "bayes.single",
    "online",
    "engines",
    "networks.ratios",
    "commands.tables",
    "startup.imports",
    "classifiers",
]
# Arguments that are given as text, with the folders of the parts that they name.
FOLDERS = {"activation": "rules", **{name[:-1]: name for name in (
    "rules", "schedules", "teachers", "streams", "starts", "motions", "machines"
)}}  # fmt: skip


def made(given):
    """Return arguments, in which texts such as ``Perceptron(0.3)`` become parts."""

    def part(name, text):
        if name not in FOLDERS or not isinstance(text, str):
            return text
        folder = getattr(rb, FOLDERS[name])
        return eval(text, {known: getattr(folder, known) for known in folder.__all__})

    return {name: part(name, text) for name, text in given.items()}


def digest(result):
    """Return a digest of the numbers of a result, bit by bit."""
    found = hashlib.sha256()
    for name in sorted(result.variables):
        values = np.ascontiguousarray(result[name].values)
        if values.dtype.kind in "fiub":
            found.update(f"{name} {result[name].dims} {values.shape}".encode())
            found.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
    return found.hexdigest()[:16]


def outcome(function, **given):
    """Return the digest of a result, or the kind of error that there is instead."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return digest(function(**made(given)))
    except (AttributeError, NameError) as fault:
        return f"absent: {fault}"
    except (ValueError, TypeError, ArithmeticError, AssertionError) as fault:
        return type(fault).__name__


def simulations():
    """Return digests of results of all engines, rules, streams, starts and motions."""
    found = {}
    size = {"dim": 12, "alpha": [0, 0.5, 4, 12], "replicas": 5, "seed": 3}
    usual = {
        "rule": "Perceptron()",
        "schedule": SCHEDULES[2],
        "teacher": TEACHERS[1],
        "stream": STREAMS[0],
        "start": None,
        "motion": None,
    }

    def record(engine, **changes):
        given = usual | changes
        name = " ".join([engine, *map(str, given.values())])
        found[name] = outcome(rb.simulate, **given, engine=engine, **size)

    for engine in ENGINES:
        for rule, stream in itertools.product(RULES, STREAMS):
            record(engine, rule=rule, stream=stream)
        for schedule, teacher in itertools.product(SCHEDULES, TEACHERS):
            record(engine, schedule=schedule, teacher=teacher)
        for start in STARTS:
            record(engine, stream=STREAMS[1], start=start)
        for motion in MOTIONS:
            record(engine, motion=motion)
    for stream in ("UniformBits(12)", "Normal(12)", "Uniform(12)"):
        record("full", stream=stream)
    inputs = ("Gaussian()", "ProductBits((0.2,)*12)", "UniformBits(12)")
    for rule, teacher, stream in itertools.product(BELIEFS, TEACHERS, inputs):
        given = {"rule": rule, "teacher": teacher, "stream": stream}
        record("coordinate", schedule="Constant(1.0)", **given)
    big = {"alpha": [0, 1, 3], "replicas": 3, "seed": 5, "dim": 1501}
    parts = {"rule": "Perceptron()", "schedule": "Constant(1.0)"}
    for engine in ENGINES:
        found[f"{engine} large"] = outcome(rb.simulate, **parts, engine=engine, **big)
    return found


def vectors():
    """Return digests of machines and classes."""
    found = {}
    size = {"examples": [0, 7, 500], "replicas": 5, "seed": 2, "tests": 50}

    def machine(machine, **given):
        target = np.linspace(0.2, 1.0, machine.parameters)
        return rb.simulate_machine(machine, target=target, **given, **size)

    for (name, stream), noise in itertools.product(MACHINES.items(), (0.0, 0.1)):
        given = {"schedule": "Power(4.0,1.0,10.0)", "stream": stream, "noise": noise}
        found[f"machine {name} {stream} {noise}"] = outcome(
            machine, machine=name, **given
        )
    given = {
        "schedules": [rb.schedules.Constant(0.5), rb.schedules.PerMistake(1.0)],
        "stream": rb.streams.TwoClasses(((1.0, 0.0, 0.0), (-1.0, 0.5, 0.0))),
    }
    size = {"examples": [0, 5, 200], "replicas": 4, "seed": 1, "tests": 30}
    for rule in RULES:
        found[f"classes {rule}"] = outcome(
            rb.simulate_classes, rule=rule, **given, **size
        )
    return found


def committees():
    """Return digests of simulations of committees."""
    found = {}
    given = {"rate": rb.schedules.Constant(0.5), "second_rate": 0.1, "seed": 4}
    size = {"dim": 20, "alpha": [0, 1, 4], "replicas": 2}

    def simulated(activation, options, motion):
        committee = rb.committees.Committee(
            activation, students=3, teachers=2, **options
        )
        return rb.committees.simulate(committee, motion=motion, **given, **size)

    texts = ("Erf()", "ReLU()", "Linear()", "Tanh()", "Logistic()")
    noises, motions = ({}, {"noise": 0.1}), (None, *MOTIONS[1:])
    for text, options, motion in itertools.product(texts, noises, motions):
        found[f"committee {text} {options} reduced {motion}"] = outcome(
            simulated, activation=text, options=options, motion=motion
        )
    return found


def curves():
    """Return errors of theory; other quadrature may change their last digits."""
    found = {}
    usual = {"schedule": SCHEDULES[2], "teacher": TEACHERS[1], "alpha": [0, 1, 10]}
    for rule, stream in itertools.product(RULES, STREAMS):
        with contextlib.suppress(ValueError, TypeError, ArithmeticError):
            run = rb.solve(**made(usual | {"rule": rule, "stream": stream}))
            found[f"solve {rule} {stream}"] = run.error.values.ravel().tolist()
    for text in ("Erf()", "ReLU()", "Linear()"):
        parts = made({"activation": text})
        committee = rb.committees.Committee(**parts, students=2, teachers=2)
        run = rb.committees.solve(committee, 0.5, alpha=[0, 1, 10])
        found[f"solve committee {text}"] = run.error.values.ravel().tolist()
    return found


def accuracies(everything):
    """Return error and log-loss of the default model on real data and streams."""
    from benchmarks.real import ours  # noqa: PLC0415  only here: needs more packages
    from benchmarks.real_data import changing_data, real_data  # noqa: PLC0415
    from benchmarks.scores import Score  # noqa: PLC0415
    from benchmarks.streams.archives import archived, default_folder  # noqa: PLC0415
    from benchmarks.streams.packaged import packaged  # noqa: PLC0415

    found = {}

    def keep(name, data):
        score = Score.of(ours(data), data.y)
        found[name] = [score.error, score.log_loss]

    for data in real_data():
        if everything or data.name in QUICK:
            keep(f"real {data.name}", data)
    if everything:
        for data in changing_data():
            keep(f"changing {data.name}", data)
    loaders = packaged() | (archived(default_folder()) if everything else {})
    for name in loaders if everything else STREAM_SETS[:2]:
        with contextlib.suppress(FileNotFoundError):
            keep(f"stream {name}", loaders[name]())
    return found


def claims():
    """Return measured values and verdicts of all claims in quick mode."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rosenblatt", "reproduce", "--quick", "--out"]
        subprocess.run([*command, folder], check=False, stdout=subprocess.DEVNULL)
        found = json.loads(Path(folder, "claims.json").read_text())
    return {one["id"]: [one["verdict"], one["measured"]] for one in found}


def speeds():
    """Return the figures of ``make bench`` that have goals."""
    from benchmarks import history  # noqa: PLC0415  only here: needs more packages
    from benchmarks.__main__ import PARTS, name_of  # noqa: PLC0415

    found = {}
    for part in PARTS:
        if name_of(part).startswith(SPEED) or part.__name__ in SPEED:
            with contextlib.redirect_stdout(io.StringIO()):
                rows = list(part())
            for row in rows:
                figure = history.figure(row)
                if figure is not None:
                    found[row.work] = [figure, row.goal]
    return found


def names():
    """Return public names and signatures, one entry each."""
    from tests.public_names import public_names  # noqa: PLC0415

    return dict.fromkeys(public_names(), "")


def record(arguments):
    """Write one file."""
    kept = {
        "simulations": simulations(),
        "vectors": vectors(),
        "committees": committees(),
        "curves": curves(),
        "accuracies": accuracies(arguments.all),
        "names": names(),
    }
    if arguments.claims:
        kept["claims"] = claims()
    if arguments.speed:
        kept["speeds"] = speeds()
    Path(arguments.file).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    print(", ".join(f"{len(part)} {name}" for name, part in kept.items()))


def same(section, before, after):
    """Return whether an entry is as before: to the bit, or for numbers to rounding."""
    if isinstance(before, list):
        return len(before) == len(after) and all(
            same(section, *pair) for pair in zip(before, after, strict=True)
        )
    if isinstance(before, float) and isinstance(after, float | int):
        # accuracies are kept to four digits; theory to the accuracy of its solver
        allowed = {"accuracies": 5e-5, "curves": 1e-6}.get(section, 1e-9)
        return math.isclose(before, after, rel_tol=1e-9, abs_tol=allowed) or (
            before != before and after != after
        )
    return before == after


def compare(arguments):
    """Print the differences of two files; return how many there are but for speed."""
    before, after = (
        json.loads(Path(file).read_text())
        for file in (arguments.before, arguments.after)
    )
    changed = 0
    for section in sorted(before.keys() & after.keys()):
        old, new = before[section], after[section]
        for key in sorted(old.keys() | new.keys()):
            if section == "speeds":
                if key in old and key in new and not _as_fast(old[key], new[key]):
                    print(f"speeds: {key}: {old[key][0]} -> {new[key][0]}")
            elif key not in old or key not in new:
                changed += 1
                print(f"{section}: {'gone' if key in old else 'new'}: {key}")
            elif not same(section, old[key], new[key]):
                changed += 1
                print(f"{section}: {key}: {old[key]} -> {new[key]}")
    for section in sorted(before.keys() ^ after.keys()):
        print(f"{section}: only in one of the files, not compared")
    print(f"{changed} differences")
    return changed


def _as_fast(old, new):
    """Return whether a figure is at most a tenth worse."""
    if old[1].startswith(">"):
        return new[0] >= 0.9 * old[0]
    return new[0] <= 1.1 * old[0]


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="tests/keep.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file")
    for option in ("--all", "--claims", "--speed"):
        recording.add_argument(option, action="store_true")
    recording.set_defaults(run=record)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.set_defaults(run=lambda given: sys.exit(compare(given) > 0))
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
