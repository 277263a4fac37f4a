"""Run learners on streams; write ``bench/streams.md`` and ``bench/streams.png``.

Results are kept in ``bench/streams.json``, and a later run measures what is missing.
``python -m benchmarks.streams Elec2 --learner Bayes`` measures a part again and prints
it. ``--docs`` writes the tables and the picture into the guide.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from benchmarks.data import Data
from benchmarks.page import write_measured
from benchmarks.streams.archives import archived, default_folder
from benchmarks.streams.baseline import BEFORE
from benchmarks.streams.protocol import Learner, Result, measure
from benchmarks.streams.report import markdown, picture
from benchmarks.streams.store import load, save

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
        help="part of a learner's name, to measure again; may be repeated",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="forget the results of earlier runs"
    )
    parser.add_argument(
        "--docs", action="store_true", help="write into docs/measured.json"
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
    for name, loader in loaders.items():
        if words and name not in words:
            continue
        try:
            yield loader()
        except FileNotFoundError as fault:
            missing.append(f"{name} ({fault})")


def shown(stream: str, learner: str, result: Result) -> str:
    """Return a result in a line."""
    return (
        f"{stream:14} {learner:30} error {result.score.error:.4f}  "
        f"log-loss {result.score.log_loss:.4f}  "
        f"{result.microseconds:8.2f} us a row  {result.memory:6.1f} MiB"
    )


def main() -> None:
    """Measure what is missing or asked for, and write tables and picture."""
    chosen, console = arguments(), Console(soft_wrap=True)
    OUT.mkdir(exist_ok=True)
    store = OUT / "streams.json"
    missing: list[str] = []
    learners = all_learners(chosen.learner, missing)
    kept = {} if chosen.fresh else load(store)
    part = bool(chosen.streams or chosen.learner)
    streams = []
    for data in all_streams(chosen.data, chosen.streams, missing):
        streams.append(data)
        scaled, found = None, kept.setdefault(data.name, {})
        for learner in learners:
            if learner.name in found and not part:
                continue
            scaled = scaled or data.standardised()
            found[learner.name] = measure(learner, data, scaled)
            console.print(shown(data.name, learner.name, found[learner.name]))
            save(kept, store)
    for what in missing:
        console.print(f"[bold]missing[/]: {what}")
    if not streams:
        raise SystemExit("no stream was found")
    if part:
        return
    results = {data.name: kept[data.name] for data in streams}
    text = markdown(results, streams, learners, missing)
    (OUT / "streams.md").write_text(text + "\n")
    picture(results, learners, OUT / "streams.png")
    console.print(f"{OUT}/streams.md, {OUT}/streams.png")
    if chosen.docs:
        write_measured("results", text)
        picture(results, learners, DOCS / "images" / "streams.png")


if __name__ == "__main__":
    main()
