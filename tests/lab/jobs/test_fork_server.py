import subprocess
import sys

import pytest

CODE = (
    "import sys; sys.orig_argv = ['{}'];"
    "import rosenblatt.lab.jobs.fork_server; print('heard')"
)


@pytest.mark.parametrize(
    ("command", "said"), [("python", b"heard\n"), ("multiprocessing.forkserver", b"")]
)
def test_only_a_fork_server_loses_its_output(command, said):
    code = CODE.format(command)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.stdout, done.stderr, done.returncode) == (said, b"", 0)
