"""All formats by name.

``prepare(folder)`` makes golden inputs in an empty folder, and loads the code that
cases use. ``mutate(golden, random)`` returns a case that depends on both only.
``run(case, folder, stage)`` gives the case, whose files are in the folder, to the
library. It returns if the case is accepted. A documented exception is a refusal, and
anything else a fault. ``stage`` is told what comes next, for a report of a death.
"""

from tests.fuzz import (
    calls,
    checkpoint,
    command_line,
    estimators,
    model,
    results,
    store,
    tables,
)

FORMATS = {
    "model": model,
    "parquet": tables.parquet,
    "arrow": tables.arrow,
    "csv": tables.delimited,
    "svmlight": tables.svmlight,
    "checkpoint": checkpoint,
    "store": store,
    "results": results,
    "estimators": estimators,
    "calls": calls,
    "cli": command_line,
}
