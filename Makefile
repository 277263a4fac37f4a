# Every target sets up what it needs: an environment of its own in .venv, with the
# versions of constraints.txt. Nothing is installed twice.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: each would compile all sources

.PHONY: help report lab test lint types contracts tests claims slow coverage bench bench-compare \
    dist oldest newest processors aarch64 next wheel docs format fuzz clean

help:  ## what can be made
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

test: lint  ## all checks: style, types, imports, tests, claims
	$(MAKE) --jobs=2 tests types contracts claims

lint: $(VENV)/installed
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

types: $(VENV)/installed
	$(RUN)/mypy

contracts: $(VENV)/installed
	$(RUN)/lint-imports

tests: $(VENV)/installed
	$(RUN)/pytest -n auto --junitxml=build/tests.xml
	$(RUN)/python -m tests.processors --numerical

claims: $(VENV)/installed  ## all claims of the papers, in quick mode
	nice -n 19 $(RUN)/rosenblatt reproduce --quick --out build/claims  # while tests beside it wait

slow: $(VENV)/installed  ## the tests that take long
	$(RUN)/pytest -n auto -m slow

fuzz: $(VENV)/installed  ## hostile files and arguments; FUZZ="csv --seconds 600" says which
	$(RUN)/python -m tests.fuzz $(or $(FUZZ),all --seconds 60)

coverage: $(VENV)/installed  ## small tests in plain Python, with coverage
	NUMBA_DISABLE_JIT=1 $(RUN)/pytest tests/core tests/rules tests/schedules \
	    tests/teachers tests/streams tests/machines tests/estimators tests/rows/test_learning.py tests/rows/test_tables.py tests/system tests/numerics tests/bits tests/compiling \
	    tests/conformance/test_parts.py tests/theory/test_drift.py \
	    tests/papers/test_claims.py tests/papers/test_verdicts.py tests/report \
	    --cov=rosenblatt --cov-report=term-missing

bench: $(VENV)/installed  ## speed as ratios against peers; writes bench/ (BENCH=--docs: docs/benchmarks.md too)
	$(RUN)/python -m benchmarks $(BENCH)

bench-compare:  ## what got slower or faster than in earlier runs of make bench
	$(RUN)/python -m benchmarks.history

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

# A small part of the tests that runs all kinds of kernels.
SMALL = tests/rows/test_learning.py tests/filters/kernels/test_independent.py \
    tests/simulation/test_reduced.py tests/bits/test_counting.py tests/compiling \
    tests/estimators/test_bayes_perceptron.py tests/theory/test_ode.py

oldest:  ## a small part of the tests, with the lower bounds of pyproject.toml
	rm -rf build/oldest && $(PYTHON) -m venv build/oldest
	sed -n 's/^ *.*"\([a-z-]*\)>=\([0-9.]*\)[",].*/\1~=\2.0/p' pyproject.toml | \
	    grep -E '^(numba|numpy|scikit-learn|scipy|xarray|lazy-loader|threadpoolctl)~' > build/oldest.txt
	build/oldest/bin/pip install --quiet --constraint build/oldest.txt --editable '.[cli,files,plot]' 'pandas<3' pytest pytest-xdist
	build/oldest/bin/python -m pytest $(SMALL) -W 'ignore:Passing a non-Collection'  # scikit-learn 1.6

newest:  ## a small part of the tests, with the newest versions that pyproject.toml allows
	rm -rf build/newest && $(PYTHON) -m venv build/newest
	build/newest/bin/pip install --quiet --editable '.[cli,files,plot]' pytest pytest-xdist
	build/newest/bin/python -m pytest $(SMALL)

processors: $(VENV)/installed  ## a small part of the tests and the speed, with other vector instructions
	for name in $(or $(CPU),generic x86-64-v2 x86-64-v3 x86-64-v4); do \
	    export NUMBA_CPU_NAME=$$name NUMBA_CPU_FEATURES=; \
	    $(RUN)/pytest $(SMALL) && $(RUN)/python -m benchmarks.processors || exit 1; done

