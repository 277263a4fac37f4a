import pytest

import rosenblatt as rb
from rosenblatt.sweeps.plan import read_spec

GOOD = """
store = "kept"
[parameters]
schedule = "power:scale=2,exponent=1"
teacher = "sign"
alpha = [1, 10]
[axes]
rule = ["perceptron", "normalised:rule=perceptron"]
teacher.noise = [0, 0.1]
dim = [10, 100, 1000]
seed = {count = 2}
"""


def read(folder, text):
    (folder / "spec.toml").write_text(text)
    return read_spec(folder / "spec.toml")


def test_text_becomes_parts_and_ranges_become_values(tmp_path):
    plan, store = read(tmp_path, GOOD)
    assert (plan.name, store) == ("spec", tmp_path / "kept")
    assert plan.shape == (2, 2, 3, 2)
    assert plan.parameters(len(plan) - 1) == {
        "schedule": rb.schedules.Power(2.0, 1.0),
        "teacher": rb.teachers.Sign(0.1),
        "alpha": [1, 10],
        "rule": rb.rules.Normalised(rb.rules.Perceptron()),
        "dim": 1000,
        "seed": 1,
    }
    labels = plan.coordinates()["rule"][1].tolist()
    assert labels == ["perceptron", "normalised:rule=perceptron"]


def test_experiments_are_listed(tmp_path):
    text = """
task = "solve"
parameters = {schedule = "constant", alpha = [1]}
[[experiments]]
rule = "hebb"
[[experiments]]
rule = "perceptron"
start = "overlap:teacher=0.5"
"""
    plan, store = read(tmp_path, text)
    assert store == tmp_path / "spec.sweep"
    assert len(plan) == 2
    assert plan.parameters(1)["start"] == rb.starts.Overlap(0.5)
    assert "start" not in plan.parameters(0)


def test_machines_and_functions_of_users_are_tasks(tmp_path):
    text = """
task = "simulate_machine"
[parameters]
machine = "ball:dim=2"
schedule = "constant"
target = [0, 0]
[axes]
examples = [10, 20]
"""
    assert read(tmp_path, text)[0].parameters(0)["machine"] == rb.machines.Ball()
    (tmp_path / "swept_by_spec.py").write_text("def mine(a, word):\n    return a\n")
    task = f'task = "{tmp_path}/swept_by_spec.py:mine"\n'
    plan, _ = read(tmp_path, task + '[axes]\na = [1]\nword = ["hebb"]')
    assert plan.parameters(0) == {"a": 1, "word": "hebb"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[axes]", "[axis]", "has a key 'axis'; possible: task, store"),
        ('store = "kept"', "store = 3", "'store' must be a text, got 3"),
        ("alpha = [1, 10]", "", "simulate missing a required argument: 'alpha'"),
        ("alpha =", "beta =", "simulate got an unexpected .* 'beta'; possible: rule"),
        ('"perceptron", ', '"nobody", ', "rule: there is no rule 'nobody'; possible:"),
        ("scale=2", "size=2", "schedule power has no parameter 'size=2'"),
        (
            "seed = {count = 2}",
            "seed = 2",
            "axis 'seed' must be a list, or {count = n}, got 2",
        ),
        ("{count = 2}", "{count = 0}", "count of axis 'seed' must be a whole number"),
        ("{count = 2}", "{start = 1}", "axis 'seed.start' must be a list"),
        ("{count = 2}", "{count = 2, step = 1}", "axis 'seed' must be a list, or"),
        ("seed = {count = 2}", "seed.count = [1]", "axis 'seed.count' needs a param"),
        ('store = "kept"', 'store = ""', "'store' must be the name of a file"),
        ("seed =", "workers =", "'workers' is set by the sweep"),
        ("teacher.noise", "teacher.fog", "sign has no parameter 'fog'"),
        ("[0, 0.1]", "[0, 0.7]", "axis 'teacher.noise': .* noise must be"),
        ('rule = ["perceptron", ', "rule = [3, ", "rule must be a text such as"),
        ("[parameters]", "[parameters", "is not a TOML file"),
    ],
)
def test_bad_files_are_explained(tmp_path, old, new, message):
    assert old in GOOD
    with pytest.raises(ValueError, match=message):
        read(tmp_path, GOOD.replace(old, new))


def test_a_file_that_is_not_there_is_named(tmp_path):
    for path in (tmp_path / "nothing.toml", tmp_path):
        with pytest.raises(ValueError, match="there is no file"):
            read_spec(path)


def test_files_are_utf_8_with_a_mark_or_without(tmp_path):
    path = tmp_path / "\u00e4.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("kept", "\u00e4 b").encode())
    plan, store = read_spec(path)
    assert (plan.name, store) == ("\u00e4", tmp_path / "\u00e4 b")
