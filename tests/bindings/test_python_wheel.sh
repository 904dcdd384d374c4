#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_python_wheel.sh - pip installs the package without a network, and it works outside the source tree: from a
#   folder with the library in the wheel, from its source archive without, and in place.
set -euo pipefail

skip() { echo "skipped: $1"; exit 77; }

python=/usr/bin/python3
[[ -z ${LOCO_SANITIZE:-} ]] || skip "a sanitised library does not load into a plain interpreter"
"$python" -c 'import ensurepip, venv' 2>/dev/null || skip "python3-venv is not installed"
"$python" -c 'import numpy' 2>/dev/null || skip "python3-numpy is not installed"

library=$(realpath "$LOCO_BUILD/libloco.so")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PYTHONPATH LOCO_LIBRARY
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1

# A copy, so that the build leaves nothing in the source tree, and finds no library there but the one it is given.
cp -r "$LOCO_SOURCE/bindings/python" "$folder/source"
"$python" -m venv --system-site-packages "$folder/venv"
cd "$folder"
pip=("$folder/venv/bin/python" -m pip)
check=("$folder/venv/bin/python" -W error -c '
import sys, loco
from loco import _library
assert sys.argv[1] in _library.library._name, _library.library._name
assert abs(loco.count_loss([0, 0], 1) - 0.6931471805599453) < 1e-12
print(loco.__file__, loco.version(), _library.library._name)')

LOCO_LIBRARY=$library "${pip[@]}" install -q "$folder/source"
"${check[@]}" site-packages/loco/libloco
"${pip[@]}" show loco >listing
grep "^Version: $("$folder/venv/bin/python" -c 'import loco; print(loco.version())')\$" listing
"${pip[@]}" uninstall -q -y loco

# Without a library, the wheel is for any machine; the import takes LOCO_LIBRARY, or says what was tried.
"$folder/venv/bin/python" -c '
import sys; sys.path.insert(0, "source"); import backend; print(backend.build_sdist("."))'
"${pip[@]}" wheel -q --no-deps -w "$folder/wheels" "$folder"/loco-*.tar.gz
ls "$folder"/wheels/loco-*-py3-none-any.whl
"${pip[@]}" install -q "$folder"/wheels/loco-*.whl
LOCO_LIBRARY=$library "${check[@]}" "$library"
if LOCO_LIBRARY=/nowhere/libloco.so "${check[@]}" x 2>message; then exit 1; fi
grep -q 'ImportError: libloco was not found. Build it with `make build`' message
grep -q '/nowhere/libloco.so: no such file' message
"${pip[@]}" uninstall -q -y loco

"${pip[@]}" install -q -e "$folder/source"
LOCO_LIBRARY=$library "${check[@]}" "$library"
