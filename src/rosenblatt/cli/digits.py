"""The command ``digits``: learn handwritten digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

import rosenblatt as rb
from rosenblatt.cli.options import PLOTS, check_file, check_there
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.seung2002.comparison import compare, pictures, references
from rosenblatt.papers.seung2002.images import Digits, bundled, from_files

__all__ = ["digits"]


def _file(text: str) -> Any:
    return typer.Option(help=text, metavar="FILE", rich_help_panel="Images")


def _given(
    images: Path | None,
    labels: Path | None,
    test_images: Path | None,
    test_labels: Path | None,
) -> Digits:
    """Return the images in files, or the bundled ones."""
    if images is None and labels is None:
        if test_images is not None or test_labels is not None:
            raise ValueError(
                "--test-images and --test-labels need --images and --labels"
            )
        return bundled()
    if images is None or labels is None:
        raise ValueError("--images and --labels must be given both or not at all")
    check_there(images, labels, test_images, test_labels)
    return from_files(images, labels, test_images, test_labels)


def _save(data: FigureData, path: Path) -> None:
    rb.plotting.draw(data).savefig(path, format=path.suffix[1:].lower())


def digits(
    images: Annotated[Path | None, _file("Images to learn from.")] = None,
    labels: Annotated[Path | None, _file("Labels of these images.")] = None,
    test_images: Annotated[Path | None, _file("Images to test with.")] = None,
    test_labels: Annotated[Path | None, _file("Labels of these images.")] = None,
    passes: Annotated[int, typer.Option(help="Passes through the images.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the orders of images.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(help="Draw accuracies to a .png, .pdf or .svg file.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Draw weights to a .png, .pdf or .svg file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn handwritten digits online, beside scikit-learn's linear classifiers.

    Without files the images are scikit-learn's, of 8 by 8 pixels. Files have the
    idx format of MNIST, plain or .gz: `--images train-images-idx3-ubyte.gz --labels
    train-labels-idx1-ubyte.gz --test-images t10k-images-idx3-ubyte.gz --test-labels
    t10k-labels-idx1-ubyte.gz`. Without test files every fourth image is for testing.

    Examples:

    - `rosenblatt digits --weights weights.png`
    - `rosenblatt digits --passes 50 --seed 1 --plot accuracies.pdf`
    - `rosenblatt digits --images train-images-idx3-ubyte.gz --labels
      train-labels-idx1-ubyte.gz --passes 3 --json`
    """
    if passes < 1:
        raise ValueError(f"--passes must be a whole number not below 1, got {passes}")
    if seed < 0:
        raise ValueError(f"--seed must be a whole number not below 0, got {seed}")
    for option, path in (("--plot", plot), ("--weights", weights)):
        if path is not None:
            check_file(option, path, PLOTS)
    given = _given(images, labels, test_images, test_labels)
    curves: dict[str, list[float]] = {}
    for found, after in compare(given, passes, seed):
        model = after
        for name, accuracy in found.items():
            curves.setdefault(name, []).append(accuracy)
    solved = references(given)
    if as_json:
        print_json({"accuracy": curves, "references": solved})
    else:
        _print(given, curves, solved, passes)
    if weights is not None:
        _save(pictures(model, given.shape), weights)
    if plot is not None:
        when = list(range(1, passes + 1))
        series = [Series(name, when, c, "simulation") for name, c in curves.items()]
        series += [
            Series(name, [1, max(passes, 2)], [value] * 2, "theory")
            for name, value in solved.items()
        ]
        _save(FigureData("Digits", "", "passes", "test accuracy", tuple(series)), plot)


def _print(
    given: Digits,
    curves: Mapping[str, Sequence[float]],
    solved: Mapping[str, float],
    passes: int,
) -> None:
    table = Table(
        "passes",
        *curves,
        caption=f"accuracy on {len(given.test)} test images after passes through "
        f"{len(given.train)}",
    )
    shown = sorted({1, 2, 5, 10, 20, 50, 100, passes})
    for count in (n for n in shown if n <= passes):
        table.add_row(str(count), *(f"{c[count - 1]:.4f}" for c in curves.values()))
    console = Console()
    console.print(table)
    for name, accuracy in solved.items():
        console.print(f"{name}: {accuracy:.4f}", highlight=False)
