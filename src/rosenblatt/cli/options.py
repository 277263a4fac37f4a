"""Options and arguments of commands, with what a shell may offer to complete them."""

from __future__ import annotations

from typing import Any

import typer

from rosenblatt.spelling.names import names

__all__ = ["option", "part"]


def option(panel: str, text: str, *flags: str, metavar: str | None = None) -> Any:
    """Return an option that the help shows in a panel of its own."""
    return typer.Option(*flags, help=text, metavar=metavar, rich_help_panel=panel)


def part(text: str, *kinds: type) -> Any:
    """Return an option that takes a part; a shell offers the names of its kinds."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names(*kinds) if name.startswith(incomplete)]

    return typer.Option(
        help=text, metavar="PART", rich_help_panel="Parts", autocompletion=complete
    )
