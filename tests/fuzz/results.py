"""Results in netCDF files: other bytes, and other specifications to run again."""

import json

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes, changed_json
from tests.fuzz.cases import Case

_FILE = "run.nc"
_MOST = 100  # the largest number in a changed specification


def prepare(folder):
    """Simulate with several engines, and return files and specifications."""
    hebb, constant = rb.rules.Hebb(), rb.schedules.Constant()
    made = [
        rb.simulate(hebb, constant, dim=10, alpha=[1, 3]),
        rb.simulate(rb.rules.Perceptron(), rb.schedules.Power(), dim=10, alpha=[0, 2]),
        rb.simulate(rb.rules.BinaryBayes(), constant, dim=11, alpha=2),
    ]
    found = []
    for result in made:
        rb.save(result, folder / _FILE)
        rb.rerun(rb.load(folder / _FILE))
        found.append(((folder / _FILE).read_bytes(), result))
    return found


def mutate(golden, random):
    """Return other bytes, or other attributes."""
    content, result = random.choice(golden)
    if random.random() < 0.4:
        content, said = changed_bytes(content, random)
        return Case(said, {_FILE: content})
    attributes = {name: _plain(value) for name, value in result.attrs.items()}
    spec = json.loads(attributes["spec"])
    if random.random() < 0.8:
        spec, said = changed_json(spec, random)
        attributes["spec"] = json.dumps(_small(spec))
    else:
        attributes, said = changed_json(attributes, random)
    return Case(f"{result.attrs['engine']}: {said}", {}, (result, attributes))


def _small(tree):
    """Return a specification without numbers that only ask for long work."""
    if isinstance(tree, dict):
        return {key: _small(entry) for key, entry in tree.items()}
    if isinstance(tree, list):
        return [_small(entry) for entry in tree]
    number = isinstance(tree, int | float) and not isinstance(tree, bool)
    return _MOST if number and tree > _MOST else tree


def _plain(value):
    return value.item() if hasattr(value, "item") else value


def run(case, folder, stage):
    """Load the file and run it again."""
    if case.given is None:
        stage("load")
        found = rb.load(folder / _FILE)
    else:
        result, attributes = case.given
        found = result.assign_attrs(attributes)
        found.attrs = attributes
    stage("rerun")
    rb.rerun(found, workers=1)
