import subprocess
import sys

import pytest

FORKED = """
import {modules}
from rosenblatt.system.processes import forkable
{work}
print(forkable())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has safe forks")
@pytest.mark.parametrize(
    ("modules", "work", "safe"),
    [
        ("rosenblatt", "", True),
        ("rosenblatt.core.autodiff", "", True),  # JAX is loaded, and does nothing yet
        ("jax.numpy", "jax.numpy.ones(3).sum()", False),
    ],
)
def test_a_process_may_be_forked_until_jax_computes(modules, work, safe):
    done = subprocess.run(
        [sys.executable, "-c", FORKED.format(modules=modules, work=work)],
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [str(safe)], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has safe forks")
def test_work_is_shared_though_all_lazy_modules_were_loaded(tmp_path):
    own = tmp_path / "script.py"
    own.write_text(
        "import inspect, os, sys\n"
        "import rosenblatt as rb\n"
        "from rosenblatt.simulation.machines import traced\n"
        "from rosenblatt.report.running.parallel import News, events\n"
        "inspect.stack()\n"
        "assert 'jax' in sys.modules\n"
        "told = events([[os.getpid], [os.getpid]], workers=2)\n"
        "done = [event.result for event in told if event.news is News.DONE]\n"
        "print(len(done), os.getpid() in done)\n"
    )
    done = subprocess.run([sys.executable, own], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2 False\n", "")
