"""Code that is compiled ahead: written by one process, used by another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rosenblatt.compiling import storage

LEVEL = storage.level_of_host()
SCRIPT = """
import sys
from pathlib import Path
from rosenblatt.compiling import storage
storage._HERE = Path(sys.argv[1])
import rosenblatt as rb
from rosenblatt.compiling import compiled
step = compiled(rb.rules.Perceptron(0.25))
print(step(rb.core.Percept(0.1, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)))
print(step.stats.cache_hits.total(), len(step.stats.cache_misses))
"""


def run(folder, cache, **environment):
    ours = {name: v for name, v in os.environ.items() if "NUMBA_CPU" not in name}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env=ours
        | {"XDG_CACHE_HOME": str(cache), "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.skipif(LEVEL is None, reason="no level of this processor is known")
def test_code_of_another_process_is_used_and_computes_the_same(tmp_path):
    folder = tmp_path / "compiled" / storage.shipped_folder(LEVEL)
    folder.mkdir(parents=True)
    first = run(
        folder.parent,
        tmp_path / "first",
        NUMBA_CPU_NAME=LEVEL,
        NUMBA_CPU_FEATURES=storage.LEVELS[LEVEL][1],
        ROSENBLATT_COMPILE_INTO=str(folder),
    )
    assert len(list(folder.iterdir())) == 1
    second = run(folder.parent, tmp_path / "second")  # an empty cache of its own
    assert second[0] == first[0]
    assert (first[1], second[1]) == ("0 1", "1 0")


@pytest.mark.skipif(LEVEL is None, reason="no level of this processor is known")
def test_code_is_not_used_where_other_instructions_are_asked_for(tmp_path):
    folder = tmp_path / "compiled" / storage.shipped_folder(LEVEL)
    folder.mkdir(parents=True)
    run(folder.parent, tmp_path / "first", ROSENBLATT_COMPILE_INTO=str(folder))
    generic = run(folder.parent, tmp_path / "second", NUMBA_CPU_NAME="generic")
    assert generic[1] == "0 1"


def test_the_best_level_comes_first_and_needs_all_of_its_features(monkeypatch):
    monkeypatch.setattr(storage.platform, "machine", lambda: "x86_64")
    best, second = storage.LEVELS
    everything = dict.fromkeys(storage.LEVELS[best][0].split(), True)
    for features, level in (
        (everything, best),
        (everything | {"avx512vl": False}, second),
        (everything | {"fma": False}, None),
    ):
        storage.level_of_host.cache_clear()
        monkeypatch.setattr(
            storage.binding, "get_host_cpu_features", lambda found=features: found
        )
        assert storage.level_of_host() == level
    monkeypatch.setattr(storage.platform, "machine", lambda: "aarch64")
    storage.level_of_host.cache_clear()
    assert storage.level_of_host() is None
    storage.level_of_host.cache_clear()


def test_a_checkout_has_no_code():
    assert not Path(storage._HERE).exists()
