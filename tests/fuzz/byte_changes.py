"""Random changes of bytes and of JSON trees."""

import json

NUMBERS = (0, 1, -1, 2, 7, 255, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63))
_FLOATS = (0.0, -0.0, 1e-320, 1e308, -1e308, 0.5, -1.5, 1e18)
_WORDS = ("", "nan", "x", "y" * 300, "\u00e9\u4e2d\U0001f600", "\0", "../../x", "-1")


def changed_bytes(content, random):
    """Return bytes with one to four changes, and the changes in words."""
    found, said = bytearray(content), []
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        said.append(_one_change(found, random))
    return bytes(found), "; ".join(said)


def _one_change(found, random):
    size = max(1, len(found))
    # formats keep what matters most at their ends
    where = random.choice(
        (
            random.randrange(size),
            random.randrange(size),
            random.randrange(min(size, 200)),
            size - 1 - random.randrange(min(size, 200)),
        )
    )
    kind = random.choice(("bit", "byte", "number", "cut", "remove", "repeat", "insert"))
    if kind == "bit" and found:
        found[where] ^= 1 << random.randrange(8)
    elif kind == "byte" and found:
        found[where] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    elif kind == "number":
        width = random.choice((2, 4, 8))
        number = random.choice(NUMBERS) % (1 << 8 * width)
        order = random.choice(("little", "big"))
        found[where : where + width] = number.to_bytes(width, order)
    elif kind == "cut":
        del found[where:]
    elif kind == "remove":
        del found[where : where + random.choice((1, 4, 8, 64))]
    elif kind == "repeat":
        found[where:where] = found[where : where + random.choice((1, 8, 64))]
    else:
        found[where:where] = random.randbytes(random.choice((1, 2, 8)))
    return f"{kind} at {where}"


def changed_text(content, words, random):
    """Return lines of text with a few changes, such as other words or other lines."""
    lines = content.split(b"\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        i = random.randrange(len(lines))
        kind = random.choice(("word", "word", "word", "line", "drop", "end", "join"))
        if kind == "word":
            cells = lines[i].replace(b" ", b",").split(b",")
            cell = random.choice(cells)
            lines[i] = lines[i].replace(cell, random.choice(words), 1)
        elif kind == "line":
            lines.insert(i, random.choice((b"", random.choice(words), lines[i])))
        elif kind == "drop" and len(lines) > 1:
            del lines[i]
        elif kind == "end":
            lines[i] += random.choice((b"\r", b"\r\n", b" ", b"\t", b"\0", b",", b"#"))
        elif i + 1 < len(lines):
            lines[i : i + 2] = [lines[i] + random.choice(words) + lines[i + 1]]
    return b"\n".join(lines)


def _places(tree):
    """Return every place in a JSON tree, as container and key."""
    found = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            keys = list(one) if isinstance(one, dict) else list(range(len(one)))
            found += [(one, key) for key in keys]
            waiting += [one[key] for key in keys]
    return found


def _other_value(old, places, random):
    if isinstance(old, bool):
        return random.choice((not old, 0, 1, None, "true"))
    if isinstance(old, int) and random.random() < 0.7:
        return random.choice((*NUMBERS, old + 1, old - 1, -old, 2 * old, 10**30))
    if isinstance(old, float) and random.random() < 0.7:
        return random.choice((*_FLOATS, -old, old * 1e10, int(old) if old < 1e9 else 0))
    if isinstance(old, list) and random.random() < 0.6:
        return random.choice((old[:-1], [*old, *old[:1]], old[::-1], [], [old]))
    if isinstance(old, str) and random.random() < 0.5:
        return random.choice((*_WORDS, old[:-1], old + "x", old.upper()))
    container, key = random.choice(places)
    other = json.loads(json.dumps(container[key]))  # a copy: no tree holds itself
    return random.choice((other, None, True, {}, [], *NUMBERS, *_FLOATS, *_WORDS))


def changed_json(tree, random):
    """Return a JSON tree with one to three changes, and the changes in words."""
    tree = json.loads(json.dumps(tree))
    said = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = _places(tree)
        if not places:
            break
        container, key = random.choice(places)
        kind = random.choice(("value", "value", "value", "remove", "add", "swap"))
        if kind == "value":
            container[key] = _other_value(container[key], places, random)
        elif kind == "remove":
            del container[key]
        elif kind == "add" and isinstance(container, dict):
            container[random.choice(_WORDS)] = random.choice(NUMBERS)
        elif kind == "add":
            container.insert(key, random.choice((*NUMBERS, *_WORDS, None)))
        else:
            other, there = random.choice(places)
            copies = json.loads(json.dumps([container[key], other[there]]))
            container[key], other[there] = copies[1], copies[0]
        said.append(f"{kind} at {key!r}")
    return tree, "; ".join(said)
