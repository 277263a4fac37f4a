"""All knowledge of numba's types: parts become function pointers, loops become kernels.

``compiled(part)`` compiles ``part.bind()`` for the part's fixed signature, once per
value. ``@kernel`` compiles a loop for the signature of its annotations at its first
call, without the GIL. With ``NUMBA_DISABLE_JIT=1`` both leave plain Python.

Kernels and this package's own parts are stored on disk, in folders named by a digest of
the sources that they are made of. Numba itself does not notice an edit in a called
function of another file. Its cache does not know what a function encloses, and makes
symbols of names and numbers that other processes use too. So a name says all that a
stored function depends on, besides the sources of this package.

Machines and streams are compiled together with loops over blocks of inputs: one call by
pointer serves many examples.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, SimpleNamespace
from typing import Annotated, Any, TypeVar

import numba
import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.registry import cpu_target

from rosenblatt.compiling import storage, types
from rosenblatt.compiling.pipeline import KernelCompiler, PartCompiler, Piece
from rosenblatt.compiling.storage import StoredCode
from rosenblatt.core import parts
from rosenblatt.core.gaussian import Mapped
from rosenblatt.core.parts import (
    Activation,
    BeliefRule,
    Clock,
    Likelihood,
    Machine,
    Observation,
    Part,
    Percept,
    Rule,
    Schedule,
    Teacher,
    Update,
    VectorStream,
    WeightwiseRule,
    weightwise,
)
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.system.code import source_digest

PLAIN = bool(numba.config.DISABLE_JIT)  # whether everything stays Python
_float = types.float64
PERCEPT = types.NamedUniTuple(_float, len(Percept._fields), Percept)
_update = types.NamedUniTuple(_float, len(Update._fields), Update)
_clock = types.NamedUniTuple(_float, len(Clock._fields), Clock)
_vector = _float[::1]
_SIGNATURES = {
    Rule: _update(PERCEPT),
    Schedule: _float(_clock),
    Teacher: _float(_float),
    Likelihood: _float(_float, _float),
    Activation: types.UniTuple(_float, 2)(_float),
    Machine: _float(_vector, _vector, _vector),
    VectorStream: types.void(types.uint64[::1], _vector),
    BeliefRule: types.void(
        *3 * (_vector,),
        types.Array(_float, 1, "C", readonly=True),
        types.NamedUniTuple(_float, len(Observation._fields), Observation),
    ),
}
_LAW = types.void(_vector, _vector)
PartT = TypeVar("PartT", bound=Part)
Made = TypeVar("Made")
STEP = types.FunctionType(_SIGNATURES[Rule])
RATE = types.FunctionType(_SIGNATURES[Schedule])
_OUTPUTS = types.void(_vector, _vector, _vector)
Step = Annotated[Callable[[Percept], Update], STEP]
Rate = Annotated[Callable[[Clock], float], RATE]
Learn = Annotated[parts.Learn, types.FunctionType(_SIGNATURES[BeliefRule])]
Positive = Annotated[Callable[[FloatArray, FloatArray], None], types.FunctionType(_LAW)]
Activations = Annotated[
    Callable[[FloatArray, FloatArray, FloatArray], None], types.FunctionType(_OUTPUTS)
]

# Sums over components may be reordered and fused, so that they use vector instructions.
# Never nnan or ninf: kernels look for infinities and NaN.
_FASTMATH = {"reassoc", "contract"}


LOCK = threading.RLock()  # numba's compiler is not meant for two threads at once
_MOST_STORED = 500  # parts of a process that are kept on disk: a long scan is not
_stored = itertools.count()
if hasattr(os, "register_at_fork"):  # a fork waits: a child would wait for ever
    os.register_at_fork(
        before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release
    )


@contextmanager
def compiling() -> Iterator[None]:
    """Let one thread compile, without the search for garbage.

    Numba makes many objects that live until the end of a compilation. To look through
    them again and again takes a seventh of its time.
    """
    with LOCK:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()


def compiled_for(
    signature: Any, function: Callable[..., Any], name: str | None = None
) -> Callable[..., Any]:
    """Compile a function that is passed to kernels, for one signature.

    With a ``name`` that tells everything the function depends on, besides its own
    module, its code is stored on disk.
    """
    if numba.config.DISABLE_JIT:
        return function
    # Division by zero gives an infinity, which engines report; contraction would make
    # compiled and plain Python differ.
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    options["pipeline_class"] = PartCompiler
    with compiling():
        stored = name is not None and next(_stored) < _MOST_STORED
        if stored:
            source = source_digest("rosenblatt.compiling.jit", function.__module__)
            whole = f"{name} {signature} {source}"
            key = hashlib.sha256(whole.encode()).hexdigest()[:32]
            function = _named(function, key)
            compiled_function = numba.njit(**options)(function)
            # A folder for each: numba numbers the files of one function, and two
            # processes that keep different values would use the same number.
            with cache_in(os.path.join(storage.part_folder(), key)):
                compiled_function._cache = StoredCode(function, whole)
        else:
            compiled_function = numba.njit(**options)(function)
        # This signature now; others (whole numbers) only if somebody calls it by hand.
        compiled_function.compile(signature)
    _remember_addresses(compiled_function, signature)
    return compiled_function


def _named(function: Callable[..., Any], key: str) -> Callable[..., Any]:
    """Return the function under a name of its own.

    Numba forms a symbol from a name and a number, and counts from 0 in each process.
    Code for two values from two processes would then have the same symbol. A process
    that loads both would call one in place of the other.
    """
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        f"{function.__name__}_{key}",
        function.__defaults__,
        function.__closure__,
    )
    copy.__qualname__ = f"{function.__qualname__}_{key}"
    copy.__module__ = function.__module__
    return copy


def _processor() -> str:
    """Return a digest of the processor for which code is compiled."""
    about = cpu_target.target_context.codegen().magic_tuple()
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


@contextmanager
def cache_in(folder: str) -> Iterator[None]:
    """Let numba keep code in a folder, apart from code for other processors.

    Numba numbers the files of one function. Two machines with one home that compile at
    the same time would use the same number, and one would run the code of the other.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = os.path.join(folder, _processor())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _remember_addresses(function: Any, signature: Any) -> None:
    """Make it cheap to pass a compiled function to a kernel.

    Numba asks for its two addresses at every call, which takes longer than a short run
    or one evaluation of a drift; they never change.
    """
    result = function.get_compile_result(signature)
    library = SimpleNamespace(
        get_pointer_to_function=functools.cache(result.library.get_pointer_to_function)
    )
    known = SimpleNamespace(fndesc=result.fndesc, library=library, keep=result)
    function.get_compile_result = lambda asked: known


