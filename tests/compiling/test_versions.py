import re
import subprocess
import sys
from pathlib import Path

import pytest

from rosenblatt.compiling.versions import TESTED, check

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("version", ["0.60.3", "0.69.0rc1", "1.0"])
def test_versions_that_were_not_tested_are_refused_with_a_command(version):
    with pytest.raises(ImportError, match=r"pip install 'numba>=0\.61,<0\.69'"):
        check("numba", version)


@pytest.mark.parametrize("name", TESTED)
def test_the_import_is_refused_before_anything_is_compiled(name, tmp_path):
    for package in TESTED:  # numba itself would refuse another llvmlite
        version = "0.90.1" if package == name else f"0.{TESTED[package][1][1]}.0"
        (tmp_path / f"{package}.py").write_text(f"__version__ = {version!r}\n")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import rosenblatt.compiling"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True
    )
    first, last = (f"0.{one[1]}" for one in TESTED[name])
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: rosenblatt was tested with {name} {first} to {last}, and 0.90.1 "
    )


@pytest.mark.parametrize("name", TESTED)
def test_tested_versions_are_those_of_the_project(name):
    text = (ROOT / "pyproject.toml").read_text()
    first, last = re.search(rf'"{name}>=0\.(\d+),<0\.(\d+)"', text).groups()
    assert ((0, int(first)), (0, int(last) - 1)) == TESTED[name]
    check(name, f"0.{first}.0")
    pinned = re.search(rf"^{name}==(.*)$", (ROOT / "constraints.txt").read_text(), re.M)
    check(name, pinned[1])
