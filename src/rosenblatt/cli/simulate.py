"""The command ``simulate``: learning curves of any parts."""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from rich.console import Console
from rich.table import Table

import rosenblatt as rb
from rosenblatt.cli.options import PLOTS, Quiet, check_file, option, part
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.specification.codec import number, parse, whole
from rosenblatt.specification.parts import Shift, combined
from rosenblatt.system.atomic_files import replacing

if TYPE_CHECKING:  # a page of help does without it
    import xarray as xr


_FIRST = 0.1  # where a grid begins after 0
_DECADE = 10  # points of a grid in a decade
_LONG = 20  # rows of a table that still can be taken in


def grid(text: str, dim: int) -> list[float]:
    """Return the times to record: those listed, or a grid up to the only one.

    The grid has 0 and then about 10 points a decade. They begin at 0.1, or at a
    hundredth of the last point if that is less. Each is a whole number of examples.

    Examples
    --------
    >>> grid("1,10", 1000)
    [1.0, 10.0]
    >>> grid("0.3", 10)
    [0.0, 0.1, 0.2, 0.3]
    """
    if "," in text:
        return [number("alpha", piece) for piece in text.split(",") if piece.strip()]
    last = number("alpha", text)
    if not 0 < last * dim < math.inf:
        return [last]  # which the engines accept or refuse
    first = min(_FIRST, last / 100)
    points = np.geomspace(first, last, 1 + round(_DECADE * np.log10(last / first)))
    examples = np.unique(np.rint([0.0, *points * dim]))
    return [float(count) / dim for count in examples]


def draw(result: xr.Dataset, theory: xr.Dataset | None, path: Path) -> None:
    """Draw learning curves to a file, whole or not at all."""
    figure = rb.plotting.learning_curve(result, theory=theory)
    with replacing(path) as partial:
        figure.savefig(partial, format=path.suffix[1:].lower())


def summary(result: xr.Dataset, theory: xr.Dataset | None) -> dict[str, Any]:
    """Return medians and bands over replicas, and what was simulated.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> hebb = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> sorted(summary(hebb, None))[:4]
    ['alpha', 'attributes', 'error', 'error_high']
    """
    low, error, high = np.quantile(result["error"].values, [0.05, 0.5, 0.95], axis=0)
    found = {
        "alpha": result["alpha"].values,
        "error": error,
        "error_low": low,
        "error_high": high,
        "overlap": np.median(result["overlap"].values, axis=0),
        "replicas": result.sizes["replica"],
        "attributes": dict(result.attrs),
    }
    return found if theory is None else found | {"theory": theory["error"].values[0]}


def table(result: xr.Dataset, theory: xr.Dataset | None) -> Table:
    """Return medians and bands over replicas; every tenth row of a long result.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> hebb = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> [column.header for column in table(hebb, None).columns]
    ['alpha', 'error', '5-95%', 'overlap']
    """
    known = summary(result, theory)
    alpha, error, overlap = known["alpha"], known["error"], known["overlap"]
    low, high = known["error_low"], known["error_high"]
    rows = set(range(alpha.size))
    if alpha.size > _LONG:
        rows = {0, *range(alpha.size - 1, 0, -_DECADE)}
    shown = Table(caption=f"medians over {known['replicas']} replicas")
    for header in ("alpha", "error", "5-95%", "overlap"):
        shown.add_column(header, justify="right")
    if theory is not None:
        shown.add_column("theory", justify="right")
    for i in sorted(rows):
        entries = [
            f"{alpha[i]:.6g}",
            f"{error[i]:.4g}",
            f"{low[i]:.3g} - {high[i]:.3g}",
            f"{overlap[i]:.6f}",
        ]
        if theory is not None:
            entries.append(f"{known['theory'][i]:.4g}")
        shown.add_row(*entries)
    return shown


def _curve(parts: Any, alpha: list[float], **given: Any) -> Any:
    """Return the learning curve for N to infinity."""
    if isinstance(parts[0], rb.core.BeliefRule):
        raise ValueError(
            f"--theory cannot go with a rule that has beliefs, got {parts[0]!r}"
        )
    return rb.solve(*parts, alpha=alpha, **given)


_around, _numbers, _output = (
    functools.partial(option, panel)
    for panel in ("Around the rule", "Numbers", "Output")
)
_SHIFT = "Learn from x - T; T is an average, proportional to the field, or known."
_ENGINES = "One of events, reduced, full, coordinate; by default the fastest."
_START = "The first weights; by default those of the rule."
_MOTION = "The teacher's motion; by default it stands still."


