"""Arrow: columns as rows, and readers of Parquet and Arrow (Feather) files.

Each batch is validated in full before a kernel reads its columns by address. Files are
not mapped into memory: one that is cut while it is read would end the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN, inlined, kernel
from rosenblatt.compiling.vector import memory
from rosenblatt.compiling.vector.tiles import SIDE, fetch, tile_of
from rosenblatt.core.types import IntArray
from rosenblatt.system.extras import missing
from rosenblatt.tables.batches import (
    Bad,
    Blocks,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    check_names,
    integer_texts,
    reading,
)
from rosenblatt.tables.text.records import STANDARD, open_bytes

try:
    import pyarrow
    import pyarrow.compute
    import pyarrow.dataset as dataset
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError:
    pyarrow = None

__all__ = [
    "KINDS",
    "Arrow",
    "Parquet",
    "check_pyarrow",
    "kind_of",
    "place_double",
    "place_single",
    "rows_of",
    "text_of",
]

KINDS = ("float", "double", "int32", "int64")  # types of Arrow, as kernels number them
# Rows that are written together. They stay in the cache, which has a megabyte or half
# of one, while columns are read for long enough to be fetched ahead.
_STRIP = 512
_LINE = 64  # bytes that memory gives at once
_FAR = 4096  # bytes ahead of what is read
_LOADS = memory.single_at, memory.double_at, memory.half_word_at, memory.word_at
_SIZES = (4, 8, 4, 8)


def _placing(source: int, target: str) -> Any:
    """Return compiled code that copies columns of one type."""
    load, size = _LOADS[source], _SIZES[source]
    tile = tile_of(KINDS[source], target)

    @inlined
    def place(places: IntArray, where: IntArray, first: int, strip: Any) -> None:
        columns, rows, skip = len(places), len(strip), size * first
        stride = strip.shape[1] * strip.itemsize
        begin = strip.ctypes.data
        c = 0
        while c < columns:
            square = c + SIDE <= columns and where[c + SIDE - 1] - where[c] == SIDE - 1
            done = 0 if PLAIN or not square else rows - rows % SIDE
            for i in range(0, done, SIDE):
                to = begin + stride * i + strip.itemsize * where[c]
                tile(places, c, skip + size * i, to, stride)
            many = SIDE if square else 1
            for k in range(c, c + many):
                for i in range(done, rows):
                    strip[i, where[k]] = load(places[k] + skip, i)
            c += many

    return place


def _vanishing(load: Any, none: Any) -> Any:
    """Return compiled code that checks that all numbers are finite.

    Only then is the sum of their products with zero not NaN.
    """

    @inlined
    def vanishes(place: int, count: int) -> bool:
        total = none
        for i in range(count):
            total += load(place, i) * none
        return bool(total == none)

    return vanishes


_finite_singles = _vanishing(memory.single_at, 0.0 if PLAIN else np.float32(0.0))
_finite_doubles = _vanishing(memory.double_at, 0.0)


@inlined
def _finite(places: IntArray, kind: int, first: int, count: int) -> bool:
    """Return whether some rows are finite; this also loads them into the cache."""
    finite = True
    for c in range(len(places)):
        if kind == 0 or kind == 2:
            begin, size = places[c] + 4 * first, 4 * count
        else:
            begin, size = places[c] + 8 * first, 8 * count
        if not PLAIN:
            for line in range(0, size, _LINE):
                fetch(begin + _FAR + line)
        if kind == 0:
            finite &= _finite_singles(begin, count)
        elif kind == 1:
            finite &= _finite_doubles(begin, count)
    return finite


_singles_to_single, _halves_to_single = _placing(0, "float"), _placing(2, "float")
_singles, _doubles = _placing(0, "double"), _placing(1, "double")
_halves, _wholes = _placing(2, "double"), _placing(3, "double")
_COLUMNS = types.int64[::1], types.int64[::1], types.int64


@kernel(types.boolean, *_COLUMNS, types.float32[:, ::1])
def place_single(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns that begin at ``places`` to the columns ``where`` of a block.

    ``where`` must increase, and the columns must fit into single precision. Return
    True if all numbers are certainly finite.
    """
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles_to_single(places, where, first, strip)
        else:
            _halves_to_single(places, where, first, strip)
    return finite


