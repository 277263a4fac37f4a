import io

import pyarrow
import pyarrow.ipc
import pytest

from rosenblatt.tables.arrow import message_sizes
from rosenblatt.tables.arrow.message_sizes import message_rows

ROWS = 1000


def messages(table, compression=None):
    out = io.BytesIO()
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    with pyarrow.ipc.new_stream(out, table.schema, options=options) as file:
        file.write_table(table, max_chunksize=600)
    return list(pyarrow.ipc.MessageReader.open_stream(out.getvalue()))


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_rows_are_those_of_the_batches(compression):
    words = pyarrow.array(["x", "y"] * (ROWS // 2)).dictionary_encode()
    table = pyarrow.table({"a": [0.0] * ROWS, "b": words, "c": pyarrow.nulls(ROWS)})
    found = messages(table, compression)
    assert [each.type for each in found][:3] == ["schema", "dictionary", "record batch"]
    assert [message_rows(each) for each in found] == [0, 0, 600, 400]


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_sizes_count_without_compression(compression, monkeypatch):
    *_, batch, _last = messages(pyarrow.table({"a": [0.0] * ROWS}), compression)
    monkeypatch.setattr(message_sizes, "LARGEST", 8 * 600)
    assert message_rows(batch) == 600
    monkeypatch.setattr(message_sizes, "LARGEST", 8 * 600 - 1)
    with pytest.raises(ValueError, match="more than 4799 bytes, got 4800"):
        message_rows(batch)


def test_rows_without_bytes_are_refused():
    *_, last = messages(pyarrow.table({"a": pyarrow.nulls(500)}))
    with pytest.raises(ValueError, match="of 0 bytes must not have 500 rows"):
        message_rows(last)


def test_damaged_metadata_are_refused():
    *_, last = messages(pyarrow.table({"a": [0.0] * 100}))
    raw = last.metadata.to_pybytes()

    class Damaged:
        body = last.body
        metadata = raw

    assert message_rows(Damaged) == 100
    Damaged.metadata = raw[:3]
    with pytest.raises(ValueError, match="damaged"):
        message_rows(Damaged)
    Damaged.metadata = b"\xff" * len(raw)
    with pytest.raises(ValueError, match="damaged"):
        message_rows(Damaged)
    Damaged.metadata, Damaged.body = raw, last.body.slice(0, 100)
    with pytest.raises(ValueError, match="a buffer must be within its record batch"):
        message_rows(Damaged)
