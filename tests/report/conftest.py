"""A small paper: claims of each fate, an erratum, a figure, a table, failures."""

import pytest

from rosenblatt.core.figures import FigureData, Series, TableData
from rosenblatt.papers.claims import Claim, Figure, Kind, Measurement, Paper, Table


def claim(name, measure, published):
    return Claim(
        id=f"minsky1969/{name}",
        where="page 1",
        quote=f"<{name}>",
        statement=f"<{name}> & more",
        published=published,
        expected=1.0,
        measure=measure,
    )


def one(quick):
    return Measurement(1.001, 0.001)


def broken(quick):
    raise RuntimeError("<no> luck")


def figure(*, quick):
    line = Series(
        "error", [1, 10], [0.5, 0.1], "theory", low=[0.4, 0.05], high=[0.6, 0.2]
    )
    return FigureData("A figure", "It <falls>.", "time", "error", (line,), True, True)


def broken_figure(*, quick):
    raise ValueError("nothing to draw")


def undrawable(*, quick):
    line = Series("error", [1, 10], [0.5, 0.1], "theory")
    return FigureData("A figure", "No.", "$\\nosuchthing{$", "error", (line,))


def table(*, quick):
    return TableData("A table", "Some.", ("rule", "error"), (("Hebb", 0.25), (2, None)))


@pytest.fixture
def paper():
    return Paper(
        key="minsky1969",
        citation="M. Minsky & S. Papert",
        statements=(
            claim("fig1/right", one, 1.0),
            claim("fig1/misprinted", one, 2.0),
            claim("fig10/broken", broken, 1.0),
            claim("nothing", lambda quick: Measurement(float("nan"), 0.1), 1.0),
            Claim(
                id="minsky1969/erratum/eq1",
                where="page 2",
                quote="1 + 1 = 3",
                statement="It is 2.",
                kind=Kind.ERROR,
                evidence="Half of a sum.",
                formula=2.0,
                expected=1.0,
                measure=one,
            ),
        ),
        figures=(
            Figure("minsky1969/fig1", "figure 1", figure, finding="As 1/alpha."),
            Figure("minsky1969/fig2", "figure 2", broken_figure),
            Figure("minsky1969/fig3", "figure 3", undrawable),
        ),
        tables=(Table("minsky1969/table1", "table 1", table),),
    )


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """Compute small papers here: processes start more slowly than they compute."""
    monkeypatch.setattr("rosenblatt.report.running.core_count", lambda: 1)
