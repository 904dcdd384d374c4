#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every entry of every gradient of whole networks against PyTorch in double, on many draws of weights and inputs, by every
set of kernels that this machine can run. An error is the largest of a tensor relative to its largest entry. For every
tensor it is at most three times that of PyTorch in float on the same draws, in the geometric mean of all ratios and in the
root mean square of all errors: a single ratio is random. It is never above 2e-3. test_torch_reference.c has one of the
draws for machines without PyTorch."""

import itertools
import os
import subprocess
import sys

try:
    import numpy as np
    import torch
except ImportError:
    print("skipped: python3-torch is not installed")
    sys.exit(77)

import torch_reference as reference

PROGRAM = [os.path.join(os.environ.get("LOCO_BUILD", "build/release"), "tests", "run_nn"), "torch_reference"]
ALLOWED, CEILING = 3.0, 2e-3


def gradients_of(kernels, number, some):
    """Of every draw the gradients as arrays, one a tensor."""
    line, bins, channels, sequences = reference.NETWORKS[number]
    tensors = some[0][0].tensors
    text = f"network {line}\ninput {bins} {channels} {len(sequences)} {len(some)} {len(tensors)}\n"
    text += "".join(f"sequence {frames} {' '.join(map(str, counts))}\n" for frames, counts in sequences)
    text += "".join(f"draw {network.seed}\n" for network, _, _ in some)
    run = subprocess.run([*PROGRAM, "gradients"], input=text.encode(), stdout=subprocess.PIPE,
                         env={**os.environ, "LOCO_KERNELS": kernels}, check=True)
    sizes = [values.size for _, _, values in tensors]
    flat = np.frombuffer(run.stdout, "<f4").astype(np.float64)
    assert len(flat) == len(some) * sum(sizes), f"{len(flat)} numbers instead of {len(some)} times {sum(sizes)}"
    return [np.split(part, np.cumsum(sizes)[:-1]) for part in np.split(flat, len(some))]


def check(number, kernels, some, of_torch):
    """Prints the largest ratios; the number of tensors beyond what is allowed."""
    ours = gradients_of(kernels, number, some)
    errors = np.array([reference.errors_of(g, grads) for g, (_, _, grads) in zip(ours, some)])
    least = 2.0**-26  # where all bits are right
    ratios = np.exp(np.log(np.maximum(errors, least) / np.maximum(of_torch, least)).mean(axis=0))
    squares = np.sqrt((errors**2).mean(axis=0) / (of_torch**2).mean(axis=0))
    largest = errors.max(axis=0) / of_torch.max(axis=0)
    print(f"network {number + 1}, {kernels}, {len(ratios)} tensors, {len(some)} draws: {ratios.max():.2f} times the error of PyTorch"
          f" in float, the mean of all tensors {ratios.mean():.2f} ({squares.max():.2f} by root mean squares of all draws,"
          f" {largest.max():.2f} by their largest errors); {errors.max():.1e} at most")
    wrong = ~((ratios <= ALLOWED) & (squares <= ALLOWED) & (errors.max(axis=0) <= CEILING))  # NaN is wrong
    for i in np.flatnonzero(wrong):
        layer, name, _ = some[0][0].tensors[i]
        print(f"    layer {layer} {name}: {ratios[i]:.2f} and {squares[i]:.2f} times, largest {errors[:, i].max():.2e}, of PyTorch"
              f" {of_torch[:, i].max():.2e}")
    return int(wrong.sum())


def main():
    torch.set_num_threads(1)
    wrong = 0
    sets = subprocess.run([*PROGRAM, "sets"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    for number in range(len(reference.NETWORKS)):
        some = list(itertools.islice(reference.draws(number), reference.DRAWS))
        of_torch = reference.float_errors(number, some)
        wrong += sum(check(number, kernels, some, of_torch) for kernels in sets)
    return 1 if wrong > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
