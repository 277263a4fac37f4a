"""All checks of ``make test``, two at a time, with the time that is left.

``python -m tests.checks`` writes the output of each check to ``build/checks``, prints
that of checks that failed, and ends with one line that says what failed, if anything.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

OUT = Path("build", "checks")
SECONDS = OUT / "seconds.json"  # that each check took last time
BIN = Path(sys.executable).parent
REPRODUCE = f"{BIN / 'rosenblatt'} reproduce --quick --out build/claims"
# Each lane is one check after the other, with the seconds that it takes on two cores.
LANES = (
    (
        ("tests", f"{BIN / 'pytest'} -n auto --junitxml=build/tests.xml", 240),
        ("processors", f"{sys.executable} -m tests.processors --numerical", 30),
    ),
    (
        ("style", f"{BIN / 'ruff'} check .", 1),
        ("format", f"{BIN / 'ruff'} format --check .", 1),
        ("types", f"{BIN / 'mypy'}", 60),
        ("imports", f"{BIN / 'lint-imports'}", 10),
        ("claims", REPRODUCE, 120),  # the tests go first
    ),
)
TERMINAL, TELL = sys.stderr.isatty(), 20  # seconds between two lines without one


def _last():
    os.nice(19)


class Lane(threading.Thread):
    """Checks that run one after the other."""

    def __init__(self, checks, known):
        super().__init__(daemon=True)
        self.left = [(n, c, known.get(n, seconds)) for n, c, seconds in checks]
        self.failed, self.taken, self.began = [], {}, time.monotonic()

    def run(self):
        while self.left:
            name, command, _ = self.left[0]
            self.began = time.monotonic()
            with open(OUT / f"{name}.txt", "w") as file:
                code = subprocess.call(
                    command.split(),
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    preexec_fn=_last
                    if name == "claims" and os.name == "posix"
                    else None,
                )
            self.taken[name] = time.monotonic() - self.began
            if code:
                self.failed.append(name)
            self.left.pop(0)

    def state(self):
        """Return what runs, and the seconds that are left."""
        left = self.left[:]
        if not left:
            return "", 0.0
        (name, _, expected), taken = left[0], time.monotonic() - self.began
        text = (OUT / f"{name}.txt").read_text() if taken > 1 else ""
        shares = re.findall(r"\[ *(\d+)%\]", text)  # as pytest prints them
        if shares and int(shares[-1]) > 5:
            expected = taken * 100 / int(shares[-1])
            name += f" {shares[-1]}%"
        rest = sum(seconds for *_, seconds in left[1:])
        return name, max(expected - taken, 1) + rest


def main():
    """Run all checks; the exit code is the number of those that failed."""
    OUT.mkdir(parents=True, exist_ok=True)
    known = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    lanes, began, told = [Lane(checks, known) for checks in LANES], time.monotonic(), 0
    for lane in lanes:
        lane.start()
    while any(lane.is_alive() for lane in lanes):
        time.sleep(0.5)
        names, left = zip(*(lane.state() for lane in lanes), strict=True)
        now = time.monotonic() - began
        if TERMINAL or now - told > TELL:
            told = now
            line = f"{', '.join(filter(None, names))}: about {max(left):.0f} s left"
            print(f"\r\033[K{line}" if TERMINAL else line, end="" if TERMINAL else "\n",
                  file=sys.stderr, flush=True)  # fmt: skip
    taken = {name: t for lane in lanes for name, t in lane.taken.items()}
    SECONDS.write_text(json.dumps(known | taken))
    failed = [name for lane in lanes for name in lane.failed]
    print("\r\033[K" if TERMINAL else "", end="", file=sys.stderr)
    print(*(OUT / "tests.txt").read_text().splitlines()[-1:])  # how many tests passed
    for name in failed:
        print(f"==== {name}\n" + (OUT / f"{name}.txt").read_text()[-20_000:])
    passed = f"{len(taken)} checks passed in {time.monotonic() - began:.0f} s"
    said = ", ".join(f"{name} ({OUT / name}.txt)" for name in failed)
    print(
        f"failed: {said}" if failed else f"all {passed}; open build/claims/index.html"
    )
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
