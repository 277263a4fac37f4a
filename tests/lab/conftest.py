import pytest

from rosenblatt.lab import state


@pytest.fixture(autouse=True)
def no_own_rules():
    """Forget rules in files that a test has offered."""
    yield
    state.OWN.clear()
