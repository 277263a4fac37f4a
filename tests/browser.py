"""A real browser for tests of pages: Chromium without a window, driven by Playwright.

Import ``browser`` and ``visit`` into a test file to use them. Where there is no
Chromium, or no Playwright, tests that need one are skipped and say why.
"""

import shutil
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = [  # nothing that a browser does on its own, and no sandbox: tests may be root
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


# The brightest pixel in the first row of all plots, from 0 to 255.
EDGE = """() => {
  let brightest = 0;
  (function look(root) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (element.tagName !== "CANVAS" || !element.width) continue;
      const copy = new OffscreenCanvas(element.width, 1);
      const context = copy.getContext("2d", {willReadFrequently: true});
      context.drawImage(element, 0, 0);
      const data = context.getImageData(0, 0, element.width, 1).data;
      for (let i = 0; i < data.length; i += 4)
        brightest = Math.max(brightest, data[i + 3] && data[i]);
    }
  })(document);
  return brightest;
}"""


@dataclass
class Visit:
    """A page that is open, and all that happened on it so far."""

    page: object
    complaints: list = field(default_factory=list)  # errors and warnings of the console
    addresses: list = field(default_factory=list)  # everything that was asked for

    def hosts(self):
        """Return the hosts that were asked; files and data are of none."""
        parts = (urlsplit(address) for address in self.addresses)
        return {part.netloc for part in parts if part.netloc}


@pytest.fixture(scope="module")
def browser():
    """Return a browser; it is closed after the last test of the file."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium: install Debian's package chromium")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install .[dev]"
    )
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=_QUIET)
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """Return a function that opens an address in a window of its own."""
    with ExitStack() as windows:

        def open_(address, *, width=1280, height=900, wait_until="load", **more):
            window = browser.new_context(
                viewport={"width": width, "height": height},
                accept_downloads=True,
                **more,
            )
            windows.callback(window.close)
            page = window.new_page()
            page.set_default_timeout(60_000)
            seen = Visit(page)
            page.on("request", lambda request: seen.addresses.append(request.url))
            page.on("websocket", lambda socket: seen.addresses.append(socket.url))
            page.on("pageerror", lambda error: seen.complaints.append(str(error)))
            page.on(
                "console",
                lambda message: (
                    message.type in ("error", "warning")
                    and seen.complaints.append(message.text)
                ),
            )
            page.goto(address, wait_until=wait_until)
            return seen

        yield open_
