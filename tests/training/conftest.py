import pytest

from tests.tables.examples import table, write


@pytest.fixture(scope="package")
def given():
    return table(600)


@pytest.fixture(scope="package")
def csv(given, tmp_path_factory):
    return write(given, tmp_path_factory.mktemp("files") / "x.csv")