def _kind(part: Part) -> type[Part]:
    for kind in _SIGNATURES:
        if isinstance(part, kind):
            return kind
    kinds = ", ".join(kind.__name__ for kind in _SIGNATURES)
    raise TypeError(f"part must be one of {kinds}, got {part!r}")


@numba.njit(inline="always")
def _update_of(gain: float, decay: float) -> Update:
    return Update(float(gain), float(decay))


def _whole_numbers_allowed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with an ``Update`` that takes 0 for 0.0, as Python's does."""
    names = {
        name: _update_of if value is Update else value
        for name, value in function.__globals__.items()
    }
    return FunctionType(
        function.__code__,
        names,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


def _identity(value: Any) -> Any:
    """Return all that tells a part from others: its type and attributes, inside too.

    Equality will not do: a subclass of a dataclass may have attributes that the
    inherited comparison does not know.
    """
    if not isinstance(value, Part):
        return value
    inside = tuple((name, _identity(entry)) for name, entry in vars(value).items())
    return type(value), inside


def remembered(make: Callable[[PartT], Made]) -> Callable[[PartT], Made]:
    """Share one compilation, or another result, among equal parts."""
    known: dict[Any, Made] = {}

    @functools.wraps(make)
    def remembering(part: PartT) -> Made:
        key = _identity(part)
        try:
            hash(key)
        except TypeError:
            raise TypeError(
                f"part {part!r} must not change: write @dataclass(frozen=True) above "
                "its class, and use tuples instead of lists or arrays"
            ) from None
        with LOCK:
            if key not in known:
                known[key] = make(part)
            return known[key]

    return remembering


@remembered
def compiled(part: Part) -> Callable[..., Any]:
    """Return the compiled function of a part, the same one for equal parts."""
    kind = _kind(part)
    name = f"{kind.__name__.lower().removeprefix('belief')} {part!r}"
    if isinstance(part, WeightwiseRule) and type(part).bind is WeightwiseRule.bind:
        function = weightwise(inlined(part.signal()), inlined(part.move()))
    else:
        function = part.bind()
    function = getattr(function, "py_func", function)  # of one that is compiled already
    if not isinstance(function, FunctionType):
        raise TypeError(f"{name} must be a plain function, got {function!r}")
    try:
        plain = _whole_numbers_allowed(function)
        return compiled_for(_SIGNATURES[kind], plain, storage.name_of(part))
    except (NumbaError, UnsupportedBytecodeError, TypeError) as failure:
        raise TypeError(
            f"{name} does not compile; its function may use numbers, arrays, math and "
            f"other compiled functions only.\n{failure}"
        ) from None


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a piece that kernels are made of, together with each that uses it."""
    return _piece(function, _FASTMATH, False)


def inlined_as_written(function: Callable[..., Any]) -> Any:
    """Put a piece into kernels so that no sum in it is reordered, as theirs may be."""
    return _piece(function, {"contract"}, True)


def force_inlined(function: Callable[..., Any]) -> Any:
    """Put a piece into each kernel that uses it, as if it were written there.

    The compiler calls pieces of some length instead, and passes arrays number by
    number. That takes longer than a few lines of arithmetic for each example.
    """
    return _piece(function, _FASTMATH, True)


def _piece(function: Callable[..., Any], fastmath: set[str], force: bool) -> Any:
    function = getattr(function, "py_func", function)  # of one that is compiled already
    if PLAIN:
        return function
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    options |= {"fastmath": fastmath, "forceinline": force}
    return Piece(function, None, options)


def kernel(*given: Any, allocates: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a loop for one signature, at its first call.

    The signature is that of the annotations, or ``given``: a result and arguments. A
    loop that ``allocates`` arrays takes longer to compile: references to them are
    counted. Others may make views of their arguments only.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function

        @functools.cache
        def signature() -> Any:
            return given[0](*given[1:]) if given else types.signature(function)

        @functools.cache
        def build() -> Any:
            options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
            options |= {"fastmath": _FASTMATH, "_nrt": allocates}
            loop = numba.njit(pipeline_class=KernelCompiler, **options)(function)
            module = function.__module__
            with compiling(), contextlib.ExitStack() as alone:
                # Only of this package's sources is known when code is out of date.
                if module.startswith("rosenblatt."):
                    name = f"{module}.{function.__qualname__} {signature()}"
                    folder = storage.kernel_folder(module)
                    with cache_in(folder):
                        loop._cache = StoredCode(
                            function, f"{name} {source_digest(module)}"
                        )
                    alone.enter_context(storage.one_process(folder, function.__name__))
                loop.compile(signature())
            loop.disable_compile()
            return loop

        @functools.wraps(function)
        def call(*values: Any) -> Any:
            return build()(*values)

        call.build, call.signature = build, signature
        return call

    return decorate


@remembered
def over_arrays(teacher: Part) -> Positive:
    """Return the label law as a compiled loop: fields in, probabilities out.

    One call computes a block of examples. The law is compiled into the loop, so that
    the compiler can use vector instructions.
    """
    positive = compiled(teacher)

    def fill(fields: FloatArray, out: FloatArray) -> None:
        for i in range(fields.size):
            out[i] = positive(fields[i])

    return compiled_for(_LAW, fill, storage.name_of(teacher))


def mapped(teacher: Teacher) -> Mapped:
    """Return the compiled label law as a function of one array."""
    fill = over_arrays(teacher)

    def over(fields: FloatArray) -> FloatArray:
        given = np.ascontiguousarray(fields, dtype=np.float64)
        out = np.empty(given.shape)
        fill(given.ravel(), out.ravel())
        return out

    return over


@remembered
def activations(activation: Part) -> Activations:
    """Return an activation as a compiled loop: fields in, outputs and slopes out.

    A long function is put into the loop by force, so that it uses vector instructions.
    """
    output = compiled(activation)
    if not PLAIN:
        output = numba.njit(error_model="numpy", nogil=True, forceinline=True)(
            output.py_func
        )

    def fill(fields: FloatArray, outputs: FloatArray, slopes: FloatArray) -> None:
        for i in range(fields.size):
            outputs[i], slopes[i] = output(fields[i])

    return compiled_for(_OUTPUTS, fill, storage.name_of(activation))


def in_both_precisions(
    learn: Callable[..., Any], dimensions: int, *, allocates: bool = False
) -> tuple[Any, Any]:
    """Return the kernels of a function of entries in single and double precision.

    Parameters
    ----------
    learn
        Its first argument is an array that may be read-only.
    dimensions
        Those of this array.
    allocates
        Whether the function makes arrays, as in :func:`kernel`.
    """
    found = []
    for real in (types.float32, types.float64):
        entries = types.Array(real, dimensions, "C", readonly=True)
        signature = types.signature(learn, entries)
        given = signature.return_type, *signature.args
        found.append(kernel(*given, allocates=allocates)(learn))
    return found[0], found[1]


_ROOM = 8192  # numbers of a block: 64 KiB, which stay in the cache
_LEAST, _MOST = 16, 256  # inputs of a block; even, since Gaussians come in pairs

_rows, _i = types.float64[:, ::1], types.int64
_SCAN = _i(_rows, _vector, _vector, _i, _i, _vector, _vector)
_FILL = types.void(types.uint64[::1], _rows)
Scan = Annotated[
    Callable[
        [FloatArray, FloatArray, FloatArray, int, int, FloatArray, FloatArray], int
    ],
    types.FunctionType(_SCAN),
]
Fill = Annotated[Callable[[Words, FloatArray], None], types.FunctionType(_FILL)]


def block_size(dim: int) -> int:
    """Return the number of inputs that are drawn together, for a number of components.

    Examples
    --------
    >>> block_size(2), block_size(100), block_size(1000)
    (256, 80, 16)
    """
    return max(_LEAST, min(_MOST, _ROOM // dim // 2 * 2))


@remembered
def scanning(machine: Part) -> Scan:
    """Return a compiled loop that goes through inputs up to the first mistake.

    It is called with inputs, labels, weights, the first input and the one to stop
    before. It writes all values, and the gradient of the last input that was reached.
    It returns the number of the first input with ``y f <= 0`` (or NaN), and goes
    through all of them if there are no labels.
    """
    value = compiled(machine)

    def scan(
        inputs: FloatArray,
        labels: FloatArray,
        w: FloatArray,
        first: int,
        last: int,
        values: FloatArray,
        gradient: FloatArray,
    ) -> int:
        if labels.size == 0:
            for i in range(first, last):
                values[i] = value(inputs[i], w, gradient)
            return last
        for i in range(first, last):
            values[i] = value(inputs[i], w, gradient)
            if not labels[i] * values[i] > 0.0:
                return i
        return last

    return compiled_for(_SCAN, scan, storage.name_of(machine))


@remembered
def filling(stream: Part) -> Fill:
    """Return a compiled loop that fills a block with inputs, one a row."""
    assert isinstance(stream, VectorStream)
    draw, many = compiled(stream), stream.many

    def fill(rng: Words, inputs: FloatArray) -> None:
        if many:
            draw(rng, inputs.reshape(inputs.size))
        else:
            for i in range(len(inputs)):
                draw(rng, inputs[i])

    return compiled_for(_FILL, fill, storage.name_of(stream))
