import re
import subprocess
import sys
from pathlib import Path

import pytest

from rosenblatt.compiling.versions import FIRST, LAST, check

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("version", ["0.60.3", "0.69.0rc1", "1.0"])
def test_versions_that_were_not_tested_are_refused_with_a_command(version):
    with pytest.raises(ImportError, match=r"pip install 'numba>=0\.61,<0\.69'"):
        check(version)


def test_the_import_is_refused_before_anything_is_compiled(tmp_path):
    (tmp_path / "numba.py").write_text("__version__ = '0.70.1'\n")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import rosenblatt.compiling"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: rosenblatt was tested with numba 0.61 to 0.68, and 0.70.1 is"
    )


def test_tested_versions_are_those_of_the_project():
    check("0.61.0")
    text = (ROOT / "pyproject.toml").read_text()
    first, last = re.search(r'"numba>=0\.(\d+),<0\.(\d+)"', text).groups()
    assert ((0, int(first)), (0, int(last) - 1)) == (FIRST, LAST)
    pinned = re.search(r"^numba==(.*)$", (ROOT / "constraints.txt").read_text(), re.M)
    check(pinned[1])
