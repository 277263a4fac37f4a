import errno

import pytest

from rosenblatt.sweeps.store import locks

KEYS = [bytes([k]) * 16 for k in range(4)]


def test_claims_exclude_others_and_end_with_their_owner(stores):
    first, second = stores
    assert first.locks.acquire(KEYS[0])
    assert first.locks.acquire(KEYS[0])  # its own
    assert not second.locks.acquire(KEYS[0])
    assert second.locks.acquire(KEYS[1])
    first.locks.release(KEYS[0])
    assert second.locks.acquire(KEYS[0])
    second.close()
    assert first.locks.acquire(KEYS[0])
    assert first.locks.acquire(KEYS[1])


def test_a_file_system_without_locks_is_said_once(stores, monkeypatch):
    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locks.fcntl, "fcntl", no_locks)
    first, _ = stores
    with pytest.warns(UserWarning, match="No locks available.*compute the same item"):
        assert first.locks.acquire(KEYS[0])
    assert first.locks.acquire(KEYS[1])
