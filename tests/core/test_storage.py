import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from rosenblatt import machines, rules, schedules, streams, teachers
from rosenblatt.core import storage

SCRIPT = """
import rosenblatt as rb
from rosenblatt.core import compiled
from rosenblatt.core.jit import over_arrays
rule = rb.rules.Normalised(rb.rules.Decay(rb.rules.Perceptron(0.25), 0.5))
parts = [rule, rb.schedules.Power(2.0), rb.teachers.Sign(0.1), rb.machines.Ball()]
made = [*map(compiled, parts), over_arrays(rb.teachers.Sign(0.1))]
print(sum(function.stats.cache_hits.total() for function in made))
print(made[0](rb.core.Percept(0.1, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)))
"""


def run(home, script=SCRIPT):
    found = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"XDG_CACHE_HOME": str(home), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.splitlines()


def test_a_second_process_compiles_nothing_and_computes_the_same(tmp_path):
    first, second = run(tmp_path), run(tmp_path)
    assert (first[0], second[0]) == ("0", "5")
    assert first[1] == second[1]


def test_values_do_not_get_mixed_up(tmp_path):
    script = """
import rosenblatt as rb
from rosenblatt.core import Clock, compiled
for k in (1, 2, 3):
    print(compiled(rb.schedules.Power(float(k), 0.0))(Clock(1.0, 1.0, 10.0)))
"""
    assert run(tmp_path, script) == run(tmp_path, script) == ["1.0", "2.0", "3.0"]


def test_processes_that_compile_at_the_same_time_keep_their_own(tmp_path):
    """Each keeps values that the other has not, of the same function."""
    script = """
import numpy as np
import rosenblatt as rb
from rosenblatt.core.arrays import mapped
for k in {values}:
    found = mapped(rb.teachers.Sign(k / 200))(np.array([-1.0]))[0]
    assert found == k / 200, (found, k)
"""
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script.format(values=list(range(first, 40, 2)))],
            env=env,
        )
        for first in (0, 1)
    ]
    assert [process.wait() for process in both] == [0, 0]
    assert run(tmp_path, script.format(values=list(range(40)))) == []
    # One index, one file of code and one folder for each value.
    folders = [
        {path.parent for path in tmp_path.rglob(f"*.{end}")} for end in ("nbi", "nbc")
    ]
    assert folders[0] == folders[1]
    assert (
        len(folders[0]) == len(list(tmp_path.rglob("*.nbc"))) == 80
    )  # a law, and its loop


def test_a_users_own_rule_is_compiled_anew(tmp_path):
    script = """
import rosenblatt as rb
from rosenblatt.core import compiled
class Mine(rb.rules.Perceptron): pass
for rule in (Mine(), rb.rules.Normalised(Mine())):
    print(compiled(rule).stats.cache_hits.total())
"""
    run(tmp_path, script)
    assert run(tmp_path, script) == ["0", "0"]


def test_names_tell_parts_apart():
    parts = [
        rules.Perceptron(),
        rules.Perceptron(1.0),
        rules.Normalised(rules.Perceptron()),
        rules.Shifted(rules.Perceptron()),
        rules.Shifted(rules.Perceptron(), rules.AverageShift(uniform=False)),
        rules.Shifted(rules.Perceptron(), rules.FixedShift(1.0, 0.5)),
        schedules.Power(0.1 + 0.2),
        schedules.Power(0.3),
        teachers.Sign(),
        machines.Ball(),
        streams.Normal(2, (0.0, 1.0)),
    ]
    names = [storage.name_of(part) for part in parts]
    assert None not in names
    assert len(set(names)) == len(names)


def test_what_comes_from_outside_has_no_name():
    @dataclass(frozen=True)
    class Own(rules.Perceptron):
        pass

    assert storage.name_of(Own()) is None
    assert storage.name_of(rules.Normalised(Own())) is None
    assert storage.name_of(schedules.Custom(lambda clock: 1.0)) is None
    assert storage.name_of((1, print)) is None


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    storage.folder.cache_clear()
    yield tmp_path / "rosenblatt"
    storage.folder.cache_clear()


def test_folders_of_old_versions_are_swept(home):
    for k in range(9):
        (home / f"parts-{k}").mkdir(parents=True)
        os.utime(home / f"parts-{k}", (k, k))
    (home / "kernels-0").mkdir()
    chosen = os.path.basename(storage.folder("parts"))
    left = {path.name for path in home.iterdir()}
    assert left == {chosen, "kernels-0", *(f"parts-{k}" for k in range(4, 9))}


def test_a_folder_that_is_used_is_not_old(home):
    folder = storage.folder("parts")
    os.utime(folder, (0, 0))
    storage.folder.cache_clear()
    assert storage.folder("parts") == folder
    assert os.stat(folder).st_mtime > 0


def test_a_folder_that_has_grown_is_emptied(home, monkeypatch):
    monkeypatch.setattr(storage, "_MANY", 3)
    folder = storage.folder("parts")
    for k in range(4):
        open(os.path.join(folder, str(k)), "w").close()
    storage.folder.cache_clear()
    assert storage.folder("parts") == folder
    assert os.listdir(folder) == []


def test_a_home_that_cannot_be_written_does_not_matter(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    storage.folder.cache_clear()
    assert os.path.isdir(storage.folder("parts"))
    storage.folder.cache_clear()
