# SPDX-License-Identifier: MIT
"""Whole training steps in PyTorch: the published networks with the count loss, Adam and norm clipping.

usage: step_torch.py default|best SECONDS NAME THREADS

`default` as one writes it, with the layout that PyTorch starts with and the plain loop over frames; `best` with channels_last and the loop
through torch.jit.script, the fastest of those tried. Prints one JSON object: the smallest time of a step, and the memory of this process.
"""
import json
import math
import sys
import time

import torch
from torch import nn
from torch.nn import functional

from networks import NETWORKS


def count_loss(logits, counts, bins: int):
    rows, frames = logits.shape
    inner = torch.ones(bins)
    inner[-1] = 0
    state = torch.zeros(rows, bins)
    state[:, 0] = 1
    for p in (torch.sigmoid(logits).unsqueeze(2) * inner).unbind(1):
        moved = state * p
        state = state - moved + torch.roll(moved, 1, 1)
    return -state.gather(1, counts[:, None]).log().sum()


class Network(nn.Module):
    """Frames of sound are rows of one image (B, 1, T, F); windows are images of their own (B * T, 1, 32, 32)."""

    def __init__(self, name):
        super().__init__()
        _, channels, pools, units, dense, classes, _, self.batch, frames = NETWORKS[name]
        self.images = name == "digits"
        pairs = zip([1] + channels, channels)
        kernel = (3, 3) if self.images else (3, 4)
        self.convolutions = nn.ModuleList(nn.Conv2d(a, b, kernel, padding="same") for a, b in pairs)
        self.pools = [(p, p) if self.images else (1, p) for p in pools]
        self.lstm = nn.LSTM(channels[-1], units, batch_first=True)
        self.dense, self.output = nn.Linear(units, dense), nn.Linear(dense, classes)
        with torch.no_grad():
            self.output.weight *= 0.1
            self.output.bias.fill_(math.log(math.expm1(-math.log(0.8) / frames)))

    def forward(self, x):
        for convolution, pool in zip(self.convolutions, self.pools):
            x = functional.relu(convolution(x))
            x = functional.max_pool2d(x, pool) if pool != (1, 1) else x
        x = x.reshape(self.batch, -1, x.shape[1]) if self.images else x.squeeze(3).transpose(1, 2)
        x, _ = self.lstm(x)
        logits = self.output(torch.sigmoid(self.dense(x)))
        return logits.transpose(1, 2).reshape(-1, logits.shape[1])  # (B * classes, T)


class Step:
    """One training step, repeatable."""

    def __init__(self, name, best):
        width, *_, classes, self.bins, batch, frames = NETWORKS[name]
        generator = torch.Generator().manual_seed(1)
        self.network = Network(name)
        shape = (batch * frames, 1, 32, 32) if name == "digits" else (batch, 1, frames, width)
        self.input = torch.randn(shape, generator=generator)
        self.counts = torch.randint(0, 12, (batch * classes,), generator=generator)
        self.loss = torch.jit.script(count_loss) if best else count_loss
        self.batch = batch
        if best:
            self.network = self.network.to(memory_format=torch.channels_last)
            self.input = self.input.to(memory_format=torch.channels_last)
        self.adam = torch.optim.Adam(self.network.parameters(), 1e-4)

    def __call__(self):
        self.adam.zero_grad()
        loss = self.loss(self.network(self.input), self.counts, self.bins) / self.batch
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 10)
        self.adam.step()


def peak_mb():
    """The most memory that this process has held."""
    with open("/proc/self/status") as status:
        return next(float(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def main():
    way, seconds, name, threads = sys.argv[1], float(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    torch.set_num_threads(threads)
    step = Step(name, way == "best")
    step()
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end or best == 1e9:
        start = time.perf_counter()
        step()
        best = min(best, 1e3 * (time.perf_counter() - start))
    print(json.dumps({"ms": best, "mb": peak_mb()}))


if __name__ == "__main__":
    main()
