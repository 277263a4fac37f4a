import pytest

from rosenblatt.sweeps.plan.plan import Plan


@pytest.mark.parametrize(
    "name", ["sweeps.sweep.tempfile.mkdtemp", "sweeps.sweep._crew", "os.system"]
)
def test_a_named_task_is_a_function_of_this_package(name):
    with pytest.raises(ValueError, match="task must be simulate"):
        Plan(name, {}, {})
