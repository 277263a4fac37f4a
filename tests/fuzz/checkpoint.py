"""Checkpoints of training, changed, with a checksum that is right again."""

from pathlib import Path
from typing import NamedTuple

import rosenblatt as rb
from tests.fuzz.cases import Case, FaultError
from tests.fuzz.commands import RefusedError, command
from tests.fuzz.model_changes import changed_model
from tests.tables.examples import table, write

_MODELS = ("perceptron", "bayes-diagonal", "clipped-hebb")
_SAVE = "model.safetensors"
_DATA = "rows.csv"


class Golden(NamedTuple):
    """A checkpoint in the middle of a file."""

    model: str
    folder: Path
    content: bytes


def _options(model):
    more = ["--target", "won", "--model", model, "--batch-rows", "16", "--quiet"]
    return [*more, "--on-error", "skip", "--save", _SAVE, "--resume"]


def prepare(folder):
    """Learn until a bad row stops it: what was learned before is in a checkpoint."""
    found = []
    path = write(table(60), folder / _DATA)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:50], "1,2", *lines[50:]]) + "\n")
    for model in _MODELS:
        save = folder / f"{model}.safetensors"
        given = {"model": model, "batch_rows": 16, "save": save}
        try:
            rb.train(path, "won", **given)
        except ValueError:
            kept = folder / f"{save.name}.checkpoint"
            found.append(Golden(model, folder, kept.read_bytes()))
        rb.train(path, "won", on_error="skip", resume=True, **given)
    return found


def mutate(golden, random):
    """Return a checkpoint with other tensors, records, names or numbers."""
    chosen = random.choice(golden)
    classes = ["OnlinePerceptron", "BayesPerceptron", "rules.Hebb", "filter", "learner"]
    changed, said = changed_model(chosen.content, classes, random)
    files = {f"{_SAVE}.checkpoint": changed}
    return Case(f"{chosen.model}: {said}", files, (chosen.model, chosen.folder))


def run(case, folder, stage):
    """Look at the checkpoint, go on from it, and use the model."""
    model, golden = case.given or ("perceptron", folder)
    content = case.files[f"{_SAVE}.checkpoint"]
    checkpoint = Path(f"{_SAVE}.checkpoint")
    checkpoint.write_bytes(content)
    refused = None
    try:
        command(["inspect", str(checkpoint)], stage, [checkpoint.name])
    except RefusedError as failure:
        refused = failure
    data = str(golden / _DATA)
    try:
        command(["train", data, *_options(model)], stage)
    except RefusedError:
        if not checkpoint.exists():
            raise FaultError("a failing command removed the checkpoint") from None
        raise
    if refused is not None:
        raise FaultError(f"went on from what inspect refuses: {refused}")
    command(["predict", _SAVE, data, "--out", "out.csv", "--on-error", "skip"], stage)
