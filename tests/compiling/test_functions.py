import gc
import os
import threading

import numba
import pytest
from numba.core.errors import TypingError
from numba.extending import overload

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import LOCK, cache_in, compiled_for

compiles = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled"
)
SIGNATURE = types.float64(types.float64)


def divided(x):
    return 1.0 / x


@compiles
def test_a_function_is_compiled_for_its_signature_and_divides_by_zero():
    function = compiled_for(SIGNATURE, divided)
    assert function.nopython_signatures == [SIGNATURE]
    assert function(0.0) == float("inf")


@overload(divided)
def _divided(x):
    return lambda x: 1.0 / x


def next_to(added):
    return lambda x: divided(x) + added


@compiles
def test_an_overload_of_the_user_divides_in_each_function_as_that_function_does():
    """Numba has one code of the overload for each way to divide."""
    assert compiled_for(SIGNATURE, next_to(1.0))(0.0) == float("inf")
    with pytest.raises(ZeroDivisionError):
        numba.njit(SIGNATURE)(next_to(2.0))(0.0)
    assert compiled_for(SIGNATURE, next_to(3.0))(0.0) == float("inf")


@compiles
@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_after_a_compilation_as_before(collects):
    def fails(x):
        return x.nothing

    (gc.enable if collects else gc.disable)()
    try:
        assert compiled_for(SIGNATURE, lambda x: x + 1.0)(1.0) == 2.0
        assert gc.isenabled() == collects
        with pytest.raises(TypingError):
            compiled_for(SIGNATURE, fails)
        assert gc.isenabled() == collects
    finally:
        gc.enable()


def test_each_processor_has_a_folder_of_its_own(tmp_path, monkeypatch):
    found = []
    for name in ("skylake", "znver3", "skylake"):
        monkeypatch.setattr(numba.config, "CPU_NAME", name)
        with cache_in(str(tmp_path)):
            found.append(numba.config.CACHE_DIR)
    assert found[0] == found[2] != found[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_waits_for_a_thread_that_compiles():
    begun, end = threading.Event(), threading.Event()

    def compile_long():
        with LOCK:
            begun.set()
            end.wait(10)

    thread = threading.Thread(target=compile_long)
    thread.start()
    begun.wait()
    threading.Timer(0.2, end.set).start()
    child = os.fork()
    if child == 0:
        os._exit(0 if LOCK.acquire(timeout=5) else 1)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
    assert LOCK.acquire(blocking=False)
    LOCK.release()
