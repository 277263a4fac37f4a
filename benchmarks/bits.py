"""Packed bits against float32 BLAS and scikit-learn.

All calls are the public ones, on tables that were packed before (packing has rows of
its own) and are in no cache. Two threads take half of the rows each, one of them is the
caller. One thread is timed by its own clock, which stands still while others have the
processor.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

import rosenblatt as rb
from benchmarks.formatting import number_of, rounded
from benchmarks.measure import Row, seconds
from rosenblatt.bits import Bits, count, fields, pack, unpack

DIM = 1000
ROWS = 100_000  # 400 MB as float32, 12.8 MB packed
MODELS = (1, 2, 4, 8, 16, 64)
CLASSES = (2, 16)
REPEATS = 15
ENOUGH = 0.4  # seconds, after which slow work is not repeated any more
SWEEP = np.ones(2**24)  # 128 MiB, to empty the caches
POOL = ThreadPoolExecutor(1)


def _table(rows: int) -> tuple[Bits, np.ndarray]:
    """Return examples and labels of a random teacher."""
    bits = rb.streams.UniformBits(DIM).draw(rows, seed=0)
    teacher = rb.streams.UniformBits(DIM).draw(1, seed=1)
    return bits, np.where(fields(bits, teacher)[:, 0] > 0, 1, -1).astype(np.float32)


def _divided(threads: int, rows: int, work: Callable[[slice], object]) -> list:
    """Do the work on that many parts of the rows at once."""
    cuts = np.linspace(0, rows, threads + 1).astype(int)
    parts = [slice(a, b) for a, b in itertools.pairwise(cuts)]
    others = [POOL.submit(work, part) for part in parts[1:]]
    return [work(parts[0]), *(other.result() for other in others)]


def _counted(bits: Bits, y: np.ndarray, threads: int) -> rb.bits.Counts:
    parts = _divided(threads, len(bits), lambda rows: count(bits[rows], y[rows]))
    return parts[0] if threads == 1 else parts[0] + parts[1]


def _times(works: list[Callable[[], object]], threads: int = 1) -> list[float]:
    """Return the shortest time of each, with nothing of it in a cache.

    One after the other, since threads of BLAS go on spinning for a while.
    """
    clock = time.thread_time if threads == 1 else time.perf_counter
    found = []
    for work in works:
        time.sleep(0.2)
        work()
        times: list[float] = []
        while len(times) < REPEATS and (len(times) < 3 or sum(times) < ENOUGH):
            SWEEP.sum()
            times.append(seconds(work, 1, clock))
        found.append(min(times))
    return found


def counting() -> Iterator[Row]:
    """Count bits and labels: the clipped Hebb rule against a product by BLAS."""
    bits, y = _table(ROWS)
    X = unpack(bits, np.float32)
    assert np.array_equal(count(bits, y).hebb, np.rint(y @ X))
    for threads in (1, 2):
        with threadpool_limits(threads):
            ours, peer = _times(
                [lambda n=threads: _counted(bits, y, n), lambda x=X: y @ x], threads
            )
        yield Row(
            f"counts, n = {DIM}, {ROWS} rows, {number_of(threads, 'thread')}",
            f"{peer / ours:.1f} times float32 BLAS y @ X ({ours * 1e3:.2f} ms)",
            ">= 2 times",
            peer / ours >= 2,
        )


def _peer(coef: np.ndarray) -> SGDClassifier:
    """Return a classifier of scikit-learn with these weights, in float32."""
    peer = SGDClassifier()
    peer.classes_ = np.arange(max(len(coef), 2))
    peer.n_features_in_ = DIM
    peer.coef_ = coef.astype(np.float32)
    peer.intercept_ = np.zeros(len(coef), np.float32)
    return peer


def predicting() -> Iterator[Row]:
    """Compare fields with the decision function of scikit-learn in float32."""
    bits, _ = _table(ROWS)
    X = unpack(bits, np.float32)
    for models, threads in itertools.product(MODELS, (1, 2)):
        signs = rb.streams.UniformBits(DIM).draw(models, seed=2)
        peer_model = _peer(unpack(signs))
        wanted = peer_model.decision_function(X).reshape(ROWS, models)
        assert np.array_equal(fields(bits, signs), wanted)
        with threadpool_limits(threads):
            ours, peer, blas = _times(
                [
                    lambda s=signs, n=threads: _divided(
                        n, ROWS, lambda rows: fields(bits[rows], s)
                    ),
                    lambda p=peer_model: p.decision_function(X),
                    lambda p=peer_model: X @ p.coef_.T,
                ],
                threads,
            )
        yield Row(
            f"fields of {number_of(models, 'model')}, {ROWS} rows, "
            f"{number_of(threads, 'thread')}",
            f"{peer / ours:.0f} times decision_function, {blas / ours:.0f} times "
            f"BLAS alone ({ours / ROWS / models * 1e9:.2f} ns a field)",
            ">= 8 times",
            peer / ours >= 8,
        )
    for classes in CLASSES:
        y = np.random.default_rng(3).integers(classes, size=ROWS)
        model = rb.ClippedHebb().fit(bits, y)
        peer_model = _peer(model.coef_)
        wanted = peer_model.decision_function(X)
        assert np.array_equal(model.decision_function(bits), wanted)
        with threadpool_limits(1):
            ours, peer = _times(
                [
                    lambda m=model: m.decision_function(bits),
                    lambda p=peer_model: p.decision_function(X),
                ]
            )
        yield Row(
            f"ClippedHebb.decision_function, {classes} classes, {ROWS} rows, 1 thread",
            f"{peer / ours:.0f} times decision_function",
            ">= 8 times",
            peer / ours >= 8,
        )


def drawing() -> Iterator[Row]:
    """Draw random bits on one core."""
    chances = np.linspace(0.01, 0.99, DIM)
    for stream, goal in (
        (rb.streams.UniformBits(DIM), 2e9),
        (rb.streams.ProductBits(tuple(chances)), 5e8),
    ):
        taken = seconds(lambda s=stream: s.draw(ROWS, seed=0), REPEATS)
        speed = DIM * ROWS / taken
        yield Row(
            f"{type(stream).__name__}, n = {DIM}, one core",
            f"{rounded(speed, 2)} bits a second",
            f">= {rounded(goal)}",
            speed >= goal,
        )


def packing() -> Iterator[Row]:
    """Pack and unpack, against reading the input once."""
    bits, _ = _table(ROWS)
    for kind in (np.int8, np.float32):
        X = unpack(bits, kind)
        packed, reading, unpacked = _times(
            [
                lambda x=X: pack(x),
                lambda x=X: x.reshape(-1).view(np.uint64).sum(),
                lambda k=kind: unpack(bits, k),
            ]
        )
        yield Row(
            f"pack and unpack {X.dtype}, {ROWS} rows, one core",
            f"pack {X.nbytes / packed / 1e9:.1f} GB/s, {reading / packed:.2f} of "
            f"reading; unpack {X.nbytes / unpacked / 1e9:.1f} GB/s",
        )
