"""Downloads: data and code, at addresses that cannot be guessed."""

from __future__ import annotations

import csv
import io
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xarray as xr
from tornado.web import HTTPError, RequestHandler

import rosenblatt as rb

__all__ = ["Downloads", "Handler", "result_csv", "result_netcdf"]

Make = Callable[[], bytes]
_KINDS = {
    ".csv": "text/csv; charset=utf-8",
    ".nc": "application/x-netcdf",
    ".py": "text/x-python; charset=utf-8",
}


def result_csv(result: xr.Dataset) -> bytes:
    """Return a run as a table: one row for each replica and time.

    Examples
    --------
    >>> run = rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), dim=9, alpha=[1])
    >>> result_csv(run).decode().partition(",error")[0]
    'replica,alpha,overlap,angle,norm,mean_overlap'
    """
    names = [str(name) for name in result.data_vars]
    columns = [result[name].transpose("replica", "alpha").values for name in names]
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["replica", "alpha", *names])
    for r, replica in enumerate(result["replica"].values):
        for a, alpha in enumerate(result["alpha"].values):
            row = (column[r, a].item() for column in columns)
            table.writerow([int(replica), float(alpha), *row])
    return text.getvalue().encode()


def result_netcdf(result: xr.Dataset) -> bytes:
    """Return a run as the file that :func:`rosenblatt.save` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "curve.nc")
        rb.save(result, path)
        return path.read_bytes()


class Downloads:
    """Files of every visitor, made when they are requested.

    Examples
    --------
    >>> desk = Downloads()
    >>> desk.offer("secret", {"a.py": lambda: b"pass"})
    >>> desk.take("secret", "a.py")
    b'pass'
    >>> desk.take("guess", "a.py")
    Traceback (most recent call last):
    KeyError: 'guess'
    """

    def __init__(self) -> None:
        self._offers: dict[str, dict[str, Make]] = {}

    @staticmethod
    def token() -> str:
        """Return a new name for a visitor's files."""
        return secrets.token_urlsafe(16)

    def offer(self, token: str, files: dict[str, Make]) -> None:
        """Offer these files instead of those before."""
        self._offers[token] = files

    def withdraw(self, token: str) -> None:
        """Remove the files of a visitor."""
        self._offers.pop(token, None)

    def take(self, token: str, name: str) -> bytes:
        """Return a file."""
        return self._offers[token][name]()


class Handler(RequestHandler):
    """Answers requests for files."""

    def initialize(self, downloads: Downloads) -> None:
        """Store the downloads."""
        self._downloads = downloads

    def get(self, token: str, name: str) -> None:
        """Send a file, or an error if there is none."""
        try:
            content = self._downloads.take(token, name)
        except KeyError:
            raise HTTPError(404) from None
        self.set_header("Content-Type", _KINDS[Path(name).suffix])
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.set_header("Cache-Control", "no-store")
        self.write(content)

    def write_error(self, status_code: int, **more: Any) -> None:
        """Answer an error in one line, without details."""
        self.finish("There is no such file (any more).\n")
