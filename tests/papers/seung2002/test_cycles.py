from rosenblatt.papers.seung2002 import table_cycles


def test_the_table_of_cycles_ends_where_it_begins():
    data = table_cycles(quick=True)
    starts = [k for k, row in enumerate(data.cells) if row[0]]
    assert len(starts) == 3
    for first, last in zip(starts, [*starts[1:], len(data.cells)], strict=True):
        assert data.cells[first][4] == data.cells[last - 1][6]
        assert any(row[5] == "error" for row in data.cells[first:last])
