"""Train in a child that is killed again and again, and resumed; a script.

Arguments: a folder, and pairs of options and the number of kills as JSON. Prints, for
each pair, how many kills left a checkpoint behind, and how many runs finished. Every
finished run is compared with one that was not killed. Forks have all modules loaded,
and so spend their time training.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import rosenblatt as rb


def trained(options):
    """Run to the end, or go on from a checkpoint; there is one after each batch."""
    given = {**options, "save": "model.safetensors", "resume": True}
    rb.train(**given, checkpoint_every=0)


def kill(options, kills, chance):
    """Kill runs until so many leave a checkpoint; return these, and how many ended."""
    model = Path("model.safetensors")
    checkpoint = Path("model.safetensors.checkpoint")
    trained(options)  # compiled code is loaded now
    whole = model.read_bytes()
    model.unlink()
    began = time.perf_counter()
    trained(options)
    took = time.perf_counter() - began
    assert model.read_bytes() == whole
    model.unlink()
    left = ended = 0
    while kills > 0 or checkpoint.exists():
        pid = os.fork()
        if pid == 0:
            trained(options)
            os._exit(0)
        if kills > 0:
            time.sleep(0.7 * took * chance.random())  # most runs take several turns
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            left += checkpoint.exists()
            kills -= checkpoint.exists()  # a busy machine may not have come to one
            continue
        assert os.WEXITSTATUS(status) == 0
        assert model.read_bytes() == whole
        assert not checkpoint.exists()
        ended += 1
        model.unlink()
    return left, ended


def main():
    os.chdir(sys.argv[1])
    chance = random.Random(0)
    runs = json.loads(sys.argv[2])
    print(json.dumps([kill(options, kills, chance) for options, kills in runs]))


if __name__ == "__main__":
    main()
