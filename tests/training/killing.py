"""Train in a child that is killed again and again, and resumed; a script.

Arguments: a folder, and pairs of options and the number of kills as JSON. A new process
would spend its time importing: a fork that has everything loaded spends it training.
"""

import json
import os
import random
import signal
import sys
import time

import numpy as np

import rosenblatt as rb

LONGEST = 0.25  # seconds until the kill; a whole run takes longer


def warm(model):
    """Load compiled code, without a thread that a fork would lose."""
    made = rb.training.kinds.make(model)
    X = np.random.default_rng(0).standard_normal((50, 3))
    rb.training.kinds.teach(made, X, (X[:, 0] > 0).astype(int), np.array([0, 1]))


def child(options):
    """Go on with the run, with a checkpoint after each batch."""
    rb.train(**options, checkpoint_every="1", resume=True)
    os._exit(0)


def killed_again_and_again(options, kills, chance):
    """Return how often a run was killed before it came to its end."""
    warm(options["model"])
    killed = 0
    while True:
        pid = os.fork()
        if pid == 0:
            child(options)
        if killed < kills:
            time.sleep(LONGEST * chance.random())
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            assert os.WEXITSTATUS(status) == 0
            return killed
        killed += 1


def main():
    os.chdir(sys.argv[1])
    chance = random.Random(0)
    runs = json.loads(sys.argv[2])
    print([killed_again_and_again(options, kills, chance) for options, kills in runs])


if __name__ == "__main__":
    main()
