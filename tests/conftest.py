import functools

import pytest

from rosenblatt.papers.verdicts import settle


@pytest.fixture(scope="session")
def settled():
    """Settle each claim once, in quick mode."""
    return functools.cache(lambda item: settle(item, quick=True))
