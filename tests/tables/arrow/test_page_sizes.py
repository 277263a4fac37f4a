import pyarrow
import pyarrow.parquet
import pytest

from rosenblatt.tables.arrow import page_sizes
from rosenblatt.tables.arrow.page_sizes import Group, check_pages, row_groups

# A page header: type 0, size without compression, size in the file, and an end.
HUGE = b"\x15\x00\x15\xfe\xff\xff\xff\x0f\x15\x00\x00"  # 2**31 - 1 bytes
SMALL = b"\x15\x00\x15\xd0\x0f\x15\x04\x00ab"  # 1000 bytes, 2 in the file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.parquet"


def written(path, **options):
    columns = {"a": [1.5] * 700, "b": ["x", "yy"] * 350, "c": [[1, 2]] * 700}
    options = {"row_group_size": 300, "data_page_size": 100} | options
    pyarrow.parquet.write_table(pyarrow.table(columns), path, **options)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
def test_groups_are_those_that_pyarrow_finds(path, compression, version):
    written(path, compression=compression, data_page_version=version)
    groups = row_groups(path)
    with pyarrow.parquet.ParquetFile(path) as file:
        metadata = file.metadata
        assert [group.rows for group in groups] == [300, 300, 100]
        for i, group in enumerate(groups):
            assert [name for name, _, _ in group.columns] == ["a", "b", "c"]
            for j, (_, begin, stop) in enumerate(group.columns):
                chunk = metadata.row_group(i).column(j)
                first = chunk.dictionary_page_offset or chunk.data_page_offset
                assert (begin, stop - begin) == (first, chunk.total_compressed_size)
    check_pages(path, groups)


def test_a_page_that_declares_too_much_is_refused(path):
    path.write_bytes(SMALL + HUGE)
    columns = [("a", 0, len(SMALL)), ("b", len(SMALL), len(SMALL + HUGE))]
    with pytest.raises(ValueError, match=r"more than 536870912 bytes, got 2147484647"):
        check_pages(path, [Group(9, columns)])
    check_pages(path, [Group(9, columns)], ["a"])  # the other is not read


def test_sizes_of_columns_add_up(path, monkeypatch):
    path.write_bytes(SMALL)
    columns = [(name, 0, len(SMALL)) for name in "abc"]
    monkeypatch.setattr(page_sizes, "LARGEST", 2999)
    with pytest.raises(ValueError, match="got 3000"):
        check_pages(path, [Group(9, columns)])
    check_pages(path, [Group(9, columns)], ["a", "b"])


@pytest.mark.parametrize("cut", [1, 3, 6])
def test_damaged_headers_are_refused(path, cut):
    path.write_bytes(SMALL[:cut])
    with pytest.raises(ValueError, match="damaged"):
        check_pages(path, [Group(9, [("a", 0, cut)])])


def test_nested_values_do_not_exhaust_the_stack(path):
    path.write_bytes(b"\x1c" * 100_000)
    with pytest.raises(ValueError, match="damaged"):
        check_pages(path, [Group(9, [("a", 0, 100_000)])])
    path.write_bytes(b"\x19" * 100_000)  # lists of lists
    with pytest.raises(ValueError, match="damaged"):
        check_pages(path, [Group(9, [("a", 0, 100_000)])])


def test_long_metadata_are_refused_before_they_are_read(path, monkeypatch):
    written(path)
    monkeypatch.setattr(page_sizes, "LONGEST_FOOTER", 100)
    with pytest.raises(ValueError, match="more than 100 bytes"):
        row_groups(path)


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1\xff\xff\xff\x7fPAR1", b"x" * 50]
)
def test_other_files_are_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="does not end as a Parquet file does"):
        row_groups(path)


def test_a_number_of_rows_that_is_no_number_is_refused(path):
    chunks, rows = b"\x19\x0c", b"\x28\x01x"  # no columns, and text for a number
    footer = b"\x49\x1c" + chunks + rows + b"\0\0"
    path.write_bytes(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    with pytest.raises(ValueError, match="damaged"):
        row_groups(path)
