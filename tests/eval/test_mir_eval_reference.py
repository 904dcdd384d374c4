#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_mir_eval_reference.py - tests/data/mir_eval.txt is what mir_eval gives. Skipped without mir_eval 0.7."""

import os
import subprocess
import sys

SKIPPED = 77


def main():
    try:
        import mir_eval
    except ImportError:
        print("skipped: no mir_eval (Debian: python3-mir-eval)")
        return SKIPPED
    if mir_eval.__version__ != "0.7":
        print("skipped: mir_eval %s instead of 0.7" % mir_eval.__version__)
        return SKIPPED
    here = os.path.dirname(os.path.abspath(__file__))
    made = subprocess.run([sys.executable, os.path.join(here, "mir_eval_reference.py")], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    with open(os.path.join(here, "..", "data", "mir_eval.txt"), encoding="ascii") as file:
        stored = file.read()
    if made != stored:
        print("tests/data/mir_eval.txt differs from what mir_eval_reference.py writes", file=sys.stderr)
        return 1
    print("%d lists as stored" % len(stored.splitlines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
