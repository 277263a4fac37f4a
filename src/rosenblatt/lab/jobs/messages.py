"""Messages between the laboratory and the processes of its jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import xarray as xr

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.state import State

__all__ = ["Curve", "Done", "Job", "Message", "Ready", "Remark", "Run", "Turn"]


@dataclass(frozen=True)
class Job:
    """A view to be computed, and rules in files, which the process cannot know."""

    state: State
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ready:
    """The process waits for permission to compute its next stage."""


@dataclass(frozen=True)
class Curve:
    """A curve from theory; its role is ``theory``, ``asymptote`` or ``best``."""

    role: str
    name: str
    alpha: FloatArray
    error: FloatArray
    overlap: FloatArray | None = None


@dataclass(frozen=True)
class Run:
    """A simulation so far, its seconds, and whether it is complete."""

    result: xr.Dataset
    seconds: float
    complete: bool


@dataclass(frozen=True)
class Remark:
    """A text for the visitor; after a failure no other message follows."""

    text: str
    failure: bool = False


@dataclass(frozen=True)
class Done:
    """The last message of a process."""


Turn = Callable[[], None]  # waits for permission
Message = Ready | Done | Curve | Run | Remark | FigureData
