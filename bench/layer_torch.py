# SPDX-License-Identifier: MIT
"""One layer in PyTorch, forward and backward, on one thread: `layer_torch.py default|best SECONDS KIND NUMBER...`.

The kinds and numbers are those of bench/onednn.c. Prints one JSON object: the smallest time of a batch, and the memory of this process.
`default` is what one writes first; `best` is channels_last for convolutions, and time before batch for recurrent layers.
"""
import json
import sys
import time

import torch
from torch import nn

from step_torch import peak_mb


class Conv(nn.Module):
    def __init__(self, before, n, pool):
        super().__init__()
        self.conv, self.pool = nn.Conv2d(before, n, (3, 4), padding="same"), nn.MaxPool2d((1, pool))

    def forward(self, x):
        return self.pool(torch.relu(self.conv(x)))


def conv(best, batch, frames, bins, before, n, pool, first):
    layer, x = Conv(before, n, pool), torch.randn(batch, before, frames, bins)
    if best:
        layer, x = layer.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    return layer, x.requires_grad_(not first)


def recurrent(kind):
    def make(best, batch, frames, before, n):
        shape = (frames, batch, before) if best else (batch, frames, before)
        return kind(before, n, batch_first=not best), torch.randn(shape, requires_grad=True)
    return make


def dense(best, batch, frames, before, n):
    return nn.Sequential(nn.Linear(before, n), nn.Sigmoid()), torch.randn(batch, frames, before, requires_grad=True)


def run(layer, x, d):
    """One pass; d is the gradient of the output, made at the first call."""
    for p in layer.parameters():
        p.grad = None
    x.grad = None
    y = layer(x)
    y = y[0] if isinstance(y, tuple) else y
    d = torch.randn_like(y) if d is None else d
    y.backward(d)
    return d


def main():
    best, seconds, kind, numbers = sys.argv[1] == "best", float(sys.argv[2]), sys.argv[3], [int(n) for n in sys.argv[4:]]
    torch.set_num_threads(1)
    torch.manual_seed(1)
    make = {"conv": conv, "lstm": recurrent(nn.LSTM), "gru": recurrent(nn.GRU), "dense": dense}[kind]
    layer, x = make(best, *numbers)
    d = run(layer, x, None)
    smallest, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end or smallest == 1e9:
        start = time.perf_counter()
        run(layer, x, d)
        smallest = min(smallest, 1e3 * (time.perf_counter() - start))
    print(json.dumps({"ms": smallest, "mb": peak_mb()}))


if __name__ == "__main__":
    main()
