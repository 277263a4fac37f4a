"""The command line with hostile words."""

import itertools
import shutil
from pathlib import Path

import rosenblatt as rb
from tests.fuzz.cases import Case, FaultError
from tests.fuzz.commands import command
from tests.tables.examples import table, write

_SPEC = """
task = "solve"
[parameters]
schedule = "constant"
alpha = [1, 10]
[axes]
rule = ["perceptron", "hebb"]
"""
# Words for any place; none of them asks for long work.
_PLAIN = """
- -- -1 0 1 nan inf -inf 1e400 1e-400 x 1_000 0x10 99999999999999999999999 %s%n {} help
x:y=1 perceptron:margin= perceptron:margin=nan perceptron:margin=-1 [bold] perceptron(
perceptron:margin=1,margin=2 perceptron:nothing=1 decay:rule=perceptron,strength=x
delta:activation=tanh(gain=2)) delta:activation=(((( power:scale=1e400 os:system
nothing.py:Rule /etc/passwd /nowhere/x.csv / . rows.csv rows.csv:x model.safetensors
store spec.toml run.nc won a,b , ,, a,a won,won NA --quiet --json --help --nothing
--target --rule
"""
_STRANGE = ("", "\t", "a\nb", "a" * 3000, "\u00e9\u4e2d\U0001f600")
_WORDS = [*_PLAIN.split(), *_STRANGE]
_OUTPUTS = ("--save", "--out", "--store", "--plot")
_COMMANDS = [
    line.split()
    for line in (
        "simulate --rule hebb --dim 10 --alpha 1,2, --replicas 2",
        "simulate --rule perceptron --schedule power --dim 10 --alpha 1,2, --theory",
        "simulate --rule hebb --start random --noise 0.1 --dim 10 --alpha 1, --json",
        "simulate --rule perceptron:margin=1 --decay 0.5 --dim 10 --alpha 1,",
        "train rows.csv --target won --model perceptron",
        "train rows.csv --target won --model bayes-diagonal --quiet",
        "train rows.csv --target won --model perceptron --save m.safetensors "
        "--checkpoint-every 10 --classes 0,1",
        "train rows.csv --target won --model perceptron "
        "--column a=number --column side=hash --batch-rows 16",
        "predict model.safetensors rows.csv --proba",
        "predict model.safetensors rows.csv --out out.csv --json",
        "inspect model.safetensors --top 3",
        "sweep spec.toml --store store --status",
        "sweep spec.toml --store store --collect --save out.nc --json",
        "sweep spec.toml --cores 0 --store new --quiet",
        "claims --list --json",
    )
]


def prepare(folder):
    """Make the files that commands name, and load every command."""
    write(table(40), folder / "rows.csv")
    rb.train(
        folder / "rows.csv",
        "won",
        model="bayes-diagonal",
        save=folder / "model.safetensors",
    )
    (folder / "spec.toml").write_text(_SPEC)
    rb.sweep(folder / "spec.toml", store=folder / "store", cores=0)
    result = rb.simulate(rb.rules.Perceptron(1), rb.schedules.Power(), dim=5, alpha=1)
    rb.save(result, folder / "run.nc")
    return folder


def mutate(golden, random):
    """Return a command with other, fewer or more words."""
    words = list(random.choice(_COMMANDS))
    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randrange(len(words))
        kind = random.choice(("replace", "replace", "add", "remove", "swap", "cut"))
        if kind == "replace":
            words[place] = random.choice(_WORDS)
        elif kind == "add":
            words.insert(place + 1, random.choice(_WORDS))
        elif kind == "remove" and len(words) > 1:
            del words[place]
        elif kind == "swap":
            other = random.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        else:
            words[place] = words[place][: random.randrange(len(words[place]) + 1)]
    if not {"lab", "reproduce"}.isdisjoint(words):
        words = [*words[:1], "--nothing"]  # these take long if nothing is wrong
    if "claims" in words and "--list" not in words:
        words.append("--list")  # to check all of them takes minutes
    return Case(" ".join(map(repr, words)), {}, (words, golden))


def run(case, folder, stage):
    """Run the command beside the golden files; only its outputs may change these."""
    words, golden = case.given
    shutil.copytree(golden, Path.cwd(), dirs_exist_ok=True)
    outputs = {
        name
        for option, name in itertools.pairwise(words)
        if option in _OUTPUTS and words.count(name) == 1
    }
    inputs = [path.name for path in golden.iterdir() if path.name not in outputs]
    before = _contents(inputs)
    try:
        command(words, stage)
    finally:
        if _contents(inputs) != before:
            raise FaultError("a command changed a file that it was to read")


def _contents(names):
    """Return the content of files, and of the files in folders."""
    return {
        str(path): path.read_bytes()
        for name in names
        for path in sorted([Path(name), *Path(name).rglob("*")])
        if path.is_file()
    }
