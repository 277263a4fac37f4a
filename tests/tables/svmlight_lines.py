"""Svmlight line by line, in plain Python: slow, and obviously right."""

__all__ = ["parsed"]


def number(text):
    if "_" in text:
        raise ValueError
    return float(text)


def label(word):
    try:
        value = number(word)
    except ValueError:
        return word
    exact = value.is_integer() and abs(value) < 2**53
    return str(int(value)) if exact else word


def entries(words, width):
    """Return index and value (its bits) of what is not zero, or what is wrong."""
    found, last = [], -1
    for word in words:
        index, colon, value = word.partition(":")
        if index == "qid":
            continue
        if not (colon and index.isdecimal()):
            return ("not index:value", None, repr(word))
        if int(index) <= last:
            return ("not index:value", index, "indices must increase")
        if int(index) >= width:
            return ("not index:value", index, f"an index above {width - 1}")
        last = int(index)
        try:
            entry = number(value)
        except ValueError:
            return ("not a number", index, repr(value))
        if entry != 0.0:
            found.append((last, entry.hex()))
    return found


def parsed(text, width):
    """Return rows (line, label, entries), and bad ones (line, ...)."""
    rows, bad = [], []
    for line, record in enumerate(text.split(b"\n"), 1):
        words = record.partition(b"#")[0].decode("utf-8", "replace").split()
        if not words:
            continue
        found = entries(words[1:], width)
        if isinstance(found, tuple):
            bad.append((line, *found))
        else:
            rows.append((line, label(words[0]), found))
    return rows, bad
