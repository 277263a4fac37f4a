#!/usr/bin/env bash
# A small part of the tests, which runs all kinds of kernels, with other versions:
#   oldest   the lower bounds of pyproject.toml
#   newest   the newest versions that pyproject.toml allows
#   next     Python 3.14 of Debian's unstable suite; needs Debian on x86-64
#   aarch64  an emulated ARM processor; needs Debian with qemu-user-static
# PYTHON says which Python makes environments, TESTS which tests run. Everything is
# written to build/.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-}
case $what in
oldest | newest | next | aarch64) ;;
*) echo "usage: $0 oldest|newest|next|aarch64" >&2 && exit 1 ;;
esac
python=${PYTHON:-python3}
root=$PWD/build/$what
tests=${TESTS:-tests/linear/test_learning.py tests/bayes/test_beliefs.py
    tests/simulation/test_reduced.py tests/bits/test_counting.py tests/compiling
    tests/estimators/test_bayes_perceptron.py tests/theory/test_ode.py}
needed="numba numpy scipy scikit-learn xarray lazy-loader threadpoolctl pytest
    pytest-xdist rich typer h5netcdf h5py"
rm -rf "$root" && mkdir -p "$root"

# Pythons of Debian and packages for them, side by side in a folder of their own.
debian() {
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" && touch "$root/apt/status"
    local apt=(apt-get -qq -o "Dir::State=$root/apt" -o "Dir::State::status=$root/apt/status"
        -o "Dir::Cache=$root/apt" "${options[@]}")
    "${apt[@]}" update
    "${apt[@]}" --yes --no-install-recommends --download-only install "$1" libstdc++6
    for deb in "$root"/apt/archives/*.deb; do dpkg --extract "$deb" "$root/debian"; done
}
packages() {
    "$python" -m pip install --quiet --target "$root/packages" --only-binary :all: \
        --constraint constraints.txt "$@"
    # for the version of this package
    "$python" -m pip install --quiet --target "$root/packages" --no-deps .
}

case $what in
oldest)
    "$python" -m venv "$root"
    sed -n 's/^ *.*"\([a-z-]*\)>=\([0-9.]*\)[",].*/\1~=\2.0/p' pyproject.toml |
        grep -E '^(numba|numpy|scikit-learn|scipy|xarray|lazy-loader|threadpoolctl)~' > "$root/oldest.txt"
    "$root/bin/pip" install --quiet --constraint "$root/oldest.txt" \
        --editable '.[cli,files,plot]' 'pandas<3' pytest pytest-xdist
    # scikit-learn 1.6 gives this warning
    "$root/bin/python" -m pytest $tests -W 'ignore:Passing a non-Collection'
    ;;
newest)
    "$python" -m venv "$root"
    "$root/bin/pip" install --quiet --editable '.[cli,files,plot]' pytest pytest-xdist
    "$root/bin/python" -m pytest $tests
    ;;
next)
    options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$root/apt")
    mkdir -p "$root/apt"
    awk -v RS= 'NR == 1' /etc/apt/sources.list.d/debian.sources |
        sed 's/^Suites:.*/Suites: sid/' > "$root/apt/debian.sources"
    debian python3.14
    usr=$root/debian/usr
    # it needs its own C library, so its own loader
    printf '#!/bin/sh\nexec %s --argv0 %s --library-path %s %s "$@"\n' \
        "$usr/lib64/ld-linux-x86-64.so.2" "$usr/bin/python" \
        "$usr/lib/x86_64-linux-gnu" "$usr/bin/python3.14" > "$usr/bin/python"
    chmod +x "$usr/bin/python"
    packages --python-version 3.14 $needed matplotlib pyarrow safetensors
    PYTHONPATH="src:.:$root/packages" "$usr/bin/python" -m pytest $tests
    ;;
aarch64)
    options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64)
    debian python3.11
    packages --python-version 3.11 --platform manylinux_2_28_aarch64 \
        --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 $needed
    QEMU_LD_PREFIX=$root/debian PYTHONPATH="src:.:$root/packages" PYTHONDONTWRITEBYTECODE=1 \
        "${QEMU:-qemu-aarch64-static}" "$root/debian/usr/bin/python3.11" \
        -m pytest ${TESTS:-tests/core}
    ;;
esac
