import numpy as np
import pytest

from tests.tables.reading import read_lines
from tests.tables.svmlight_lines import parsed

WIDTH = 50


ODD = [
    b"",
    b"   ",
    b"# only a comment",
    b"1",
    b"+1 1:0.5 3:2 # more",
    b"-1 qid:3 2:1e3",
    b"-1 qid 2:1",
    b"-1 quid:3 2:1e3",
    b"1.0 3:0 4:-0.0 5:0e99",
    b"1e0 3:1#glued",
    b"1\t2:3\r",
    b"1\x0b2:3 4:5",
    b"1 2:3\x1c4:5",
    "1 2:3\u00a04:5".encode(),
    "1 \u0662:3".encode(),
    "s\u00fc\u00df 2:3".encode(),
    b"\xff 2:3",
    b"1_0 2:1",
    b"0x10 2:1",
    b"nan 2:1",
    b"inf 1:1",
    b"spam 1:1",
    b"1.5 1:1",
    b"1 a:1",
    b"1 2:x",
    b"1 2:",
    b"1 :2",
    b"1 2",
    b"1 2:1:3",
    b"1 2:1_0",
    b"1 2:nan 3:inf 4:-Infinity",
    b"1 2:.5 3:5. 4:+.5e+1 5:-1.E-2",
    b"1 2:.",
    b"1 2:e5",
    b"1 2:1e",
    b"1 2:1e+",
    b"1 2:- 3:1",
    b"1 2:--1",
    b"1 2:1.2.3",
    b"1 2:1 2:2",
    b"1 3:1 2:2",
    b"1 50:1",
    b"1 99999999999999999999:1",
    b"1 0000000000002:7",
    b"1 2:123456789012345678901234567890",
    b"1 2:9007199254740993 3:0.1234567890123456789",
    b"1 2:1e-400 3:1e400 4:5e-324",
    b"1 2:1e22 3:1e23 4:1e-22 5:1e-23",
    b"1 2:1e999999999999999999999",
]


@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_lines_are_what_plain_python_makes_of_them(rows, tmp_path):
    text = b"\n".join([b"1 1:1", *ODD, b"0 3:1"])
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    assert read_lines(path, rows, WIDTH) == parsed(text, WIDTH)


def test_numbers_are_those_of_plain_python_to_the_bit(tmp_path):
    random = np.random.default_rng(0)
    numbers = random.standard_normal(4000) * 10.0 ** random.integers(-30, 30, 4000)
    forms = ["%r", "%.3g", "%.6g", "%.15g", "%.17g", "%.25g", "%.4f", "%.3e", "%d"]
    texts = [forms[i % len(forms)] % x for i, x in enumerate(numbers.tolist())]
    lines = [
        f"{i % 7 - 3} " + " ".join(f"{j}:{t}" for j, t in enumerate(texts[i : i + 40]))
        for i in range(0, 4000, 40)
    ]
    text = "\n".join(lines).encode()
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    assert read_lines(path, 64, WIDTH) == parsed(text, WIDTH)


def test_random_bytes_are_what_plain_python_makes_of_them(tmp_path):
    random = np.random.default_rng(1)
    letters = list(b"0123456789:::....ee+-# \t\n\nqid_x\r\xc3\xa0")
    text = bytes(random.choice(letters, 30_000).tolist())
    path = tmp_path / "x.svm"
    path.write_bytes(text)
    found, bad = read_lines(path, 37, WIDTH)
    assert (found, bad) == parsed(text, WIDTH)
    assert len(found) > 50
    assert len(bad) > 500
