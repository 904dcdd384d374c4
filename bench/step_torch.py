# SPDX-License-Identifier: MIT
"""Whole training steps in PyTorch, for bench/run: the published networks with the count loss, Adam and norm clipping.

Two ways to run each: `default` as one writes it, with the layout that PyTorch starts with and the plain loop over frames; `best` with
channels_last and the loop through torch.jit.script, the fastest of those tried.
"""
import json
import math
import resource
import subprocess
import time

import torch
from torch import nn
from torch.nn import functional

FRAMES = 400
# input bins, channels and pools of the convolutions, LSTM units, dense units, classes, bins of the count
NETWORKS = {
    "drums": (144, [8, 16, 16, 16, 16, 16], [2, 2, 2, 2, 3, 3], 24, 16, 3, 31, 32),
    "piano": (768, [16, 16, 32, 32, 64, 64, 64, 64, 64], [3, 2, 2, 2, 2, 2, 2, 2, 2], 64, 32, 10, 42, 8),
}  # last: sequences of a step; piano with 8, a quarter of the published batch, since time is proportional to it


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
    def __init__(self, channels, pools, units, dense, classes):
        super().__init__()
        pairs = zip([1] + channels, channels)
        self.convolutions = nn.ModuleList(nn.Conv2d(a, b, (3, 4), padding="same") for a, b in pairs)
        self.pools = pools
        self.lstm = nn.LSTM(channels[-1], units, batch_first=True)
        self.dense, self.output = nn.Linear(units, dense), nn.Linear(dense, classes)
        with torch.no_grad():
            self.output.weight *= 0.1
            self.output.bias.fill_(math.log(math.expm1(-math.log(0.8) / FRAMES)))

    def forward(self, x):  # (B, 1, T, F)
        for convolution, pool in zip(self.convolutions, self.pools):
            x = functional.max_pool2d(functional.relu(convolution(x)), (1, pool))
        x, _ = self.lstm(x.flatten(2).transpose(1, 2) if x.shape[3] == 1 else x.permute(0, 2, 1, 3).flatten(2))
        logits = self.output(torch.sigmoid(self.dense(x)))
        return logits.transpose(1, 2).reshape(-1, logits.shape[1])  # (B * classes, T)


class Step:
    """One training step, repeatable."""

    def __init__(self, name, best):
        width, channels, pools, units, dense, classes, self.bins, batch = NETWORKS[name]
        generator = torch.Generator().manual_seed(1)
        self.network = Network(channels, pools, units, dense, classes)
        self.input = torch.randn(batch, 1, FRAMES, width, generator=generator)
        self.counts = torch.randint(0, 12, (batch * classes,), generator=generator)
        self.loss = torch.jit.script(count_loss) if best else count_loss
        if best:
            self.network = self.network.to(memory_format=torch.channels_last)
            self.input = self.input.to(memory_format=torch.channels_last)
        self.adam = torch.optim.Adam(self.network.parameters(), 1e-4)

    def __call__(self):
        self.adam.zero_grad()
        loss = self.loss(self.network(self.input), self.counts, self.bins) / len(self.input)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 10)
        self.adam.step()


def best_ms(step, seconds):
    best, end = 1e9, time.perf_counter() + seconds
    step()
    while time.perf_counter() < end or best == 1e9:
        start = time.perf_counter()
        step()
        best = min(best, 1e3 * (time.perf_counter() - start))
    return best


def bench(program, name, seconds):
    """Rows for 1 and 2 threads; ours runs before and after the others, since the machine's speed drifts."""
    rows = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        command = [program, name + "-paper", str(threads), str(NETWORKS[name][-1]), str(seconds / 8)]
        ours = [json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)]
        others = {"torch-default": best_ms(Step(name, False), seconds / 4), "torch-best": best_ms(Step(name, True), seconds / 4)}
        ours.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout))
        for other, other_ms in others.items():
            ms = min(run["ms"] for run in ours)
            rows.append({"name": f"step/{name}", "threads": threads, "ours_ms": ms, "other": other, "other_ms": other_ms,
                         "ratio": other_ms / ms, "ours_mb": ours[0]["mb"],
                         "other_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024})
    torch.set_num_threads(1)
    return rows, True