# Pythons of Debian and the packages for them, each side by side in a folder of its own.
APT = -o Dir::State=$(CURDIR)/$(1)/apt -o Dir::State::status=$(CURDIR)/$(1)/apt/status -o Dir::Cache=$(CURDIR)/$(1)/apt -qq
EMPTY = rm -rf $(1) && mkdir -p $(1)/apt/lists/partial $(1)/apt/archives/partial && touch $(1)/apt/status
NEEDED = numba numpy scipy scikit-learn xarray lazy-loader threadpoolctl pytest pytest-xdist rich typer
ARM := build/aarch64
ARM_APT = $(call APT,$(ARM)) -o APT::Architecture=arm64 -o APT::Architectures=arm64
NEXT := build/next
NEXT_APT = $(call APT,$(NEXT)) -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$(CURDIR)/$(NEXT)/apt
NEXT_USR = $(CURDIR)/$(NEXT)/debian/usr

aarch64:  ## tests of the core on an emulated ARM processor; needs Debian with qemu-user-static
	$(call EMPTY,$(ARM))
	apt-get $(ARM_APT) update
	apt-get $(ARM_APT) --yes --no-install-recommends --download-only install python3.11 libstdc++6
	for deb in $(ARM)/apt/archives/*.deb; do dpkg --extract $$deb $(ARM)/debian; done
	$(PYTHON) -m pip install --quiet --target $(ARM)/packages --only-binary :all: --python-version 3.11 \
	    --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 \
	    --constraint constraints.txt $(NEEDED) h5netcdf h5py
	$(PYTHON) -m pip install --quiet --target $(ARM)/packages --no-deps .  # for the version of this package
	QEMU_LD_PREFIX=$(ARM)/debian PYTHONPATH=src:.:$(ARM)/packages PYTHONDONTWRITEBYTECODE=1 \
	    $(or $(QEMU),qemu-aarch64-static) $(ARM)/debian/usr/bin/python3.11 -m pytest $(or $(TESTS),tests/core)

next:  ## a small part of the tests with Python 3.14 of Debian's unstable suite; needs Debian on x86-64
	$(call EMPTY,$(NEXT))
	awk -v RS= 'NR == 1' /etc/apt/sources.list.d/debian.sources | sed 's/^Suites:.*/Suites: sid/' > $(NEXT)/apt/debian.sources
	apt-get $(NEXT_APT) update
	apt-get $(NEXT_APT) --yes --no-install-recommends --download-only install python3.14 libstdc++6
	for deb in $(NEXT)/apt/archives/*.deb; do dpkg --extract $$deb $(NEXT)/debian; done
	echo '#!/bin/sh' > $(NEXT_USR)/bin/python  # it needs its own C library, so its own loader
	echo 'exec $(NEXT_USR)/lib64/ld-linux-x86-64.so.2 --argv0 $(NEXT_USR)/bin/python' \
	    '--library-path $(NEXT_USR)/lib/x86_64-linux-gnu $(NEXT_USR)/bin/python3.14 "$$@"' >> $(NEXT_USR)/bin/python
	chmod +x $(NEXT_USR)/bin/python
	$(PYTHON) -m pip install --quiet --target $(NEXT)/packages --only-binary :all: --python-version 3.14 \
	    --constraint constraints.txt $(NEEDED) h5netcdf h5py matplotlib pyarrow safetensors
	$(PYTHON) -m pip install --quiet --target $(NEXT)/packages --no-deps .  # for the version of this package
	PYTHONPATH=src:.:$(NEXT)/packages $(NEXT_USR)/bin/python -m pytest $(or $(TESTS),$(SMALL))

wheel: $(VENV)/installed  ## a wheel with machine code, for this Python; writes dist/
	ROSENBLATT_COMPILE=1 $(RUN)/python -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir dist

docs: $(VENV)/installed  ## the documentation; writes docs/_build/html/index.html
	$(RUN)/sphinx-build -W --keep-going -q docs docs/_build/html

format: $(VENV)/installed  ## let ruff mend what it can
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

clean:  ## remove everything that was made
	rm -rf $(VENV) build dist report bench docs/_build docs/api docs/api.md docs/papers docs/command_line.md docs/gallery.md docs/model_schemas.md .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
