"""The schemas of model files are a contract: a change needs a new version."""

import hashlib
import json
import re

from rosenblatt.models import safetensors_file, tree
from rosenblatt.models.saving import VERSION
from rosenblatt.models.schemas import part_fields, record_tables, state_tables
from tests.models.golden import FOLDER

# Digests of the schemas of each version. If the test below fails, a file written now
# is not one that the last release reads: raise VERSION in models/saving.py, add the new
# digest here, and write golden files with ``python -m tests.models.golden``.
# No release has version 6 yet. The variance of a prior got the limits of other
# variances after it was made, beyond which no model could be used.
DIGESTS = {6: "fc1885db1674b3f114e447b4d011b82ead3a9ba71aedf8398251533a79b7abdc"}


def digest():
    kinds = re.findall(r"``(\{.*?\})``", tree.__doc__)
    assert len(kinds) > 8  # the forms of values in the tree
    text = [record_tables(), state_tables(), *kinds, safetensors_file.CHECKSUM]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def test_the_version_changes_when_a_schema_does():
    assert digest() == DIGESTS[VERSION]
    assert max(DIGESTS) == VERSION


def test_parts_keep_their_names_and_fields():
    """New parts may come; those that files name already stay as they are."""
    known = json.loads((FOLDER / "parts.json").read_text())
    now = part_fields()
    assert {name: now.get(name) for name in known} == known
