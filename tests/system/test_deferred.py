"""A small prediction imports little; counted in modules, because times vary."""

import subprocess
import sys

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import rosenblatt as rb
from rosenblatt.system.deferred import defer, hidden
from tests.tables.examples import table, write

# In a process of its own: modules of this one are others'.
USE = """
import sys
from rosenblatt.system.deferred import defer
defer("xml.dom"); defer("wave"); defer("no_such_module")
import wave, xml.dom
assert "Wave_read" not in vars(wave) and "no_such_module" not in sys.modules
import xml.dom.minidom
assert vars(xml.dom)["Node"] is xml.dom.minidom.xml.dom.Node
assert wave.Wave_read.__module__ == "wave" and type(wave) is type(sys)
try:
    wave.no_such_name
except AttributeError as failure:
    print(failure)
"""


def test_a_deferred_module_runs_at_its_first_use_or_that_of_a_submodule():
    done = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "module 'wave' has no attribute 'no_such_name'\n"


def test_a_package_is_hidden_from_compiled_code_and_can_be_used_later():
    done = subprocess.run(
        [sys.executable, "-c", ARROW], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\nname\n"


def test_an_imported_module_is_left_as_it_is():
    defer("json")
    with hidden("json"):
        assert sys.modules["json"].dumps([]) == "[]"


def test_a_hidden_package_is_back_after_the_block():
    with pytest.raises(ModuleNotFoundError), hidden("no_such_module"):
        __import__("no_such_module")
    assert "no_such_module" not in sys.modules


ARROW = """
import sys
from rosenblatt.system.deferred import import_light
import_light()
import pyarrow
column = pyarrow.array(["a", None])
print("pandas" in sys.modules)
print(*pyarrow.table({"name": column}).to_pandas().columns)
"""
RUN = """
import sys
from rosenblatt.cli.app import app
try:
    app()
finally:
    slow = {"pandas", "scipy.stats._stats_py", "numpy.f2py.f2py2e", "numba.np.linalg"}
    print("imported", sorted(slow & sys.modules.keys()), "sklearn" in sys.modules)
"""
LATER = """
from rosenblatt.system.deferred import import_light
import_light()
import pandas as pd
import scipy.stats
import rosenblatt as rb
frame = pd.DataFrame({"a": [0.0, 1.0, 0.1, 0.9], "b": [1.0, 0.0, 1.0, 0.0]})
model = rb.OnlinePerceptron().fit(frame, pd.Series(["x", "y", "x", "y"]))
print(*model.feature_names_in_, *model.predict(frame), scipy.stats.norm.cdf(0.0))
"""


def run(*arguments):
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def imports_little(*arguments):
    """Run a command; once more if it had to compile, for which numba imports more."""
    done = run(*arguments)
    if "imported [] True" not in done.stdout:
        done = run(*arguments)
    return done.returncode == 0 and done.stdout.endswith("imported [] True\n")


def test_predict_does_without_what_scikit_learn_and_numba_import_unasked(tmp_path):
    path, save = write(table(100), tmp_path / "x.csv"), tmp_path / "m.safetensors"
    rb.train(path, "won", save=save)
    assert imports_little("predict", save, path)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_training_does_without_them_too(suffix, tmp_path):
    given = write(table(100), tmp_path / "x.csv")
    if suffix == "parquet":
        read = pyarrow.csv.read_csv(given)
        given = tmp_path / "x.parquet"
        pyarrow.parquet.write_table(read, given)
    save = tmp_path / "m.safetensors"
    assert imports_little("train", given, "--target", "won", "--save", save)


def test_a_missing_file_is_reported_before_anything_slow_is_imported(tmp_path):
    done = run("predict", tmp_path / "m.safetensors", "-")
    assert done.returncode == 2
    assert "there is no file" in done.stderr
    assert done.stdout.splitlines()[-1] == "imported [] False"


def test_pandas_and_scipy_stats_can_be_used_later():
    done = subprocess.run(
        [sys.executable, "-c", LATER], capture_output=True, text=True, check=True
    )
    assert done.stdout == "a b x y x y 0.5\n"
