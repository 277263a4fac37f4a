"""The command ``lab``: serve the laboratory."""

from __future__ import annotations

import webbrowser
from typing import Annotated, Any

import lazy_loader
import typer

# Loaded when the page is wanted: all other commands do without it.
web: Any = lazy_loader.load("rosenblatt.lab.server", suppress_warning=True)


def lab(
    address: Annotated[
        str,
        typer.Option(
            help="Address to listen on; any but 127.0.0.1 lets other machines in."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535),
    ] = 0,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser.")
    ] = False,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            help="Offer a rule of yours as well; may be repeated.",
            metavar="FILE.py:NAME",
        ),
    ] = None,
    stop_after: Annotated[
        float | None,
        typer.Option(help="Seconds after which to stop.", metavar="SECONDS", min=0),
    ] = None,
) -> None:
    """Serve the laboratory: live learning curves and data sets on a web page.

    The page loads nothing from other machines. Ctrl-C stops the server.

    Examples:

    - `rosenblatt lab --open`
    - `rosenblatt lab --rule my_rules.py:Cautious`: a rule of yours beside the others
    """
    if not web.loopback(address):
        typer.echo(
            f"rosenblatt: everybody who can reach {address} can use this page",
            err=True,
        )

    def ready(url: str) -> None:
        typer.echo(f"{url}\nCtrl-C stops it.")
        if open_:
            webbrowser.open(url)

    try:
        web.serve(address, port, rules=rule or (), stop_after=stop_after, ready=ready)
    except KeyboardInterrupt:
        typer.echo("stopped")
