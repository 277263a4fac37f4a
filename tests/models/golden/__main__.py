"""Write the golden files of the present version of the format."""

from rosenblatt.models.saving import VERSION
from tests.models.golden import FOLDER, write

write(FOLDER / str(VERSION))
