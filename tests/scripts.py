"""Scripts in new processes that need not import everything again.

A server imports the large libraries once and runs each script in a fork of itself, with
JIT compilation. Each script has its own folder and environment. It runs as with
``python -c``, except that modules are loaded already.
"""

import atexit
import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
import types
import warnings
from pathlib import Path
from typing import NamedTuple

LOADED = (
    "matplotlib.backends.backend_agg",
    "numba",
    "pandas",
    "scipy.integrate",
    "scipy.optimize",
    "sklearn.datasets",
    "sklearn.model_selection",
    "xarray",
    "rosenblatt.estimators",
    "rosenblatt.plotting",
    "rosenblatt.simulation",
    "rosenblatt.theory",
)


class Done(NamedTuple):
    """Exit status and output of a script."""

    returncode: int
    stdout: str
    stderr: str


@functools.cache
def server():
    """Start the server of this process, which ends with it."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.scripts"],
        cwd=Path(__file__).parents[1],
        env=os.environ | {"NUMBA_DISABLE_JIT": "0", "MPLBACKEND": "agg"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.communicate)  # its input ends, and so it does
    return started


def run_script(code, folder, *, strict=False, **environment):
    """Run a script in a folder; strict ones end at the first warning."""
    if not hasattr(os, "fork"):  # on Windows
        command = [sys.executable, *(["-W", "error"] if strict else []), "-c", code]
        given = os.environ | {"NUMBA_DISABLE_JIT": "0", "MPLBACKEND": "agg"}
        done = subprocess.run(
            command, cwd=folder, env=given | environment, capture_output=True, text=True
        )
        return Done(done.returncode, done.stdout, done.stderr)
    with tempfile.TemporaryDirectory() as words:
        out, err = Path(words) / "out", Path(words) / "err"
        asked = {
            "code": code,
            "folder": str(folder),
            "strict": strict,
            "environment": dict(os.environ) | environment,
            "words": [str(out), str(err)],
        }
        server().stdin.write(json.dumps(asked) + "\n")
        server().stdin.flush()
        ended = int(server().stdout.readline())
        return Done(ended, out.read_text(), err.read_text())


def run(asked):
    """Become the process of a script, and return how it ended."""
    for number, path in enumerate([os.devnull, *asked["words"]]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[0], sys.argv = "", ["-c"]
    if asked["strict"]:
        warnings.simplefilter("error")
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        path = Path(asked["words"][0]).with_name("script.py")  # sweeps read the source
        path.write_text(asked["code"])
        main.__file__ = str(path)
        exec(compile(asked["code"], str(path), "exec"), vars(main))
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def serve():
    """Answer requests, one line each, until there are no more."""
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(run(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
