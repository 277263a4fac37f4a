"""A small paper whose report has figures, pictures, a wide table and a failure."""

from rosenblatt.core.figures import FigureData, Picture, Series, TableData
from rosenblatt.papers.claims import Figure, Paper, Table

FIGURES = 9  # with interactive charts or pictures


def curves(*, quick):
    line = Series("line", [1, 10, 100], [0.5, 0.1, 0.01], "theory")
    band = Series(
        "band", [1, 10, 100], [0.4, 0.1, 0.02], "simulation", [0.3, 0, 0.01], [1, 1, 1]
    )
    dots = Series(
        "dots", [1, 10], [0.2, 0.1], "published", [0.1, 0.05], [0.3, 0.2], "points"
    )
    steps = Series("steps", [1, 2, 3], [0.1, 0.3, 0.2], "simulation", shape="steps")
    return FigureData(
        "Curves",
        "They <fall>.",
        r"time $\alpha$",
        r"error $\epsilon_g$",
        (line, band, dots, steps),
        x_log=True,
        y_log=True,
    )


def pictures(*, quick):
    made = [Picture(str(k), [[k, -1.0], [0.5, 1.0]]) for k in range(7)]
    return FigureData("Pictures", "Some.", "", "", (), pictures=tuple(made))


def table(*, quick):
    columns = tuple(f"a rather long heading {k}" for k in range(9))
    return TableData("Table", "Wide.", columns, (tuple(range(9)),) * 3)


def broken(*, quick):
    raise ValueError("a reason that is long and has " + "noblanks" * 20)


NAMES = [f"minsky1969/figure{k}-with-a-name-that-is-long" for k in range(FIGURES - 1)]
PAPER = Paper(
    key="minsky1969",
    citation="M. Minsky & S. Papert",
    figures=(
        *(Figure(name, "figure 1", curves) for name in NAMES),
        Figure("minsky1969/pictures", "figure 2", pictures),
        Figure("minsky1969/broken", "figure 3", broken),
    ),
    tables=(Table("minsky1969/table", "table 1", table),),
)
