"""Data files of every format, given to ``rosenblatt train``."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from tests.fuzz.byte_changes import changed_bytes, changed_text
from tests.fuzz.cases import Case, FaultError
from tests.fuzz.commands import command
from tests.tables.examples import table

_ROWS = 40
_MODELS = ("perceptron", "bayes-diagonal", "clipped-hebb")
# Words that a table may have where a number or a category is expected.
_WORDS = (
    *(b"", b'"', b'""', b'"a,b"', b'"a\nb"', b"\xff\xfe", b"\xef\xbb\xbf", b"\0"),
    *(b"a" * 5000, b"1:1 1:2", "\u00e9".encode(), b",", b"\t", b"\r"),
    *b"nan -inf 1e400 -0 1_000 0x10 99999999999999999999 9223372036854775808".split(),
    *b"1:1 0:1 -1:1 4294967297:1 9999999999999:1 1: : 2:nan qid:3 #".split(),
)


class TableFormat:
    """Mutated files of one format.

    Parameters
    ----------
    made
        Returns golden files, from a table of columns.
    target
        The column of labels.
    words
        Whether files are text, in which words and lines are changed too.
    check
        Raises an exception if the file is damaged; such a file must be refused.
    """

    def __init__(self, made, target="won", *, words=False, check=None):
        self._made, self._target = made, target
        self._words, self._check = words, check

    def prepare(self, folder):
        """Write the golden files, and learn from each with every model."""
        found = []
        for name, content in self._made(table(_ROWS)).items():
            path = folder / name
            path.write_bytes(content)
            for model in _MODELS:
                words = ["train", str(path), "--target", self._target, "--quiet"]
                command([*words, "--model", model], lambda text: None)
            if self._check is not None:
                self._check(path)
            found.append((name, content))
        return found

    def mutate(self, golden, random):
        """Return a file with other bytes, words or lines."""
        name, content = random.choice(golden)
        if self._words and random.random() < 0.8:
            packed = name.endswith(".gz")
            text = gzip.decompress(content) if packed else content
            text, said = changed_text(text, _WORDS, random), "other words"
            content = gzip.compress(text, mtime=0) if packed else text
        else:
            content, said = changed_bytes(content, random)
        model = random.choice(_MODELS)
        more = random.choice(((), ("--on-error", "skip")))
        said = f"{name}, {model} {' '.join(more)}: {said}"
        return Case(said, {name: content}, ("--model", model, *more))

    def run(self, case, folder, stage):
        """Learn from the file."""
        [name] = case.files
        path = folder / name
        options = case.given or ("--model", "perceptron")
        command(
            ["train", str(path), "--target", self._target, *options],
            stage,
            names=[name],
        )
        if self._check is None:
            return
        stage("pyarrow reads the file")
        try:
            self._check(path)
        except (pa.ArrowException, OSError, ValueError) as failure:
            raise FaultError(f"read, though pyarrow refuses it: {failure}") from failure


def _parquet(columns):
    given = pa.table(columns)
    kinds = {
        "plain": {"compression": "none", "use_dictionary": False},
        "snappy": {},
        "zstd": {"compression": "zstd", "data_page_version": "2.0"},
        "checksums": {"write_page_checksum": True, "row_group_size": 7},
    }
    found = {}
    for name, options in kinds.items():
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(given, buffer, **options)
        found[f"{name}.parquet"] = buffer.getvalue()
    return found


def _arrow(columns):
    given = pa.table(columns)
    coded = given.set_column(2, "side", given["side"].dictionary_encode())
    stream, file, feather = io.BytesIO(), io.BytesIO(), io.BytesIO()
    with pa.ipc.new_stream(stream, given.schema) as out:
        out.write_table(given, max_chunksize=17)
    with pa.ipc.new_file(file, coded.schema) as out:
        out.write_table(coded, max_chunksize=17)
    pyarrow.feather.write_feather(given, feather, chunksize=17)
    contents = (stream.getvalue(), file.getvalue(), feather.getvalue())
    return dict(zip(("x.arrows", "x.arrow", "x.feather"), contents, strict=True))


def _text(columns):
    lines = [",".join(columns)]
    lines += [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return ("\n".join(lines) + "\n").encode()


def _delimited(columns):
    text = _text(columns)
    return {
        "x.csv": text,
        "x.tsv": text.replace(b",", b"\t"),
        "x.csv.gz": gzip.compress(text, mtime=0),
    }


def _svmlight(columns):
    numbers = np.stack([columns["a"], columns["b"], columns["won"]], axis=1).tolist()
    lines = [f"{int(won)} 1:{a} 3:{b} # row" for a, b, won in numbers]
    text = ("\n".join(lines) + "\n").encode()
    return {"x.svm": text, "x.svm.gz": gzip.compress(text, mtime=0)}


_MAGIC = b"ARROW1\0\0"  # before the stream in a file


def _check_parquet(path):
    """Read all columns; ``read_table`` also refuses statistics that nothing needs."""
    pyarrow.parquet.ParquetFile(path).read().validate(full=True)


def _check_arrow(path):
    """Read the stream; a file has one inside, and the footer behind it is not read."""
    with pa.OSFile(str(path)) as source:
        if source.read(len(_MAGIC)) != _MAGIC:  # which a change may have removed
            source.seek(0)
        pa.ipc.open_stream(source).read_all().validate(full=True)


parquet = TableFormat(_parquet, check=_check_parquet)
arrow = TableFormat(_arrow, check=_check_arrow)
delimited = TableFormat(_delimited, words=True)
svmlight = TableFormat(_svmlight, "label", words=True)
