"""An interrupted simulation: one place."""

import signal
import subprocess
import sys
import time


def interrupt(script, folder):
    """Run a script up to its line "ready", send Ctrl-C, and return what it wrote."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=20)[1]  # of hours; the machine may be busy
