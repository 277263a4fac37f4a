#!/bin/sh
# Records what a change of structure must not change, and compares two records.
#
#   tests/keep.sh record FILE [--all] [--claims] [--speed]
#   tests/keep.sh compare BEFORE AFTER
#
# See tests/keep.py. Uses the environment in .venv, or python3 without one.
cd "$(dirname "$0")/.." || exit 1
python=.venv/bin/python
[ -x "$python" ] || python=python3
exec "$python" -m tests.keep "$@"
