import subprocess
import sys

import pytest

from rosenblatt.system.deferred import defer, hidden

# In a process of its own: modules of this one are others'.
USE = """
import sys
from rosenblatt.system.deferred import defer
defer("xml.dom"); defer("wave"); defer("no_such_module")
import wave, xml.dom
assert "Wave_read" not in vars(wave) and "no_such_module" not in sys.modules
import xml.dom.minidom
assert vars(xml.dom)["Node"] is xml.dom.minidom.xml.dom.Node
assert wave.Wave_read.__module__ == "wave" and type(wave) is type(sys)
try:
    wave.no_such_name
except AttributeError as failure:
    print(failure)
"""


def test_a_deferred_module_runs_at_its_first_use_or_that_of_a_submodule():
    done = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "module 'wave' has no attribute 'no_such_name'\n"


def test_an_imported_module_is_left_as_it_is():
    defer("json")
    with hidden("json"):
        assert sys.modules["json"].dumps([]) == "[]"


def test_a_hidden_package_is_back_after_the_block():
    with pytest.raises(ModuleNotFoundError), hidden("no_such_module"):
        __import__("no_such_module")
    assert "no_such_module" not in sys.modules
