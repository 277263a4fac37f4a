import re
from pathlib import Path

import pytest

from rosenblatt.compiling.versions import FIRST, LAST, check

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("version", ["0.60.3", "0.69.0rc1", "1.0"])
def test_versions_that_were_not_tested_are_refused_with_a_command(version):
    with pytest.raises(ImportError, match=r"pip install 'numba>=0\.61,<0\.69'"):
        check(version)


def test_tested_versions_are_those_of_the_project():
    check("0.61.0")
    text = (ROOT / "pyproject.toml").read_text()
    first, last = re.search(r'"numba>=0\.(\d+),<0\.(\d+)"', text).groups()
    assert ((0, int(first)), (0, int(last) - 1)) == (FIRST, LAST)
    pinned = re.search(r"^numba==(.*)$", (ROOT / "constraints.txt").read_text(), re.M)
    check(pinned[1])
