# Every target sets up what it needs: an environment of its own in .venv, with the
# versions of constraints.txt. Nothing is installed twice.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help report lab test lint types contracts tests claims slow coverage bench wheel docs format \
    fuzz clean

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed; say which with PYTHON=..."; exit 1; }
	test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

report: $(VENV)/installed  ## rerun the papers and write report/index.html
	$(RUN)/rosenblatt reproduce --out report $(REPORT)

lab: $(VENV)/installed  ## a page to play with, on this machine only; Ctrl-C stops it
	$(RUN)/rosenblatt lab --open $(LAB)

test: lint types contracts tests claims  ## all checks: style, types, imports, tests, claims

lint: $(VENV)/installed
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

types: $(VENV)/installed
	$(RUN)/mypy

contracts: $(VENV)/installed
	$(RUN)/lint-imports

tests: $(VENV)/installed
	$(RUN)/pytest -n auto --dist loadgroup

claims: $(VENV)/installed  ## all claims of the papers, in quick mode
	$(RUN)/rosenblatt reproduce --quick --out build/claims

slow: $(VENV)/installed  ## the tests that take long
	$(RUN)/pytest -m slow

fuzz: $(VENV)/installed  ## hostile files and arguments; FUZZ="csv --seconds 600" says which
	$(RUN)/python -m tests.fuzz $(or $(FUZZ),all --seconds 60)

coverage: $(VENV)/installed  ## small tests in plain Python, with coverage
	NUMBA_DISABLE_JIT=1 $(RUN)/pytest tests/core tests/rules tests/schedules \
	    tests/teachers tests/streams tests/machines tests/estimators tests/rows/test_learning.py tests/rows/test_tables.py tests/system tests/numerics tests/bits tests/compiling \
	    tests/conformance/test_parts.py tests/theory/test_drift.py \
	    tests/papers/test_claims.py tests/papers/test_verdicts.py tests/report \
	    --cov=rosenblatt --cov-report=term-missing

bench: $(VENV)/installed  ## speed as ratios against peers; writes bench/
	$(RUN)/python -m benchmarks

wheel: $(VENV)/installed  ## a wheel with machine code, for this Python; writes dist/
	ROSENBLATT_COMPILE=1 $(RUN)/python -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir dist

docs: $(VENV)/installed  ## the documentation; writes docs/_build/html/index.html
	$(RUN)/sphinx-build -W --keep-going -q docs docs/_build/html

format: $(VENV)/installed  ## let ruff mend what it can
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

clean:  ## remove everything that was made
	rm -rf $(VENV) dist report bench docs/_build docs/api docs/papers docs/command_line.md docs/gallery.md docs/model_schemas.md .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
