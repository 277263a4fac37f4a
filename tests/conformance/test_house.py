"""House rules on files, functions and docstrings, checked by reading the sources.

Nothing is imported. Each test lists all places that break its rule.
"""

import ast
import re
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rosenblatt"
PAPERS = PACKAGE / "papers"
COMMANDS = PACKAGE / "cli"
SOURCES = sorted(PACKAGE.rglob("*.py"))
EVERYTHING = [
    path
    for folder in ("src", "tests", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
MODULES = [path for path in SOURCES if not path.name.startswith("__")]
FOLDERS = sorted({path.parent for path in SOURCES})

MOST_FILES = 15  # in a folder
MOST_LINES = 300  # of a file; a longer one is split, by subject
MOST_BODY = 60  # lines of a function, without its docstring
MOST_PARAMETERS = 8
MOST_COMPILED = 14  # a formula for vectors names all entries that it reads
MOST_WORDS = 25  # of a sentence; code, a reference or a formula is one word
RIDDLES = ("How", "What", "Where", "Whether", "Which", "Whoever")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)


@cache
def tree(path):
    return ast.parse(path.read_text())


def place(path, node=None):
    """Name of a file, or of a function in it, as editors understand it."""
    name = path.relative_to(ROOT).as_posix()
    return name if node is None else f"{name}:{node.lineno} {node.name}"


def refuse(found):
    """Fail if anything was found, with one line for each."""
    lines = list(found)
    assert not lines, "\n".join([f"{len(lines)} places:", *lines])


@cache
def functions(path):
    return [node for node in ast.walk(tree(path)) if isinstance(node, FUNCTIONS)]


def compiling(path):
    """Names that a file imports from the folder that compiles, or from numba."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("rosenblatt.compiling", "numba"))
        for alias in node.names
    }


@cache
def compiled(path):
    """Functions of a file that are decorated by what compiles, or are given to it."""
    names = compiling(path)
    given = {
        argument.id
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and called(node) in names
        for argument in node.args
        if isinstance(argument, ast.Name)
    }
    return [
        node
        for node in functions(path)
        if node.name in given or names & set(map(called, node.decorator_list))
    ]


def called(node):
    """Name of a decorator or of a called function; None if it is no plain name."""
    if isinstance(node, ast.Call):
        return called(node.func)
    return node.id if isinstance(node, ast.Name) else None


def body(function):
    """Lines of a function without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        first = function.body[0]
        lines -= first.end_lineno - first.lineno + 1
    return lines


def parameters(function):
    given = function.args
    names = [p.arg for p in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_folders_have_few_files():
    """A folder with more files is several folders; papers may have more."""
    refuse(
        f"{place(folder)}: {count} files"
        for folder in FOLDERS
        if PAPERS not in (folder, *folder.parents)
        and (count := sum(path.parent == folder for path in MODULES)) > MOST_FILES
    )


def test_files_are_short():
    refuse(
        f"{place(path)}: {count} lines"
        for path in EVERYTHING
        if (count := len(path.read_text().splitlines())) > MOST_LINES
    )


def test_functions_are_short():
    """Commands may be longer; so may compiled loops, and functions that generate them.

    A loop in pieces is slower, or takes longer to compile.
    """
    refuse(
        f"{place(path, function)}: {body(function)} lines"
        for path in SOURCES
        if not {COMMANDS, PACKAGE / "compiling"} & set(path.parents)
        for function in functions(path)
        if body(function) > MOST_BODY and function not in compiled(path)
    )


@cache
def public():
    """Names that users import: those that folders list, at run time or in stubs."""
    names = {
        word
        for folder in FOLDERS
        if (stub := folder / "__init__.pyi").exists()
        for word in stub.read_text().split()
    }
    return names.union(*(listed(folder / "__init__.py") for folder in FOLDERS))


def allowed(path, function):
    """Number of parameters that a function may have, None for any.

    Commands and public functions have those that users need. Records are made of all
    their fields. Pieces of code for the processor take what its instructions take.
    """
    exempt = COMMANDS, PACKAGE / "compiling"
    if function.name in public() | {"__init__"} or set(exempt) & set(path.parents):
        return None
    return MOST_COMPILED if function in compiled(path) else MOST_PARAMETERS


def test_functions_have_few_parameters():
    refuse(
        f"{place(path, function)}: {parameters(function)} parameters"
        for path in SOURCES
        for function in functions(path)
        if (most := allowed(path, function)) is not None and parameters(function) > most
    )


def stated(node):
    """True for a claim, whose docstring is what a paper states."""
    return "claim" in map(called, getattr(node, "decorator_list", ()))


def docstrings():
    """Yield all docstrings, with their files and what they describe."""
    for path in EVERYTHING:
        for node in ast.walk(tree(path)):
            if isinstance(node, DOCUMENTED) and (words := ast.get_docstring(node)):
                yield path, node, words


def test_docstrings_say_what_a_thing_is_or_does():
    refuse(
        f"{place(path)}: {words.splitlines()[0]}"
        for path, node, words in docstrings()
        if not stated(node) and words.split()[0].rstrip(",:") in RIDDLES
    )


def indentation(line):
    return len(line) - len(line.lstrip())


def sentences(words):
    """Yield the sentences of a docstring, without examples, tables and equations."""
    words = re.sub(r":[\w:]+:`[^`]*`|``[^`]*``", "Code", words)
    for block in re.split(r"\n\s*\n|\n(?=\s*[*-] )", words):  # paragraphs and items
        if re.search(r"^\s*(>>>|\.\. |==)", block, re.MULTILINE):
            continue
        lines = re.sub(r"^(\s*)[*-] ", r"\1  ", block).splitlines()
        for _, same in groupby(lines, indentation):  # a parameter, then its description
            text = " ".join(line.strip() for line in same)
            text = re.sub(r"\S+( [-+*/=<>~]+ [^\s.,:;]+)+", "Formula", text)
            yield from re.split(r"(?<=[.!?]) (?=[^a-z])|(?<=[.!?]\)) ", text)


def test_sentences_of_docstrings_are_short():
    refuse(
        f"{place(path)}: {count} words: {sentence}"
        for path, _, words in docstrings()
        for sentence in sentences(words)
        if (count := len(re.findall(r"\S*\w\S*", sentence))) > MOST_WORDS
    )


def about(folder):
    """Docstring of a folder."""
    file = folder / "__init__.py"
    return (ast.get_docstring(tree(file)) or "") if file.exists() else ""


def test_folders_say_what_is_in_them_and_who_imports_them():
    """The package itself is for users; a paper's folder describes the paper."""
    refuse(
        place(folder)
        for folder in FOLDERS
        if not about(folder)
        or (
            ("import" not in about(folder) and folder != PACKAGE)
            and folder.parent != PAPERS
        )
    )


def listed(path):
    """Names in ``__all__`` of a module."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
            return ast.literal_eval(node.value)
    return []


def needs_tests(path):
    """True if a module needs a test file of its own.

    Modules with functions do. Those of papers measure claims and draw exhibits,
    and ``test_papers.py`` tests all of these; they need tests of other functions that
    they offer.
    """
    if PAPERS in path.parent.parents:
        return any(
            not name.isupper() and not name.startswith(("figure_", "table_"))
            for name in listed(path)
        )
    return bool(functions(path))


def test_tests_mirror_the_source():
    tests = ROOT / "tests"
    refuse(
        place(path)
        for path in filter(needs_tests, MODULES)
        if not (tests / path.parent.relative_to(PACKAGE) / f"test_{path.name}").exists()
    )
