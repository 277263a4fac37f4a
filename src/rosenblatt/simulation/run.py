"""Numbers of one simulation: checked once, then passed down to every engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.core.arguments import flag, increasing, whole
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import generator, generators

__all__ = ["EXACT", "Run"]

EXACT = 2**53  # examples: up to here a float tells a whole number from the next
_STATES = 2**28  # recorded; four numbers each are 8 GiB


@dataclass(frozen=True, eq=False)
class Run:
    """Checked numbers of a simulation, the same for all engines.

    Build it with :meth:`at_alpha` or :meth:`at_examples`.

    Examples
    --------
    >>> run = Run.at_alpha([0.5, 2], 10, replicas=3, seed=0, workers=1, progress=None)
    >>> run.marks
    array([ 5, 20])
    """

    marks: IntArray  # numbers of examples after which the state is recorded
    dim: int  # N; 1 where examples are not counted per weight
    alpha: FloatArray  # marks per weight, as they were asked for
    replicas: int
    seed: int
    workers: int | None  # None: one thread per core
    progress: bool | None  # None: a bar in a terminal
    per_weight: bool = True  # whether examples are counted so

    def __post_init__(self) -> None:
        for name, low in (("replicas", 1), ("seed", 0), ("workers", 1)):
            given = getattr(self, name)
            if given is not None or name != "workers":
                object.__setattr__(self, name, whole(name, given, low=low))
        if self.progress is not None:
            flag("progress", self.progress)
        if self.replicas * self.marks.size > _STATES:
            raise ValueError(
                f"replicas must be at most {_STATES // self.marks.size} for "
                f"{self.marks.size} recorded times, got {self.replicas}"
            )

    @classmethod
    def at_alpha(
        cls,
        alpha: float | Iterable[float],
        dim: int,
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
        *,
        most: int = EXACT,
    ) -> Run:
        """Return a run recorded after given numbers of examples per weight."""
        dim = whole("dim", dim, low=1)
        alphas = increasing("alpha", alpha)
        if dim > EXACT:
            raise ValueError(f"dim must be at most {EXACT}, got {dim!s:.40}")
        if alphas[-1] * dim > most:
            raise ValueError(
                f"alpha * dim must not exceed {most:.1e} examples, "
                f"got {alphas[-1] * dim:.1e}"
            )
        marks = np.array([round(a * dim) for a in alphas], dtype=np.int64)
        return cls(marks, dim, alphas, replicas, seed, workers, progress)

    @classmethod
    def at_examples(
        cls,
        examples: float | Iterable[float],
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
    ) -> Run:
        """Return a run recorded after given numbers of examples."""
        given = increasing("examples", examples)
        for n in given[(given != np.floor(given)) | (given > EXACT)]:
            raise ValueError(f"examples must be whole numbers up to 2**53, got {n}")
        marks = given.astype(np.int64)
        return cls(marks, 1, given, replicas, seed, workers, progress, False)

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers that a specification has, in the order in which it has them."""
        last = {"replicas": self.replicas, "seed": self.seed}
        if self.per_weight:
            return {"dim": self.dim, "alpha": self.alpha, **last}
        return {"examples": self.marks, **last}

    def place(self, replica: int, example: int) -> str:
        """Return words for an example of a replica, for error messages."""
        alpha = f" (alpha = {example / self.dim:g})" if self.dim > 1 else ""
        return f"in replica {replica} at example {example}{alpha}"

    def generators(self, replicas: range, uses: int) -> Words:
        """Return random numbers for each replica and use: (replica, use, 3)."""
        return generators(self.seed, replicas, uses)

    def seeds(self, replica: int) -> tuple[np.random.Generator, Words, Words, Words]:
        """Return generators for the start, examples, rejected draws and turns.

        They depend on the seed and the number of the replica, on nothing else.
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replica,))
        first, *others = sequence.spawn(4)
        examples, spare, turns = (generator(one) for one in others)
        return np.random.default_rng(first), examples, spare, turns
