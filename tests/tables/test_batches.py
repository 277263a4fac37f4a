import copy
import pickle

from rosenblatt.tables import Bad, BadRowError


def test_an_error_survives_the_way_to_another_process():
    error = BadRowError("x.csv", "line", Bad(3, "NaN", "a", "nan"), hint="; stop")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is BadRowError
        assert str(twin) == str(error) == "x.csv, line 3, column 'a': NaN: nan; stop"
        assert (twin.file, twin.bad) == (error.file, error.bad)
