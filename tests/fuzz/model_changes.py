"""Structured changes of model files: tensors, records, names and numbers."""

import numpy as np

from rosenblatt.models.saving import pack, unpack
from tests.fuzz.byte_changes import changed_json

_NAMED = ("record", "part", "own")  # keys of names in a model file

_TYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
_VALUES = (
    np.nan,
    np.inf,
    -np.inf,
    0.0,
    -1.0,
    1.0,
    -1e-300,
    1e300,
    -1e308,
    2.0**62,
    3.0,
)


def changed_model(content, classes, random):
    """Return a model file with one to three changes, and the changes in words.

    ``classes`` are names of records, parts and estimators, of which one may replace
    another. The checksum is right again.
    """
    tree, tensors = unpack(content)
    tensors = dict(tensors)
    said = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        kind = random.choice(("tensor", "tensor", "tensor", "tree", "tree", "class"))
        if kind == "tensor" and tensors:
            said.append(_change_tensor(tensors, random))
        elif kind == "class":
            said.append(_change_class(tree, classes, random))
        else:
            tree, words = changed_json(tree, random)
            said.append(words)
    return pack(tree, tensors), "; ".join(said)


def _change_tensor(tensors, random):
    names = sorted(tensors)
    name, other = random.choice(names), random.choice(names)
    kinds = "value value values shape shape type swap move reshape"
    kind = random.choice(kinds.split())
    if kind == "swap":
        tensors[name], tensors[other] = tensors[other], tensors[name]
        return f"swap {name} and {other}"
    if kind == "move":
        new = random.choice((other + "'", name[:-1], "x"))
        tensors[new] = tensors[name]
        if random.random() < 0.7 and new != name:
            del tensors[name]
        return f"move {name} to {new}"
    array = tensors[name].copy()
    if kind == "value" and array.size:
        array.reshape(-1)[random.randrange(array.size)] = _value(array.dtype, random)
    elif kind == "values":
        array[...] = _value(array.dtype, random)
    elif kind == "shape":
        array = _other_shape(array, random)
    elif kind == "reshape":
        shapes = [(-1,), (1, *array.shape), (*array.shape, 1)]
        array = random.choice([array.T, *map(array.reshape, shapes)])
    elif kind == "type":
        with np.errstate(all="ignore"):
            array = array.astype(random.choice(_TYPES))
    tensors[name] = np.ascontiguousarray(array)
    return f"{kind} of {name}"


def _value(kind, random):
    with np.errstate(all="ignore"):
        return np.asarray(random.choice(_VALUES)).astype(kind)


def _other_shape(array, random):
    """Return an array with another length, or none, along one of its axes."""
    if not array.ndim:
        return array.reshape(1)
    axis = random.randrange(array.ndim)
    size = array.shape[axis]
    wanted = random.choice((0, 1, size - 1, size + 1, 2 * size, size // 2))
    places = np.arange(max(0, wanted)) % max(1, size)
    if not size:
        return np.ones([*array.shape[:axis], 2, *array.shape[axis + 1 :]], array.dtype)
    return array.take(places, axis=axis)


def named(tree):
    """Return the records and parts in a tree, each with the key of its name."""
    found = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found += [(one, key) for key in _NAMED if isinstance(one.get(key), str)]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def _change_class(tree, classes, random):
    """Let a record or a part have another name, or the model another estimator."""
    records = named(tree)
    if not records or random.random() < 0.2:
        if isinstance(tree, dict):
            tree["estimator"] = random.choice(classes)
        return "another estimator"
    (record, key), new = random.choice(records), random.choice(classes)
    old = record.pop(key)
    record[key if random.random() < 0.8 else random.choice(_NAMED)] = new
    return f"{key} {old} becomes {new}"
