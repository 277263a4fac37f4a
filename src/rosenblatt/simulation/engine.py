"""An engine: a name, what it cannot take, and how it runs what it can."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import xarray as xr

from rosenblatt.core import Rule, Stream, Teacher, starts
from rosenblatt.core.trace import trace
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.problem import Problem, RefusalError, pose
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["Engine"]


@dataclass(frozen=True)
class Engine:
    """One way to simulate. Call it with the arguments of :func:`rosenblatt.simulate`.

    Parameters
    ----------
    name
        What it is called.
    refusal
        Returns why it cannot take a problem, and which engine can; None if it can.
    records
        Runs all replicas: coordinates of the student and number of mistakes, in an
        array (replica, alpha, 4).
    """

    name: str
    refusal: Callable[[Problem], str | None]
    records: Callable[[Problem], FloatArray]

    def __call__(
        self,
        rule: Rule,
        schedule: ScheduleLike,
        teacher: Teacher | None = None,
        stream: Stream | None = None,
        *,
        dim: int,
        alpha: float | Iterable[float],
        replicas: int = 1,
        seed: int = 0,
        start: starts.Start | None = None,
        workers: int | None = None,
        progress: bool | None = None,
    ) -> xr.Dataset:
        """Simulate, or say why this engine cannot and which one can."""
        problem = pose(
            rule,
            schedule,
            teacher,
            stream,
            dim=dim,
            alpha=alpha,
            replicas=replicas,
            seed=seed,
            start=start,
            workers=workers,
            progress=progress,
        )
        return self.run(problem)

    def run(self, problem: Problem) -> xr.Dataset:
        """Simulate a problem that has been checked."""
        reason = self.refusal(problem)
        if reason is not None:
            raise RefusalError(f"engine {self.name!r} cannot run this: {reason}")
        parts = problem.parts
        spec = {
            **parts.describe(),
            "dim": problem.dim,
            "alpha": problem.alpha.tolist(),
            "replicas": problem.replicas,
            "seed": problem.seed,
        }
        records = self.records(problem)
        return trace(
            records[..., :3],
            records[..., 3],
            problem.alpha,
            parts.teacher,
            problem.setting.positive,
            parts.stream,
            engine=self.name,
            dim=problem.dim,
            spec=spec,
        )
