import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rosenblatt.compiling import storage
from tests.scripts import run_script

SCRIPT = """
import rosenblatt as rb
from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import over_arrays
rule = rb.rules.Normalised(rb.rules.Decay(rb.rules.Perceptron(0.25), 0.5))
parts = [rule, rb.schedules.Power(2.0), rb.teachers.Sign(0.1), rb.machines.Ball()]
made = [*map(compiled, parts), over_arrays(rb.teachers.Sign(0.1))]
print(sum(function.stats.cache_hits.total() for function in made))
print(made[0](rb.core.Percept(0.1, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)))
"""
ONE = """
import rosenblatt as rb
from rosenblatt.compiling import compiled
rate = compiled(rb.schedules.Power(2.0))
print(rate.stats.cache_hits.total(), rate(rb.core.Clock(1.0, 1.0, 10.0)))
"""


def run(home, script=SCRIPT):
    done = run_script(script, home, XDG_CACHE_HOME=str(home))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_second_process_compiles_nothing_and_computes_the_same(tmp_path):
    first, second = run(tmp_path), run(tmp_path)
    assert (first[0], second[0]) == ("0", "5")
    assert first[1] == second[1]


def test_a_damaged_file_is_compiled_anew(tmp_path):
    """As a crash of the machine may leave it: numba does not wait for the disk."""
    assert run(tmp_path, ONE) == ["0 2.0"]
    for end in ("nbi", "nbc"):
        (damaged,) = tmp_path.rglob(f"*.{end}")
        damaged.write_bytes(damaged.read_bytes()[:100])
        assert run(tmp_path, ONE) == ["0 2.0"]
        assert run(tmp_path, ONE) == ["1 2.0"]


def test_processes_that_compile_at_the_same_time_keep_their_own(tmp_path):
    """Each keeps values that the other has not, of the same function.

    A kernel is compiled by one of them, and loaded by the other.
    """
    script = """
import numpy as np
import rosenblatt as rb
from rosenblatt.compiling.jit import mapped
from rosenblatt.simulation.vectors import _gaussians
print(_gaussians.build().stats.cache_hits.total())
for k in {values}:
    found = mapped(rb.teachers.Sign(k / 200))(np.array([-1.0]))[0]
    assert found == k / 200, (found, k)
"""
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script.format(values=list(range(first, 6, 2)))],
            env=env,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in (0, 1)
    ]
    loaded = sorted(process.communicate()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert loaded == ["0\n", "1\n"]
    assert run(tmp_path, script.format(values=list(range(6)))) == ["1"]
    # One index, one file of code and one folder for each value.
    folders = [
        {path.parent for path in tmp_path.rglob(f"*.{end}")} for end in ("nbi", "nbc")
    ]
    assert folders[0] == folders[1]
    # a law and its loop for each value, and the kernel
    assert len(folders[0]) == len(list(tmp_path.rglob("*.nbc"))) == 13


def test_a_users_own_rule_is_compiled_anew(tmp_path):
    script = """
import rosenblatt as rb
from rosenblatt.compiling import compiled
class Mine(rb.rules.Perceptron): pass
for rule in (Mine(), rb.rules.Normalised(Mine())):
    print(compiled(rule).stats.cache_hits.total())
"""
    run(tmp_path, script)
    assert run(tmp_path, script) == ["0", "0"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget()
    yield tmp_path / "rosenblatt"
    forget()


def forget():
    storage.kernel_folder.cache_clear()
    storage.part_folder.cache_clear()


MODULE = "rosenblatt.simulation.reduced"


def test_folders_of_old_versions_are_removed(home):
    for k in range(9):
        (home / f"{MODULE}-{k}").mkdir(parents=True)
        os.utime(home / f"{MODULE}-{k}", (k, k))
    (home / "rosenblatt.linear.dense-0").mkdir()
    chosen = os.path.basename(storage.kernel_folder(MODULE))
    left = {path.name for path in home.iterdir()}
    recent = {f"{MODULE}-{k}" for k in range(4, 9)}
    assert left == {chosen, "rosenblatt.linear.dense-0", *recent}


def test_parts_are_removed_when_there_are_too_many(home, monkeypatch):
    monkeypatch.setattr(storage, "_MANY", 3)
    folder = storage.part_folder()
    for k in range(4):
        open(os.path.join(folder, str(k)), "w").close()
    forget()
    assert storage.part_folder() == folder
    assert os.listdir(folder) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_process_whose_home_cannot_be_written_compiles(tmp_path):
    """Nobody can make a folder there, not even root. Nothing stays elsewhere."""
    script = f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}\n{SCRIPT}"
    script += "print(len(list(__import__('pathlib').Path.cwd().glob('rosenblatt-*'))))"
    done = run_script(script, tmp_path, HOME="/proc", XDG_CACHE_HOME="")
    assert done.returncode == 0, done.stderr
    first, _, folders = done.stdout.splitlines()
    assert (first, folders) == ("0", "1")
    assert list(tmp_path.iterdir()) == []


PIECES = "compiling/matrices.py"  # of another kernel
ELSEWHERE = "estimators/labels.py"  # of no kernel
EDITED = [  # files whose code is inside the kernels of the engine "reduced"
    "simulation/reduced.py",
    PIECES,
    *(
        pytest.param(file, marks=pytest.mark.slow)
        for file in ("simulation/experiment.py", "compiling/jit.py", "core/parts.py")
    ),
    "numerics/random.py",
]


def folder_of(package, edited):
    """Return the folder of kernels that a process with an edited copy would use."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from rosenblatt.compiling import storage\n"
        "print(storage.kernel_folder(sys.argv[2]))"
    )
    with open(package / "rosenblatt" / edited, "a") as file:
        file.write("# edited\n")
    module = "rosenblatt.bayes.full" if edited == PIECES else MODULE
    found = subprocess.run(
        [sys.executable, "-c", script, str(package), module],
        capture_output=True,
        text=True,
        check=True,
    )
    return module, found.stdout.strip()


@pytest.mark.parametrize("edited", [*EDITED, ELSEWHERE])
def test_an_edit_gives_another_folder_if_the_kernel_depends_on_it(edited, home):
    source = Path(storage.__file__).parent.parent
    shutil.copytree(source, home / "src" / "rosenblatt")
    module, found = folder_of(home / "src", edited)
    assert found.startswith(str(home))
    assert (storage.kernel_folder(module) == found) == (
        edited == "estimators/labels.py"
    )


def test_a_lock_is_free_though_a_fork_has_a_copy_of_it(tmp_path, monkeypatch):
    """A copy of a descriptor is what a fork has: to close one keeps the lock."""
    plain, copies = os.open, []

    def opened(*given):
        copies.append(os.dup(lock := plain(*given)))
        return lock

    monkeypatch.setattr(storage.os, "open", opened)
    with storage.one_process(str(tmp_path), "loop"):
        other = plain(tmp_path / "loop.lock", os.O_RDWR)
        assert storage._locked(other) == (storage.fcntl is None)
    assert storage._locked(other)
    for descriptor in (other, *copies):
        os.close(descriptor)
