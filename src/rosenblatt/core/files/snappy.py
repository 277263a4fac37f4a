"""Snappy, the compression that Parquet files have unless one asks for another.

A stream is the length of what comes out, and then pieces: literals, and copies of what
has come out before. The format is Google's and public; nothing here trusts the stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.core.jit import inlined

__all__ = ["unpacked"]


@inlined
def _little_endian(source: Any, at: Any, size: Any) -> Any:
    value: Any = 0
    for k in range(size):
        value |= np.int64(source[at + k]) << (8 * k)
    return value


@inlined
def unpacked(source: Any, at: Any, stop: int, out: Any) -> Any:
    """Unpack ``source[at:stop]`` into ``out``; return its size, or -1 if it is wrong.

    ``stop`` must not be beyond the end of the source.
    """
    size: Any = 0
    shift = 0
    while True:
        if at >= stop or shift > 28:
            return -1
        byte = np.int64(source[at])
        at += 1
        size |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    if size > out.size:
        return -1
    done: Any = 0
    length: Any
    while at < stop:
        tag = np.int64(source[at])
        at += 1
        kind = tag & 3
        length = (tag >> 2) + 1
        if kind == 0:  # literal; lengths above 60 are in the next bytes
            if length > 60:
                more: Any = length - 60
                if at + more > stop:
                    return -1
                length = _little_endian(source, at, more) + 1
                at += more
            if at + length > stop or done + length > size:
                return -1
            given, taken = source[at : at + length], out[done : done + length]
            for k in range(length):
                taken[k] = given[k]
            at += length
            done += length
            continue
        more = 1 if kind == 1 else (2 if kind == 2 else 4)
        if at + more > stop:
            return -1
        back = _little_endian(source, at, more)
        at += more
        if kind == 1:
            length = ((tag >> 2) & 7) + 4
            back |= (tag >> 5) << 8
        if back < 1 or back > done or done + length > size:
            return -1
        if back >= length:
            old, new = out[done - back : done], out[done : done + length]
            for k in range(length):
                new[k] = old[k]
        else:  # what is copied is not all there yet
            for k in range(length):
                out[done + k] = out[done + k - back]
        done += length
    return size if done == size else -1
