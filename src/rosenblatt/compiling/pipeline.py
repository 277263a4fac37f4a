"""Compilation of kernels, and of pieces that they are made of, in few steps.

Numba compiles each function so that Python can call it: two wrappers, optimisation with
all that it calls, machine code. A piece that only kernels call needs none of this. Its
code is linked into that of the kernel and optimised there, once.

Numba counts references to arrays, and ends the life of each variable after its last
use. A kernel that allocates nothing needs neither: its caller holds all arrays. Code
with and without counts must not be mixed, so a piece has a version for each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import IRLegalization, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes


class _Code(JITCodeLibrary):
    """Code that is optimised as a whole only, not function by function before.

    Functions of other libraries that were linked into it become its own, without a
    symbol. Numba names them by numbers that start anew in each process. Code of two
    processes can have different functions of one name, and where both are loaded one
    would be called for the other. The loader finds names of internal functions too.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage is Linkage.linkonce_odr:
                function.linkage = Linkage.private
        super()._optimize_final_module()  # type: ignore[no-untyped-call]


class _Linked(_Code):
    """Code that is linked into that of its callers, and neither optimised nor run."""

    def finalize(self) -> None:
        """Link the code of all functions that are called."""
        for library in dict.fromkeys(self._linking_libraries):
            module = library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _ArrayRewrites(NopythonRewrites):
    """Numba's pass that fuses array expressions, if there are arrays as results."""

    _name = "array_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Run the pass, if it can find anything."""
        results = (getattr(call, "return_type", 0) for call in state.calltypes.values())
        if not any(isinstance(result, types.Array) for result in results):
            return False
        return bool(super().run_pass(state))  # type: ignore[no-untyped-call]


class PartCompiler(Compiler):
    """Numba's compiler without passes that have nothing to do."""

    _library = _Code

    def define_pipelines(self) -> Any:
        """Return the passes."""
        state = self.state
        codegen = state.targetctx.codegen()
        state.library = self._library(codegen, state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.library.enable_object_caching()
        idle: set[Any] = set()
        if not any(isinstance(c, CodeType) for c in state.func_id.code.co_consts):
            idle.add(InlineClosureLikes)
        if not state.flags.nrt:
            idle.add(IRLegalization)  # it ends the lives of variables
        (given,) = super().define_pipelines()  # type: ignore[no-untyped-call]
        fewer = PassManager(given.pipeline_name)  # type: ignore[no-untyped-call]
        for kind, about in given.passes:
            if kind is NopythonRewrites:
                kind = _ArrayRewrites
            if kind not in idle:
                fewer.add_pass(kind, about)  # type: ignore[no-untyped-call]
        fewer.finalize()  # type: ignore[no-untyped-call]
        return [fewer]


class KernelCompiler(PartCompiler):
    """The compiler for kernels, which are called by their own address."""

    def define_pipelines(self) -> Any:
        """Return the passes, for code without a wrapper for C."""
        self.state.flags.no_cfunc_wrapper = True
        return super().define_pipelines()


class _PieceCompiler(KernelCompiler):
    """The compiler up to the code that is linked."""

    _library = _Linked

    def define_pipelines(self) -> Any:
        """Return the passes, for code without wrappers."""
        flags = self.state.flags
        flags.no_cpython_wrapper = flags.no_compile = True
        return super().define_pipelines()


class Piece(CPUDispatcher):
    """A function for kernels. If Python calls it, it is compiled once more, by numba.

    Parameters
    ----------
    function
        The plain function.
    names
        Types of local variables; numba gives them when it reads a pickle.
    options
        Options of ``numba.jit``.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        names: dict[str, Any] | None,
        options: dict[str, Any],
    ) -> None:
        whole = {"nopython": True, "boundscheck": None, **options}
        super().__init__(function, names or {}, whole, _PieceCompiler)

    @functools.cached_property
    def uncounted(self) -> Piece:
        """The piece for kernels that do not count references."""
        if not self.targetoptions.get("_nrt", True):
            return self
        return Piece(self.py_func, None, {**self.targetoptions, "_nrt": False})

    def _version(self) -> Any:
        """Return the piece for the kernel that is being compiled."""
        counted = ConfigStack().top().nrt  # type: ignore[no-untyped-call]
        return self if counted else self.uncounted

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the piece for types of arguments, and return what is known of it."""
        return super(Piece, self._version()).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the key of the code for a signature."""
        return super(Piece, self._version()).get_overload(sig)

    @functools.cached_property
    def _for_python(self) -> Any:
        return numba.jit(**self.targetoptions)(self.py_func)

    def __call__(self, *given: Any) -> Any:
        """Run the function by itself."""
        return self._for_python(*given)

    def add_overload(self, result: Any) -> None:
        """Make known what was compiled, to the compilation of kernels only."""
        key = object()
        self.targetctx.insert_user_function(key, result.fndesc, [result.library])  # type: ignore[no-untyped-call]
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=key)
