# Every target sets up what it needs: an environment of its own in .venv, with the
# versions of constraints.txt. Nothing is installed twice.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: each would compile all sources

.PHONY: help report lab test slow fuzz bench dist wheel docs format clean

help:  ## what can be made; .github/ has scripts for other versions of what is needed
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed; say which with PYTHON=..."; exit 1; }
	test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[dev]'
	-$(RUN)/python -m compileall -q -j 0 -x /tests/ $(VENV) > $(VENV)/compiled.txt  # pip would use one core
	touch $@

report: $(VENV)/installed  ## rerun the papers and write report/index.html
	$(RUN)/rosenblatt reproduce --out report $(REPORT)

lab: $(VENV)/installed  ## a page to play with, on this machine only; Ctrl-C stops it
	$(RUN)/rosenblatt lab --open $(LAB)

test: $(VENV)/installed  ## all checks: style, types, imports, tests, claims
	@$(RUN)/python -m tests.checks

slow: $(VENV)/installed  ## the tests that take long
	$(RUN)/pytest -n auto -m slow

fuzz: $(VENV)/installed  ## hostile files and arguments; FUZZ="csv --seconds 600" says which
	$(RUN)/python -m tests.fuzz $(or $(FUZZ),all --seconds 60)

bench: $(VENV)/installed  ## speed as ratios against peers; writes bench/ (BENCH=--docs: docs/benchmarks.md too)
	$(RUN)/python -m benchmarks $(BENCH)

dist:  ## build the package, check it and try it in a fresh environment; writes dist/
	rm -rf dist build/fresh build/tools
	$(PYTHON) -m venv build/tools
	build/tools/bin/pip install --quiet build twine check-wheel-contents hatchling
	build/tools/bin/python -m build --no-isolation --outdir dist
	build/tools/bin/twine check --strict dist/*
	build/tools/bin/check-wheel-contents dist/*.whl
	$(PYTHON) -m venv build/fresh
	build/fresh/bin/pip install --quiet --constraint constraints.txt dist/*.whl
	awk '/^```python/ {on = 1; next} /^```/ {if (on) exit} on' README.md > build/example.py
	cd build && fresh/bin/python example.py
	build/fresh/bin/pip check
	build/fresh/bin/pip uninstall --quiet --yes rosenblatt
	! build/fresh/bin/python -c 'import rosenblatt' 2> build/uninstalled.txt
	build/fresh/bin/pip install --quiet --no-deps dist/*.whl  # for benchmarks/startup.py

wheel: $(VENV)/installed  ## a wheel with machine code, for this Python; writes dist/
	ROSENBLATT_COMPILE=1 $(RUN)/python -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir dist

docs: $(VENV)/installed  ## the documentation; writes docs/_build/html/index.html
	$(RUN)/sphinx-build -W --keep-going -q docs docs/_build/html

format: $(VENV)/installed  ## let ruff mend what it can
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

clean:  ## remove everything that was made
	rm -rf $(VENV) build dist report bench docs/_build docs/api docs/api.md docs/papers docs/examples docs/command_line.md docs/gallery.md docs/model_schemas.md .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
