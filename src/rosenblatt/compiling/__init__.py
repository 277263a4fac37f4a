"""Compilation: all knowledge of numba and llvmlite.

``compiled(part)`` turns a part into a compiled function, ``@kernel`` compiles a loop,
``@inlined`` its pieces. ``storage`` keeps machine code between processes; ``versions``
refuses a numba that was not tested.
All folders above may import it; it imports ``core`` and ``system`` only.
"""

import rosenblatt.compiling.versions  # noqa: F401  # before anything of numba is used
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import compiled, force_inlined, inlined, kernel

__all__ = ["compiled", "force_inlined", "inlined", "kernel", "types"]
