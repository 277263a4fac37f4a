"""Missing packages are named with their extra, and the rest works without them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from rosenblatt.system.extras import EXTRAS

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
WITHOUT = """
import importlib, sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = name.partition(".")[0] in {absent!r}
        return None if hidden else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
import rosenblatt as rb
"""
USE = """
model = rb.BayesPerceptron().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
rule, constant = rb.rules.Hebb(), rb.schedules.Constant()
run = rb.simulate(rule, constant, dim=10, alpha=2)
rb.solve(rule, constant, alpha=2)
connection = importlib.import_module("rosenblatt.system.dask_client")
columns = importlib.import_module("rosenblatt.tables.reading")
calls = [
    lambda: rb.simulate(rule, constant, dim=10, alpha=2, progress=True),
    lambda: rb.simulate(rule, constant, dim=10, alpha=2, progress=True),  # as before
    lambda: rb.save(run, "run.nc"),
    lambda: rb.load("run.nc"),
    lambda: rb.save_model(model, "model"),
    lambda: rb.train("table.csv", "y"),
    columns.check_pyarrow,
    lambda: rb.export_onnx(model, "model.onnx"),
    lambda: rb.plotting.learning_curve(run),
    connection.check_installed,
    lambda: importlib.import_module("rosenblatt.river"),
    lambda: importlib.import_module("rosenblatt.cli.app"),
    lambda: importlib.import_module("rosenblatt.lab.server"),
    lambda: importlib.import_module("rosenblatt.report"),
    lambda: importlib.import_module("rosenblatt.__main__"),
]
for call in calls:
    try:
        call()
    except (ImportError, SystemExit) as failure:
        print(failure)
    else:
        print("works")
"""
IMPLIED = {"distributed", "h5netcdf", "PIL"}  # which come with another of their extra


def test_each_missing_package_is_named_with_its_extra(tmp_path):
    absent = {*EXTRAS, *IMPLIED}
    code = WITHOUT.format(absent=absent) + USE
    command = [sys.executable, "-c", code]  # libraries look once for others
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for line in lines:
        assert re.search(r" needs (\w+): pip install 'rosenblatt\[(\w+)\]'$", line)
    named = {line.partition(" needs ")[2].partition(":")[0] for line in lines}
    assert named == set(EXTRAS)


def test_extras_are_those_of_the_project():
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    for package, extra in EXTRAS.items():
        assert any(re.match(rf"{package}\b", named) for named in extras[extra]), package
    assert {*EXTRAS.values()} == {*re.findall(r"\w+", extras["all"][0])} - {
        "rosenblatt"
    }
