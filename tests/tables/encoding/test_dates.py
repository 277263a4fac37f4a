import numpy as np
import pytest

from rosenblatt.tables.encoding import PARTS, date_features, elapsed, parse_dates


def test_dates_are_read_in_many_spellings():
    same = ["2024-02-29 07:30", "2024/2/29 7:30", "2024-02-29T07:30:00.25+02:00"]
    assert set(parse_dates(same)) == {np.datetime64("2024-02-29T07:30:00")}


def test_other_text_is_no_date():
    wrong = ["2024-02-30", "2024", "24-01-01", "tomorrow", "", "2024-13-01"]
    assert np.isnat(parse_dates(wrong)).all()


def test_parts_are_those_of_the_calendar():
    when = parse_dates(["2024-06-01T18:00:00", "2024-06-03T00:00:00", "no"])
    found = dict(zip(PARTS, date_features(when, PARTS, 19000.0, 100.0).T, strict=True))
    assert (found["Sat"].tolist(), found["Mon"].tolist()) == ([1, 0, 0], [0, 1, 0])
    assert found["hour sin"] == pytest.approx([-1, 0, 0], abs=1e-9)
    assert found["elapsed"][0] == pytest.approx((elapsed(when)[0] - 19000.0) / 100.0)
    assert found["year cos"][0] < -0.8
