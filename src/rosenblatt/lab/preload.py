"""Modules and compiled code that processes of jobs inherit from the fork server."""

from __future__ import annotations

import sys

from rosenblatt.lab.job import prepare

__all__: list[str] = []

# Python starts a fork server with a command that names its module.
if any("multiprocessing.forkserver" in word for word in sys.orig_argv):
    prepare()