def simulate(
    rule: Annotated[str, part("The learning rule.", rb.core.Rule, rb.core.BeliefRule)],
    schedule: Annotated[str, part("The learning rate.", rb.core.Schedule)] = "constant",
    teacher: Annotated[
        str, part("The teacher, which labels.", rb.core.Teacher)
    ] = "sign",
    stream: Annotated[str, part("The inputs.", rb.core.Stream)] = "gaussian",
    start: Annotated[str | None, part(_START, rb.starts.Start)] = None,
    motion: Annotated[str | None, part(_MOTION, rb.core.Motion)] = None,
    shifted: Annotated[Shift | None, _around(_SHIFT)] = None,
    decay: Annotated[float | None, _around("Add weight decay.")] = None,
    normalised: Annotated[
        bool, _around("Keep the length of the weights constant.", None, "--normalised")
    ] = False,
    dim: Annotated[str, _numbers("Number of weights, N.", "N")] = "1000",
    alpha: Annotated[
        str, _numbers("Times to record, in examples / N.", "NUMBER,...")
    ] = "100",
    replicas: Annotated[str, _numbers("Number of independent runs.", "N")] = "100",
    seed: Annotated[int, _numbers("Seed; the same one gives the same bits.")] = 0,
    workers: Annotated[int | None, _numbers("Threads; else one per core.")] = None,
    engine: Annotated[str | None, _numbers(_ENGINES)] = None,
    theory: Annotated[
        bool, _output("Add the curve for N to infinity.", None, "--theory")
    ] = False,
    plot: Annotated[Path | None, _output("Draw to a .png, .pdf or .svg file.")] = None,
    save: Annotated[Path | None, _output("Write to a .nc file.")] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Simulate students that learn from a teacher, without approximation.

    A PART is `name` or `name:key=value,key=value`, such as `perceptron:margin=1`,
    `power:scale=5,exponent=1` or `overlap:teacher=0.9`; an unknown name,
    such as `--rule help`, prints all names. Parts inside parts have parentheses:
    `delta:activation=tanh(gain=2)`. A part of your own is `my_file.py:MyRule` or
    `my_file.py:MyRule:key=value`. A schedule may also be a function of the clock,
    `my_file.py:my_rate`.

    The rule is shifted first, then given its decay, then normalised. `--shifted known`
    computes the shift from the overlap of the inputs' mean with the teacher.

    `--alpha 1e4` records 0 and then about 10 values a decade from 0.1 to 1e4.
    `--alpha 1,10,100` records these times, and `--alpha 100,` the time 100 only.

    Examples:

    - `rosenblatt simulate --rule hebb --theory`
    - `rosenblatt simulate --rule perceptron --normalised --schedule
      power:scale=5.013,exponent=1 --alpha 1e4 --theory --plot curve.png`
    - `rosenblatt simulate --rule my_file.py:MyRule --teacher sign:noise=0.1 --save
      run.nc`
    - `rosenblatt simulate --rule adatron --alpha 1,10,100 --json`
    - `rosenblatt simulate --rule perceptron --motion random-walk:strength=0.1 --theory`
    """
    if plot is not None:
        check_file("--plot", plot, PLOTS)
    if save is not None:
        check_file("--save", save, (".nc",))
    size = whole("dim", dim)
    count = whole("replicas", replicas)
    inputs = parse(rb.core.Stream, stream)
    parts = (
        combined(
            parse(rb.core.Rule, rule, rb.core.BeliefRule),
            inputs,
            shifted=shifted,
            decay=decay,
            normalised=normalised,
        ),
        parse(rb.core.Schedule, schedule),
        parse(rb.core.Teacher, teacher),
        inputs,
    )
    given: dict[str, Any] = {
        "start": None if start is None else parse(rb.starts.Start, start),
        "motion": None if motion is None else parse(rb.core.Motion, motion),
    }
    alphas = grid(alpha, size)
    # before the simulation, which would be lost if there were no curve
    curve = _curve(parts, alphas, **given) if theory else None
    began = time.perf_counter()
    result = rb.simulate(
        *parts,
        dim=size,
        alpha=alphas,
        replicas=count,
        seed=seed,
        workers=workers,
        progress=False if quiet or as_json else None,
        engine=engine,
        **given,
    )
    seconds = time.perf_counter() - began
    if save is not None:
        rb.save(result, save)
    if as_json:
        print_json(summary(result, curve) | {"seconds": seconds})
    elif not quiet:
        console = Console()
        console.print(table(result, curve))
        console.print(
            f"engine {result.attrs['engine']}, {seconds:.2f} s, equivalent to "
            f"{count * size * alphas[-1] / seconds:.3g} examples per second",
            highlight=False,
            soft_wrap=True,
        )
    if plot is not None:
        draw(result, curve, plot)
