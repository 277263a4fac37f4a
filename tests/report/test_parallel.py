"""In processes of their own, since this one may have loaded JAX by now."""

import subprocess
import sys
import threading

import pytest

from rosenblatt.report.parallel import results


def python(body):
    """Run a script and return what it prints."""
    script = f"import os, time\nfrom rosenblatt.report.parallel import results\n{body}"
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", [1, 2, None])
def test_every_task_is_done_once(workers):
    tasks = "[lambda k=k: k**2 for k in range(7)]"
    said = python(f"print(sorted(results({tasks}, {workers})))")
    assert said == f"{[(k, k**2) for k in range(7)]}\n"


def test_results_come_as_they_are_done_from_other_processes():
    said = python(
        "def slow():\n    time.sleep(0.5)\n    return 0\n"
        "found = [pid for _, pid in results([slow, os.getpid], 2)]\n"
        "print(found[0] not in (0, os.getpid()), found[1])"
    )
    assert said == "True 0\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_in_a_task_is_raised(workers):
    said = python(f"list(results([lambda: 1 / 0, lambda: 1], {workers}))")
    assert "ZeroDivisionError" in said


def test_a_process_that_dies_is_an_error_and_nothing_hangs():
    said = python("list(results([lambda: os._exit(1), lambda: 1], 2))")
    assert "terminated abruptly" in said


def test_next_to_other_threads_nothing_is_forked():
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        names = [
            thread
            for _, thread in results([threading.get_ident, threading.get_ident], 2)
        ]
        assert names == [threading.get_ident()] * 2
    finally:
        done.set()
        other.join()


def test_nothing_to_do_is_done():
    assert list(results([])) == []


def test_a_progress_bar_does_not_keep_work_in_one_process():
    said = python(
        "from rosenblatt.papers.paper import Figure, Paper\n"
        "from rosenblatt.core.figures import FigureData, Series\n"
        "from rosenblatt.report.running import run\n"
        "def figure(*, quick):\n"
        "    line = Series(str(os.getpid()), [1.0], [1.0], 'theory')\n"
        "    return FigureData('t', 'c', 'x', 'y', (line,))\n"
        "def other(*, quick):\n"
        "    return figure(quick=quick)\n"
        "other.__module__ = 'elsewhere'\n"
        "items = (Figure('key2000/a', '', figure), Figure('key2000/b', '', other))\n"
        "paper = Paper(\n"
        "    key='key2000', citation='', claims=(), errata=(), figures=items\n"
        ")\n"
        "report = run([paper], quick=True, progress=True, workers=2)\n"
        "found = {e.data.series[0].name for e in report.exhibits}\n"
        "print(str(os.getpid()) in found)"
    )
    assert said.startswith("False\n")
