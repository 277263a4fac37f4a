import subprocess
import sys

from rosenblatt.web.jobs.detached import COPIED


def test_outside_of_a_fork_server_nothing_is_run_or_silenced():
    assert not COPIED
    code = "import rosenblatt.web.jobs.preload; print('heard')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("heard\n", "")


def test_a_fork_server_does_not_hold_the_terminal():
    """Python starts it with a command that names its module."""
    code = (
        "import multiprocessing.forkserver, sys\n"
        "sys.orig_argv = ['multiprocessing.forkserver']\n"
        "import rosenblatt.web.jobs.detached\n"
        "print('not heard', flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
