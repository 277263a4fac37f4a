import random

import pytest

from rosenblatt.sweeps.store.records import (
    Damage,
    RecordRange,
    read_record,
    record,
    scan,
)


def records(count, dice):
    return [
        record(dice.randbytes(16), dice.randbytes(dice.randrange(200)))
        for _ in range(count)
    ]


def found(data):
    return [data[f.start : f.stop] for f in scan(data) if isinstance(f, RecordRange)]


def test_records_are_found_again():
    written = records(20, random.Random(0))
    assert found(b"".join(written)) == written
    key, body = read_record(record(b"k" * 16, b"body"))
    assert (key, body) == (b"k" * 16, b"body")


def test_every_byte_belongs_to_a_record_or_to_damage():
    dice = random.Random(1)
    for _ in range(50):
        data = bytearray(b"".join(records(5, dice)))
        for _ in range(3):
            data[dice.randrange(len(data))] = dice.randrange(256)
        pieces = list(scan(bytes(data)))
        ends = [0, *(piece.stop for piece in pieces)]
        assert [piece.start for piece in pieces] == ends[:-1]
        assert ends[-1] == len(data)


def test_a_flipped_bit_costs_one_record_wherever_it_is():
    written = records(4, random.Random(2))
    data = b"".join(written)
    for at in range(len(data)):
        for bit in (1, 128):
            broken = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
            left = found(broken)
            assert len(left) == 3, at
            assert set(left) < set(written)


def test_a_cut_file_keeps_what_is_whole():
    written = records(4, random.Random(3))
    data = b"".join(written)
    ends = [sum(map(len, written[:k])) for k in range(5)]
    for at in range(len(data)):
        whole = sum(end <= at for end in ends) - 1
        assert found(data[:at]) == written[:whole]
        *_, last = [*scan(data[:at]), None] if at in ends else list(scan(data[:at]))
        assert last is None or (isinstance(last, Damage) and last.cut)


def test_a_record_inside_a_record_is_none():
    """The body of one may hold the bytes of another, say a store in a result."""
    inner = record(b"i" * 16, b"inner")
    outer = record(b"o" * 16, inner)
    assert found(outer + inner) == [outer, inner]


def test_bytes_that_are_no_record_are_refused():
    data = record(b"k" * 16, b"body")
    for broken in (data[:-1], data + b"x", b""):
        with pytest.raises(ValueError, match="damaged"):
            read_record(broken)
