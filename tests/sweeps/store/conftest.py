import pytest

from rosenblatt.sweeps.store.store import Store


@pytest.fixture
def stores(tmp_path):
    opened = [Store(tmp_path / "store"), Store(tmp_path / "store")]
    yield opened
    for store in opened:
        store.close()
