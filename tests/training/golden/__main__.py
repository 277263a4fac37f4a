"""Write the golden file of the present version."""

import tempfile
from pathlib import Path

from tests.training.golden import FOLDER, write

with tempfile.TemporaryDirectory() as folder:
    write(FOLDER / "trained.safetensors", Path(folder))
