"""Whether this process may be forked: the copy has one thread, whatever there was."""

from __future__ import annotations

import sys
import threading

__all__ = ["forkable"]


def _computes(module: str = "jax._src.xla_bridge") -> bool:
    """Return whether JAX has started its threads, which Python does not know of.

    They start with its first computation. That it is loaded tells nothing: whatever
    looks at all modules, as ``inspect.stack`` does, loads the lazy ones.
    """
    bridge = sys.modules.get(module)
    if bridge is None:
        return "jax" in sys.modules
    return bool(getattr(bridge, "backends_are_initialized", lambda: True)())


def forkable() -> bool:
    """Return whether a fork is safe: on Linux, where no other thread may hold a lock.

    Examples
    --------
    >>> lock = threading.Event()
    >>> other = threading.Thread(target=lock.wait)
    >>> other.start()
    >>> forkable()
    False
    >>> lock.set()
    >>> other.join()
    """
    alone = threading.active_count() == 1 and not _computes()
    return sys.platform == "linux" and alone
