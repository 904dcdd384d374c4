# SPDX-License-Identifier: MIT
"""Whole training steps in PyTorch: the published networks, the shared one for piano and the dense one for digits with the count loss, Adam and
norm clipping.

usage: step_torch.py default|best SECONDS NAME THREADS

`default` as one writes it, with the layout that PyTorch starts with and the plain loop over frames; `best` with channels_last and the loop
through torch.jit.script, the fastest of those tried; of digits-dense the product in pairs. Prints one JSON object: the smallest time of a step, and the memory of this process.
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


def count_loss_pairs(logits, counts, bins: int):
    """The same by products of neighbours: T places become T/2 pairs, T/4 fours, ...; a power of two of them."""
    p = torch.sigmoid(logits).unsqueeze(2)
    state = torch.cat((1 - p, p), 2)  # (rows, places, counts of each)
    while state.shape[1] > 1:
        left, right = state[:, 0::2], state[:, 1::2]
        size = min(2 * left.shape[2] - 1, bins)
        state = sum(functional.pad(left[..., i:i + 1] * right[..., :size - i], (i, max(0, size - i - right.shape[2])))
                    for i in range(left.shape[2]))
    return -state[:, 0].gather(1, counts[:, None]).log().sum()


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


class FrameNorm(nn.Module):
    """Over all bins and channels of a frame, with gain and shift of a channel; ReLU behind it."""

    def __init__(self, channels):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(1, channels, 1, 1)), nn.Parameter(torch.zeros(1, channels, 1, 1))

    def forward(self, x):
        if x.is_contiguous(memory_format=torch.channels_last):  # then a frame is one piece of memory
            channels, bins = x.shape[1], x.shape[3]
            gain, shift = (v.view(1, channels).expand(bins, channels) for v in (self.gain, self.shift))
            x = functional.layer_norm(x.permute(0, 2, 3, 1), (bins, channels), gain, shift)
            return functional.relu(x.permute(0, 3, 1, 2))
        variance, mean = torch.var_mean(x, (1, 3), unbiased=False, keepdim=True)
        return functional.relu((x - mean) * torch.rsqrt(variance + 1e-5) * self.gain + self.shift)


class Shared(nn.Module):
    """The network of the training preset piano: pitches share their weights (src/model/presets.c)."""

    OFFSETS = (-24, -19, -12, 0, 12, 19, 24, 28, 31, 34, 36, 38)

    def __init__(self, name):
        super().__init__()
        bands, first, units, self.classes, *_, frames = NETWORKS[name]
        self.bins = (bands + 2) // 3
        self.bands = nn.Conv2d(6, first, (3, 9), stride=(1, 3), padding=(1, 3))
        self.harmonics = nn.Conv2d(first * len(self.OFFSETS), units, 1)
        self.rest = nn.ModuleList(nn.Conv2d(units, units, kernel, padding="same", dilation=dilation)
                                  for kernel, dilation in (((3, 3), 1), ((5, 1), 1), ((5, 1), (2, 1))))
        self.norms = nn.ModuleList(FrameNorm(n) for n in (first, units, units, units, units))
        self.pitch, self.last = nn.Parameter(torch.zeros(1, units, 1, self.bins)), nn.Parameter(torch.zeros(1, 1, 1, self.bins))
        self.output = nn.Conv2d(units, 1, 1)
        with torch.no_grad():
            self.output.weight *= 0.1
            self.output.bias.fill_(math.log(math.expm1(-math.log(0.9) / frames)))

    def forward(self, x):
        x = self.norms[0](self.bands(x))
        wide = functional.pad(x, (24, 38))
        x = torch.cat([wide[..., 24 + o:24 + o + self.bins] for o in self.OFFSETS], 1)
        x = self.norms[1](self.harmonics(x)) + self.pitch
        for convolution, norm in zip(self.rest, self.norms[2:]):
            x = norm(convolution(x))
        logits = (self.output(x) + self.last)[:, 0, :, :self.classes]  # (B, T, classes)
        return logits.transpose(1, 2).reshape(-1, logits.shape[1])


class CellNorm(nn.Module):
    """Over the channels of each cell, with gain and shift of a channel; ReLU behind it."""

    def __init__(self, channels):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        x = functional.layer_norm(x.permute(0, 2, 3, 1), self.gain.shape, self.gain, self.shift)
        return functional.relu(x.permute(0, 3, 1, 2))


class Dense(nn.Module):
    """The network of the training preset digits: an output of each class for every cell of an image (src/train/recipe.c)."""

    def __init__(self, name):
        super().__init__()
        side, cell, channels, sides, classes, *_, frames = NETWORKS[name]
        pairs = list(zip([cell] + channels, channels))
        self.convolutions = nn.ModuleList(nn.Conv2d(a, b, n, padding="same") for (a, b), n in zip(pairs, sides))
        self.norms = nn.ModuleList(CellNorm(n) for n in channels)
        self.output = nn.Conv2d(channels[-1], classes, 1)
        with torch.no_grad():
            self.output.weight *= 0.1
            self.output.bias.fill_(math.log(math.expm1(-math.log(0.9) / (frames * side))))

    def forward(self, x):
        for convolution, norm in zip(self.convolutions, self.norms):
            x = norm(convolution(x))
        logits = self.output(x)  # (B, classes, T, cells of a row)
        return logits.reshape(logits.shape[0] * logits.shape[1], -1)


class Step:
    """One training step, repeatable."""

    def __init__(self, name, best):
        width, *_, classes, self.bins, batch, frames = NETWORKS[name]
        generator = torch.Generator().manual_seed(1)
        kind = {"piano-shared": Shared, "digits-dense": Dense}.get(name, Network)
        inputs = {"piano-shared": 6, "digits-dense": 16}.get(name, 1)
        self.network = kind(name)
        shape = (batch * frames, 1, 32, 32) if name == "digits" else (batch, inputs, frames, width)
        self.input = torch.randn(shape, generator=generator)
        self.counts = torch.randint(0, 12, (batch * classes,), generator=generator)
        self.loss = count_loss_pairs if best and kind is Dense else torch.jit.script(count_loss) if best else count_loss
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
