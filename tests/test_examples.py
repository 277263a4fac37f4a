"""Examples give the verdicts and figures that they promise."""

import importlib.util
import sys
from pathlib import Path

import pytest

from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Verdict, settle

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_gives_what_it_promises(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    example = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = example  # docstrings are filled from the module
    spec.loader.exec_module(example)
    assert example.PAPER.statements
    for statement in example.PAPER.statements:
        outcome = settle(statement, quick=True)
        assert outcome.verdict is Verdict.REPRODUCED, (statement.id, outcome.reason)
    for figure in example.PAPER.figures:
        assert isinstance(figure(quick=True), FigureData)
