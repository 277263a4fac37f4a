"""Results in a file, so that a run measures only what is missing."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.scores import Score
from benchmarks.streams.protocol import Result

Results = dict[str, dict[str, Result]]  # of each stream, of each learner


def load(path: Path) -> Results:
    """Return the results in a file; none if there is no file."""
    if not path.exists():
        return {}
    return {
        stream: {
            name: Result(**(one | {"score": Score(**one["score"])}))
            for name, one in found.items()
        }
        for stream, found in json.loads(path.read_text()).items()
    }


def save(results: Results, path: Path) -> None:
    """Write all results."""
    plain = {
        stream: {name: asdict(result) for name, result in found.items()}
        for stream, found in results.items()
    }
    path.write_text(json.dumps(plain, indent=1))
