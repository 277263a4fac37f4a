"""Write the golden checkpoint of the present version."""

import tempfile
from pathlib import Path

from rosenblatt.training.trained import VERSION
from tests.training.golden import FOLDER, write

with tempfile.TemporaryDirectory() as folder:
    write(FOLDER / str(VERSION) / "trained.safetensors", Path(folder))
