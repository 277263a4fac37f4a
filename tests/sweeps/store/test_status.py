import rosenblatt as rb
from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.store.manifest import manifest_of
from rosenblatt.sweeps.store.status import Status, status


def root(x):
    return x**0.5


def test_results_of_a_sweep_are_counted(tmp_path):
    rb.sweep(root, axes={"x": [1, 2]}, store=tmp_path, cores=0)
    larger = manifest_of(Plan(root, {}, {"x": [1, 2, 3]}), "root")
    assert status(tmp_path, larger) == Status(2, 3, 0)
    (segment,) = (tmp_path / "records").iterdir()
    segment.write_bytes(segment.read_bytes()[:-1])
    found = status(tmp_path, larger)
    assert found == Status(1, 3, 1)
    assert str(found) == (
        "1 of 3 experiments are there, 1 damaged or unfinished pieces"
    )
