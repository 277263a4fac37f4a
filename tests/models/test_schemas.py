"""The schemas of model files are a contract: a change needs a new version."""

import hashlib
import json
import re

from rosenblatt.models import safetensors_file, tree
from rosenblatt.models.saving import VERSION
from rosenblatt.models.schemas import part_fields, record_tables, state_tables
from tests.models.golden import FOLDER

# Digests of the schemas of each version. If the test below fails, a file written now
# is not one that the last release reads: raise VERSION in models/saving.py, write a
# migration, add the new digest here, and write golden files with
# ``python -m tests.models.golden``.
DIGESTS = {
    2: "43150dfa277f8ceb222e2d5a8d04a3e3ad09dc9ccbadadc566516122baf0130b",
    3: "d09a2a1439c5c09dd125011048a445635e140a1d1d6d39fe6f92b8ce251b1703",
    4: "17559bf6d881029fcd19fd507075c5c84e35db5e28d55306f3be1332c0dc41d3",
    # Since it was made, 2147483647 is printed in full; no limit has changed.
    5: "c4db0dca1d1c7c3b4b300334b0a901daa34da9fcc08377810df3843eb03a8881",
}


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
