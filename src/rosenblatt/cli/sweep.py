"""The command ``sweep``: run, store and resume many experiments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rosenblatt as rb
from rosenblatt.cli.options import DaskWorkers, Quiet, Scheduler, check_file, option
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.sweeps.plan import read_spec
from rosenblatt.sweeps.store import Store, collect
from rosenblatt.sweeps.sweep import run_plan

_FAILED = 1
_LISTED = 20  # failures that are printed


def sweep(
    spec: Annotated[
        Path,
        typer.Argument(help="TOML file that describes the sweep.", metavar="SPEC.toml"),
    ],
    store: Annotated[
        Path | None, option("Output", "File that stores results.", "FILE")
    ] = None,
    save: Annotated[Path | None, option("Output", "Write to a .nc file.")] = None,
    cores: Annotated[
        int | None,
        option("Workers", "Number of local processes; by default one per core."),
    ] = None,
    workers: DaskWorkers = None,
    scheduler: Scheduler = None,
    only_status: Annotated[
        bool,
        option("Output", "Print the number of results; run nothing.", None, "--status"),
    ] = False,
    only_collect: Annotated[
        bool,
        option("Output", "Save the stored results; run nothing.", None, "--collect"),
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Run a grid or a list of experiments, and store each result at once.

    Stored results are not computed again: run the same command to resume after a
    crash, a full disk or Ctrl-C. Results of another version of the code are not used.

    The file has `[parameters]`, which all experiments share, and `[axes]`, whose values
    are combined in all ways, or a list of `[[experiments]]`:

        task = "simulate"

        [parameters]
        schedule = "constant"
        dim = 100
        alpha = [1, 10, 100]

        [axes]
        rule = ["perceptron", "hebb", "normalised:rule=perceptron"]
        seed = {count = 10}

    A task is also `solve`, `simulate_machine`, `simulate_classes` or a function of
    yours, `file.py:function`, that returns a number, an array, a dictionary or a
    Dataset.

    Examples:

    - `rosenblatt sweep spec.toml --save curves.nc`
    - `rosenblatt sweep spec.toml --status`: while another one runs
    - `rosenblatt sweep spec.toml --scheduler tcp://cluster:8786 --store results`
    """
    if save is not None:
        check_file("--save", save, (".nc",))
    if only_collect and save is None:
        raise ValueError("--collect needs --save, the file to write to")
    plan, path = read_spec(spec)
    path = store or path
    failed, done = 0, 0
    if not only_status and not only_collect:
        failures = run_plan(
            plan,
            path,
            cores=cores,
            workers=workers,
            scheduler=scheduler,
            progress=False if quiet else None,
        )
        failed = len(failures)
        for item, reason in failures[:_LISTED]:
            typer.echo(f"rosenblatt: failed, {item}: {reason}", err=True)
    if path.exists() or only_collect:
        with Store(path) as opened:
            known = opened.keys()
            done = sum(key in known for key in plan.keys)
            if save is not None and not only_status:
                rb.save(collect(opened, plan.dataset()), save)
    if as_json:
        found = {"done": done, "total": len(plan), "failed": failed}
        print_json(found | {"store": str(path)})
    elif not quiet or only_status:
        typer.echo(f"{done} of {len(plan)} experiments are there, in {path}")
    if failed:
        raise typer.Exit(_FAILED)
