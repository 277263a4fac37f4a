"""An interrupted simulation: one place."""

import signal
import subprocess
import sys
import time


def interrupt(script, folder, times=1):
    """Run a script, send Ctrl-C after each line "ready", and return what it wrote."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(times):
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
    return process.communicate(timeout=20)[1]  # of hours; the machine may be busy
