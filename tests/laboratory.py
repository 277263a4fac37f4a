"""The laboratory in a real browser: servers for tests, and ways to look at pages.

Import ``browser``, ``visit``, ``servers`` and ``opened`` into a test file to use them.
"""

import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.job import experiment, grid
from rosenblatt.lab.state import State, from_query, query
from tests.browser import browser, visit

__all__ = ["browser", "visit"]

OWN_FILE = Path(__file__).parent / "halving_rule.py"
QUICK = State(dim=50, alpha=20.0, replicas=20)
# Seconds on a machine that is busy, or that compiles everything for the first time; all
# waits end as soon as what they wait for is there.
PATIENCE = 90


class Servers:
    """Laboratories that are started when somebody wants them."""

    _OPTIONS = {"plain": [], "rule": ["--rule", f"{OWN_FILE}:Halving"]}  # noqa: RUF012

    def __init__(self):
        self._running = {}
        self._addresses = {}

    def address(self, name):
        """Return where a server is; both kinds stop by themselves in the end."""
        if name not in self._running:
            command = [sys.executable, "-m", "rosenblatt", "lab"]
            command += ["--stop-after", "3600"]  # longer than all tests of a file
            self._running[name] = started = subprocess.Popen(
                [*command, *self._OPTIONS[name]],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            self._addresses[name] = started.stdout.readline().strip()
        return self._addresses[name]

    def stop(self):
        """End all, and return what they said."""
        for one in self._running.values():
            one.terminate()
        return "".join(
            one.communicate(timeout=PATIENCE)[1] for one in self._running.values()
        )


@pytest.fixture(scope="module")
def servers():
    """Return servers for a file of tests; none of them may have failed at anything."""
    found = Servers()
    try:
        yield found
    finally:
        words = found.stop()
    assert "Traceback" not in words, words


@pytest.fixture
def opened(servers, visit):
    """Return a function that opens a state; in the end, nothing was wrong with it."""
    visits = []

    def open_(state, server="plain", **more):
        address = state if isinstance(state, str) else query(state)
        served = servers.address(server)
        seen = visit(f"{served}{'&' if '?' in served else '?'}{address}", **more)
        seen.page.set_default_timeout(1000 * PATIENCE)
        visits.append((seen, urlsplit(servers.address(server)).netloc))
        return seen.page

    yield open_
    for seen, host in visits:
        assert seen.complaints == []
        assert seen.hosts() == {host}  # no other machine was asked for anything


def finished(page):
    page.get_by_text("Done.").wait_for()


def state_of(page):
    """Return what the address of a page says."""
    given = parse_qs(urlsplit(page.url).query)
    state, wrong = from_query({name: values[0] for name, values in given.items()})
    assert wrong == []
    return state


def comes(page, wanted):
    """Wait until the address is that of a state with these values."""
    end = time.monotonic() + PATIENCE
    while True:
        found = state_of(page)
        if all(getattr(found, name) == value for name, value in wanted.items()):
            return
        assert time.monotonic() < end, (wanted, found)
        page.wait_for_timeout(50)


def column(page, plot, name):
    """Return a column of data that a plot shows, the first of this name.

    Bokeh may keep a plot that was replaced for a while, so the newest one counts.
    """
    code = """([label, name]) => {
        for (const model of [...Bokeh.documents[0]._all_models.values()].reverse()) {
            const said = model.renderers && model.html_attributes?.["aria-label"];
            if (!said || !said.startsWith(label)) continue;
            for (const drawn of model.renderers)
                if (drawn.data_source.data[name])
                    return Array.from(drawn.data_source.data[name]);
        }
    }"""
    return np.array(page.evaluate(code, [plot, name]), dtype=float)


def simulated(state):
    """Return the result that a state stands for."""
    return rb.simulate(
        **experiment(state),
        dim=state.dim,
        alpha=grid(state),
        replicas=state.replicas,
        seed=state.seed,
    )
