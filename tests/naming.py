"""Names of test cases: the same in every process."""

import re


def in_words(part):
    """Return a part in words, without the addresses of functions in it."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(part))
