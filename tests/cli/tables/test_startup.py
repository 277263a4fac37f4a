"""A small prediction imports little; counted in modules, because times vary."""

import subprocess
import sys

import rosenblatt as rb
from tests.tables.examples import table, write

PREDICT = """
import sys
from rosenblatt.cli.app import app
try:
    app()
finally:
    slow = {"pandas", "scipy.stats._stats_py", "numpy.f2py.f2py2e", "numba.np.linalg"}
    print("imported", sorted(slow & sys.modules.keys()), "sklearn" in sys.modules)
"""
LATER = """
from rosenblatt.cli.tables.startup import import_light
import_light()
import pandas as pd
import scipy.stats
import rosenblatt as rb
frame = pd.DataFrame({"a": [0.0, 1.0, 0.1, 0.9], "b": [1.0, 0.0, 1.0, 0.0]})
model = rb.OnlinePerceptron().fit(frame, pd.Series(["x", "y", "x", "y"]))
print(*model.feature_names_in_, *model.predict(frame), scipy.stats.norm.cdf(0.0))
"""


def predict(*arguments):
    command = [sys.executable, "-c", PREDICT, "predict", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_predict_does_without_what_scikit_learn_and_numba_import_unasked(tmp_path):
    path, save = write(table(100), tmp_path / "x.csv"), tmp_path / "m.safetensors"
    rb.train(path, "won", save=save)
    assert predict(save, path).returncode == 0  # compiles, where nothing is stored
    done = predict(save, path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "imported [] True"


def test_a_missing_file_is_reported_before_anything_slow_is_imported(tmp_path):
    done = predict(tmp_path / "m.safetensors", "-")
    assert done.returncode == 2
    assert "there is no file" in done.stderr
    assert done.stdout.splitlines()[-1] == "imported [] False"


def test_pandas_and_scipy_stats_can_be_used_later():
    done = subprocess.run(
        [sys.executable, "-c", LATER], capture_output=True, text=True, check=True
    )
    assert done.stdout == "a b x y x y 0.5\n"
