"""The fork server of jobs: it must not hold the output of the web server open.

The fork server imports this module before all others.
"""

from __future__ import annotations

import os
import sys

__all__ = ["IS_FORK_SERVER"]

# Python starts a fork server with a command that names its module.
IS_FORK_SERVER = any("multiprocessing.forkserver" in word for word in sys.orig_argv)

if IS_FORK_SERVER:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
