"""Run learners on streams; write ``bench/streams.md`` and ``bench/streams.png``.

``python -m benchmarks.streams Elec2 --learner Bayes`` runs a part and prints it.
``--docs`` writes the tables and the picture into the guide.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from benchmarks.data import Data
from benchmarks.streams.archives import archived, default_folder
from benchmarks.streams.baseline import BEFORE
from benchmarks.streams.protocol import Learner, measure
from benchmarks.streams.report import Results, markdown, picture, write_into

OUT, DOCS = Path("bench"), Path("docs")
MODULES = {
    "scikit_learn": "scikit-learn",
    "vowpal_wabbit": "vowpalwabbit",
    "river": "river",
}


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.streams", description=__doc__.splitlines()[0]
    )
    parser.add_argument("streams", nargs="*", help="names of streams; all by default")
    parser.add_argument(
        "--data",
        type=Path,
        default=default_folder(),
        help="folder with the archives that contain streams (%(default)s)",
    )
    parser.add_argument(
        "--learner",
        action="append",
        help="part of a learner's name; may be repeated",
    )
    parser.add_argument(
        "--docs", action="store_true", help="write into docs/streams.md"
    )
    return parser.parse_args()


def module(name: str, missing: list[str]):
    """Return a module of this folder; say what is missing if it needs more."""
    try:
        return importlib.import_module(f"benchmarks.streams.{name}")
    except ImportError as fault:
        missing.append(f"`{name}` ({fault}; install the extra `bench`)")
        return None


def all_learners(words: list[str] | None, missing: list[str]) -> list[Learner]:
    """Return the learners whose libraries are installed, and that words name."""
    found = []
    for name in ("baseline", *MODULES):
        peers = module(name, missing)
        found += peers.learners() if peers else []
    return [
        learner
        for learner in found
        if not words
        or learner.name == BEFORE
        or any(word.lower() in learner.name.lower() for word in words)
    ]


def all_streams(folder: Path, words: list[str], missing: list[str]) -> Iterator[Data]:
    """Yield the streams that can be read, one at a time."""
    loaders: dict[str, Callable[[], Data]] = archived(folder)
    packaged = module("packaged", missing)
    loaders |= packaged.packaged() if packaged else {}
    for word in set(words) - set(loaders):
        raise SystemExit(f"there is no stream {word!r}; there are {', '.join(loaders)}")
    for name, load in loaders.items():
        if words and name not in words:
            continue
        try:
            yield load()
        except FileNotFoundError as fault:
            missing.append(f"{name} ({fault})")


def main() -> None:
    """Run, print a line for each result, and write tables and picture."""
    chosen, console = arguments(), Console(soft_wrap=True)
    missing: list[str] = []
    learners = all_learners(chosen.learner, missing)
    results: Results = {}
    streams = []
    for data in all_streams(chosen.data, chosen.streams, missing):
        streams.append(data)
        scaled, found = data.standardised(), {}
        for learner in learners:
            found[learner.name] = result = measure(learner, data, scaled)
            console.print(
                f"{data.name:14} {learner.name:30} error {result.score.error:.4f}  "
                f"log-loss {result.score.log_loss:.4f}  "
                f"{result.microseconds:8.2f} us a row  {result.memory:6.1f} MiB"
            )
        results[data.name] = found
    for what in missing:
        console.print(f"[bold]missing[/]: {what}")
    if not results:
        raise SystemExit("no stream was found")
    if chosen.streams or chosen.learner:
        return
    OUT.mkdir(exist_ok=True)
    text = markdown(results, streams, learners, missing)
    (OUT / "streams.md").write_text(text + "\n")
    picture(results, learners, OUT / "streams.png")
    console.print(f"{OUT}/streams.md, {OUT}/streams.png")
    if chosen.docs:
        write_into(DOCS / "streams.md", text)
        picture(results, learners, DOCS / "images" / "streams.png")


if __name__ == "__main__":
    main()
