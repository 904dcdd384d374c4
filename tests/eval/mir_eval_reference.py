#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mir_eval_reference.py - writes tests/data/mir_eval.txt: scores of 1000 random pairs of event lists by mir_eval 0.7.

    python3 tests/eval/mir_eval_reference.py > tests/data/mir_eval.txt

The lists come from the generator of src/base/rng.c with seeds 0 to 999; test_mir_eval.c has both too, so that the file
need not hold the events. Of each pair a line holds

    n m  F P R within 50 ms  F P R within 20 ms  matches of mir_eval.transcription within 50 ms

where n and m are the numbers of reference and estimated events.
"""

import warnings

import mir_eval
import numpy as np

LISTS = 1000
MASK = 2**64 - 1


class Rng:
    """xoshiro256++ seeded by splitmix64, as in src/base/rng.c."""

    def __init__(self, seed):
        self.s = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            x = seed
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
            self.s.append(x ^ (x >> 31))

    def next(self):
        s = self.s
        result = (rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53


def rotate(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def lists(seed):
    """The same operations on doubles, in the same order, as make_lists() in test_mir_eval.c."""
    rng = Rng(seed)
    style, n, m = rng.next() % 4, rng.next() % 41, rng.next() % 41
    span = 1 + 9 * rng.uniform()
    reference, estimate = [], []
    for _ in range(n):
        if style == 1:  # a grid of 10 ms: equal times, and distances at the border
            reference.append((rng.next() % 200) * 0.01)
        elif style == 3:  # a grid of 1 ms
            reference.append((rng.next() % 2000) * 0.001)
        else:
            reference.append(rng.uniform() * span)
    for _ in range(m):
        if style == 1:
            estimate.append((rng.next() % 200) * 0.01)
        elif style == 0 or n == 0:
            estimate.append(rng.uniform() * span)
        elif style == 2:  # around a reference
            near = reference[rng.next() % n]
            estimate.append(near + (rng.uniform() - 0.5) * 0.16)
        else:  # a reference, or 50 ms beside it
            near = reference[rng.next() % n]
            estimate.append(near + (float(rng.next() % 3) - 1) * 0.05)
    return np.array(sorted(reference)), np.array(sorted(estimate))


def intervals(times):
    return np.stack([times, times + 1], axis=1)


def main():
    warnings.simplefilter("ignore")  # empty lists are meant
    for seed in range(LISTS):
        reference, estimate = lists(seed)
        words = [str(len(reference)), str(len(estimate))]
        for window in (0.05, 0.02):
            words += ["%.10g" % x for x in mir_eval.onset.f_measure(reference, estimate, window=window)]
        matching = mir_eval.transcription.match_note_onsets(intervals(reference), intervals(estimate), 0.05)
        words.append(str(len(matching)))
        print(" ".join(words))


if __name__ == "__main__":
    main()
