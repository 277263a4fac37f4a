"""Close the standard output of the fork server, so that no pipe waits for its end.

The fork server imports this module before all others.
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
