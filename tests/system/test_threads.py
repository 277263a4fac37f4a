import os
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import rosenblatt as rb
from rosenblatt.system.threads import one_thread


def most(kind=("blas", "openmp")):
    """Return how many threads a library may use at most."""
    found = [i["num_threads"] for i in threadpool_info() if i["user_api"] in kind]
    return max(found)


def allowed(x):
    values = np.random.default_rng(x).standard_normal(1000)
    return {"threads": most(), "dot": values @ values}


def test_experiments_have_one_thread_for_linear_algebra_wherever_they_run():
    """Else sums would be split, and end in other digits on other machines."""
    with threadpool_limits(3):
        for cores in (0, 2):
            found = rb.sweep(allowed, axes={"x": range(4)}, cores=cores)
            assert found.threads.values.tolist() == [1] * 4
        assert most() == 3


def test_two_models_that_learn_at_once_leave_no_limit_behind():
    """The second one must not take the limit of the first for that of the process."""
    with threadpool_limits(3):
        first, second = one_thread(), one_thread()
        first.__enter__()
        second.__enter__()
        assert most(["blas"]) == 1
        first.__exit__()
        assert most(["blas"]) == 1
        second.__exit__()
        assert most(["blas"]) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_no_limit_of_threads_that_it_has_not():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_thread():
            inside.set()
            leave.wait(60)

    with threadpool_limits(3):
        thread = threading.Thread(target=other)
        thread.start()
        assert inside.wait(60)
        child = os.fork()
        if child == 0:
            found = [most(["blas"])]
            with one_thread():
                found.append(most(["blas"]))
            os._exit(0 if [*found, most(["blas"])] == [3, 1, 3] else 1)
        assert os.waitpid(child, 0)[1] == 0
        leave.set()
        thread.join()
        assert most(["blas"]) == 3