@kernel(types.boolean, *_COLUMNS, types.float64[:, ::1])
def place_double(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns to a block of double precision, as ``place_single`` does."""
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles(places, where, first, strip)
        elif kind == 1:
            _doubles(places, where, first, strip)
        elif kind == 2:
            _halves(places, where, first, strip)
        else:
            _wholes(places, where, first, strip)
    return finite


def check_pyarrow(purpose: str = "reading files") -> None:
    """Raise ImportError if pyarrow is not installed."""
    if pyarrow is None:
        raise missing("pyarrow", purpose)


def _precision(types: list[Any]) -> Any:
    """Return single precision if it is exact for columns of these types."""
    single = all(
        pyarrow.types.is_float32(t)
        or pyarrow.types.is_float16(t)
        or pyarrow.types.is_boolean(t)
        or (pyarrow.types.is_integer(t) and t.bit_width <= 16)
        for t in types
    )
    return np.float32 if types and single else np.float64


def text_of(array: Any, missing: tuple[str, ...] = ()) -> Texts:
    """Return a column as text with codes; integers without a decimal point."""
    of = pyarrow.types
    if of.is_integer(array.type) and not (array.null_count or missing):
        found = integer_texts(_values(array))
        if found is not None:
            return found
    if of.is_timestamp(array.type) or of.is_date(array.type):
        array = array.cast(pyarrow.string())
    if not of.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = _values(array.indices).astype(np.int32)
    codes[_null(array.indices)] = -1
    dictionary = array.dictionary
    if len(dictionary) > len(codes):  # of many batches: take the values of this one
        there = codes >= 0
        used, codes[there] = np.unique(codes[there], return_inverse=True)
        dictionary = dictionary.take(pyarrow.array(used))
    values = dictionary.to_pylist()
    if not of.is_string(dictionary.type):
        values = [_written(value) for value in values]
    # values of a dictionary may be there twice, may be missing, and need not occur
    gaps = {None, *missing}
    if len(set(values)) < len(values) or not gaps.isdisjoint(values):
        distinct = list(dict.fromkeys(v for v in values if v not in gaps))
        number = {value: i for i, value in enumerate(distinct)}
        where = [number.get(v, -1) for v in values]
        return Texts(distinct, np.array([*where, -1], np.int32)[codes])
    return Texts(values, codes)


def _written(value: Any) -> str | None:
    """Return a value as text; integral floats without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else str(value)


def _values(column: Any) -> npt.NDArray[Any]:
    """Return a column of numbers, with any value where it is null.

    ``to_numpy`` of Arrow does the same, but imports pandas first.
    """
    kind, data = column.type.to_pandas_dtype(), column.buffers()[1]
    if data is None:
        return np.zeros(len(column), kind)
    return np.frombuffer(data, kind, len(column), column.offset * kind().itemsize)


def _null(column: Any) -> npt.NDArray[np.intp]:
    if not column.null_count:
        return np.zeros(0, np.intp)
    return np.flatnonzero(_values(column.is_null().cast(pyarrow.uint8())))


def _number(column: Any, kind: Any) -> npt.NDArray[Any]:
    """Return a column as numbers, NaN where it is null."""
    wide = pyarrow.float32() if kind == np.float32 else pyarrow.float64()
    if not pyarrow.types.is_boolean(column.type):
        column = column.cast(wide, safe=False)  # decimals, large whole numbers
    else:
        column = column.cast(pyarrow.uint8()).cast(wide)
    values = _values(column).copy()
    values[_null(column)] = np.nan
    return values


def _place(columns: dict[int, Any], block: npt.NDArray[Any]) -> bool:
    """Write columns into a block; return True only if all entries are finite.

    Those without gaps are read where they are, all of a type at once.
    """
    finite = True
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for j, column in columns.items():
        name = str(column.type)
        if name not in KINDS or column.null_count:
            block[:, j] = _number(column, block.dtype)
            whole = pyarrow.types.is_integer(column.type) or name == "bool"
            finite &= whole and not column.null_count
            continue
        data, size = column.buffers()[1], column.type.byte_width
        places, where = alike.setdefault(KINDS.index(name), ([], []))
        places.append(data.address + column.offset * size if data else 0)
        where.append(j)
    place = place_single if block.dtype == np.float32 else place_double
    for kind, found in alike.items():
        places_, where_ = (np.array(each, np.int64) for each in found)
        finite &= bool(place(places_, where_, kind, block))
    return finite


def rows_of(
    batch: Any,
    columns: Columns,
    lines: Callable[[], npt.NDArray[np.int64]],
    end: Place,
    bad: tuple[Bad, ...] = (),
    room: Blocks | None = None,
) -> Rows:
    """Return the rows of a record batch.

    Batches from a file must have been validated: columns are read by address.
    """
    by_name = dict(zip(batch.schema.names, batch.columns, strict=True))
    numbers = {j: by_name[name] for j, name in enumerate(columns.numbers)}
    missing = {j: _null(column) for j, column in numbers.items() if column.null_count}
    target = columns.target
    kind = _precision([column.type for column in numbers.values()])
    block = (room or Blocks()).take(batch.num_rows, len(columns.numbers), kind)
    finite = _place(numbers, block)
    if not finite and "nan" in {word.lower() for word in columns.missing}:
        for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
            missing[j] = np.flatnonzero(np.isnan(block[:, j]))
    return Rows(
        block,
        missing,
        [text_of(by_name[name], columns.missing) for name in columns.texts],
        None if target is None else text_of(by_name[target], columns.missing),
        lines,
        bad,
        end,
        finite,
    )


_FEW = 4  # columns that are read sooner than threads are woken
_MOST = 2**16  # rows that are decoded at once
_ENTRIES = 2**21  # of what is decoded at once: threads then need not wait often
_MAGIC = b"ARROW1\0\0"  # before the stream in an Arrow file


class Part(NamedTuple):
    """Some rows of a file, and the position of the next row."""

    batch: Any
    first: int
    end: Place


def _cut(batches: Iterator[Any], first: int, rows: int) -> Iterator[Part]:
    """Return batches of this many rows; the last may have fewer."""
    held: list[Any] = []
    have = 0
    for batch in batches:
        while batch.num_rows:
            piece = batch.slice(0, rows - have)
            batch = batch.slice(piece.num_rows)
            held.append(piece)
            have += piece.num_rows
            if have == rows:
                yield _joined(held, first)
                first, held, have = first + rows, [], 0
    if held:
        yield _joined(held, first)


def _joined(held: list[Any], first: int) -> Part:
    whole = held[0] if len(held) == 1 else pyarrow.concat_batches(held)
    return Part(whole, first, Place(first + whole.num_rows, first + whole.num_rows))


def kind_of(type_: Any) -> str:
    """Return "number", "text" or "date" for a type of Arrow; else its name."""
    types = pyarrow.types
    numbers = types.is_floating, types.is_integer, types.is_boolean, types.is_decimal
    texts = types.is_string, types.is_large_string, types.is_string_view
    tests = {
        "number": (*numbers, types.is_null),
        "text": (*texts, types.is_dictionary),
        "date": (types.is_timestamp, types.is_date),
    }
    kinds = (kind for kind, any_of in tests.items() if any(t(type_) for t in any_of))
    return next(kinds, str(type_))


class _Columnar:
    """Base of readers of Parquet and Arrow files."""

    unit = "row"

    def __init__(self, path: str) -> None:
        check_pyarrow()
        self.path = path
        self.name = "standard input" if path == STANDARD else path
        self._room = Blocks()
        with reading(self.name):
            schema, self.rows = self._opened()
            names = schema.names
            self.columns = [Column(f.name, kind_of(f.type)) for f in schema]
        check_names(self.name, names)

    def _opened(self) -> tuple[Any, int | None]:
        raise NotImplementedError

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        raise NotImplementedError

    def pieces(
        self, place: Place, rows: int, names: Sequence[str] | None = None
    ) -> Iterator[Part]:
        """Yield this number of rows at a time, of these columns or of all."""
        first = place.offset
        with reading(self.name):
            yield from _cut(self._batches(first, rows, names), first, rows)

    def kinds(self, piece: Part, missing: Sequence[str] = ()) -> list[Column]:
        """Return the kinds of the columns, from the schema of the file."""
        return self.columns

    def parse(self, piece: Part, columns: Columns) -> Rows:
        """Return the rows of a piece."""
        first, last = piece.first, piece.end.line
        with reading(self.name):
            return rows_of(
                piece.batch,
                columns,
                lambda: np.arange(first + 1, last + 1),
                piece.end,
                room=self._room,
            )


class Parquet(_Columnar):
    """A Parquet file, read page by page."""

    def _opened(self) -> tuple[Any, int | None]:
        if self.path == STANDARD:
            raise ValueError(f"{self.name} cannot be parquet, which is not a stream")
        with self._file() as file:
            groups = map(file.metadata.row_group, range(file.num_row_groups))
            sizes = [group.num_rows for group in groups]
            if min(sizes, default=0) < 0 or sum(sizes) != file.metadata.num_rows:
                raise ValueError(
                    f"its row groups must have {file.metadata.num_rows} rows together, "
                    f"got {sizes}"
                )
            self._starts = [0, *np.cumsum(sizes[:-1], dtype=np.int64).tolist()]
            return file.schema_arrow, sum(sizes)

    def _file(self, **more: Any) -> Any:
        return pyarrow.parquet.ParquetFile(
            self.path, memory_map=False, pre_buffer=False, **more
        )

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        left = (self.rows or 0) - first
        if left <= 0:
            return
        group = int(np.searchsorted(self._starts, first, side="right")) - 1
        skip = first - self._starts[group]
        width = len(self.columns if names is None else names)
        many = min(_ENTRIES // max(width, 1), _MOST)
        # text as dictionaries: else a long one would be copied for each row
        texts = [column.name for column in self.columns if column.kind == "text"]
        with self._file(read_dictionary=texts) as file:
            for batch in file.iter_batches(
                batch_size=max(rows, many),  # small ones take longer
                row_groups=range(group, len(self._starts)),
                columns=None if names is None else list(names),
                use_threads=width > _FEW,
            ):
                batch.validate(full=True)
                passed = min(skip, batch.num_rows)
                skip -= passed
                left -= batch.num_rows - passed
                yield batch.slice(passed)
        if left:
            raise ValueError(f"it must have {self.rows} rows, {left} are missing")

    def groups(self) -> list[int]:
        """Return the rows at which groups begin."""
        return self._starts


class Arrow(_Columnar):
    """An Arrow file or stream of record batches; Feather files are Arrow files.

    A file is read as the stream that is in it, from the start. Record batches come in
    the order of the file, each dictionary before the first batch that needs it.
    """

    def _opened(self) -> tuple[Any, int | None]:
        self._stream: Any = None
        if self.path == STANDARD:
            self._stream = pyarrow.ipc.open_stream(open_bytes(STANDARD, Place()))
            return self._stream.schema, None
        with self._source() as source:
            schema = pyarrow.ipc.open_stream(source).schema
        with Path(self.path).open("rb") as file:
            counted = file.read(len(_MAGIC)) == _MAGIC
        if not counted:  # a stream does not say how many rows come
            return schema, None
        return schema, dataset.dataset(self.path, format="ipc").count_rows()

    @contextmanager
    def _source(self) -> Iterator[Any]:
        """Open the file where its stream begins."""
        with pyarrow.OSFile(self.path) as source:
            if source.read(len(_MAGIC)) != _MAGIC:
                source.seek(0)
            yield source

    def _batches(
        self, first: int, rows: int, names: Sequence[str] | None
    ) -> Iterator[Any]:
        skip, seen = first, 0
        for batch in self._all():
            chosen = batch if names is None else batch.select(list(names))
            chosen.validate(full=True)
            passed = min(skip, batch.num_rows)
            skip -= passed
            seen += batch.num_rows
            yield chosen.slice(passed)
        if self.rows is not None and seen != self.rows:
            raise ValueError(f"it must have {self.rows} rows, got {seen}")

    def _all(self) -> Iterator[Any]:
        if self._stream is not None:
            yield from self._stream
            return
        with self._source() as source:
            yield from pyarrow.ipc.open_stream(source)
