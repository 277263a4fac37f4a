import subprocess
import sys

import pytest

SILENT = (
    "import sys; sys.orig_argv = ['multiprocessing.forkserver'];"
    "import rosenblatt.web.jobs.detached; print('not heard')"
)
HEARD = "import rosenblatt.web.jobs.preload; print('heard')"


@pytest.mark.parametrize(("code", "said"), [(HEARD, b"heard\n"), (SILENT, b"")])
def test_only_a_fork_server_loses_its_output(code, said):
    """Python starts a fork server with a command that names its module."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.stdout, done.stderr, done.returncode) == (said, b"", 0)
