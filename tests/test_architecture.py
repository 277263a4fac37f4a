"""The page on the architecture is what the package is."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def architecture():
    spec = importlib.util.spec_from_file_location("layers", DOCS / "architecture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_shows_the_contracts(architecture):
    assert architecture.PICTURE.read_text() == architecture.picture()


def test_the_table_of_folders_is_that_of_the_package(architecture):
    assert architecture.layer_table() in architecture.PAGE.read_text()


def test_the_ways_down_to_the_kernels_are_those_of_the_page(architecture):
    """Ways are as listed and short; how many files run beside them may vary."""
    page = architecture.PAGE.read_text()
    for name, walk in architecture.walks().items():
        way = ", ".join(f"`{file}`" for file in walk.down)
        assert f"| `{name}` | {len(walk.down)} | {way} |" in page
        assert 0 < len(walk.down) <= 10
