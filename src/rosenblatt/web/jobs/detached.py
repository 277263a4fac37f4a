"""Lets go of the terminal, so that nobody waits for processes that outlive the server.

Imported, before all else, by the process that those for jobs are copies of.
"""

from __future__ import annotations

import os
import sys

__all__ = ["COPIED"]

# Whether this is that process; Python starts it with a command of its own.
COPIED = any("multiprocessing.forkserver" in word for word in sys.orig_argv)

if COPIED:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
