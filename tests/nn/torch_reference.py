#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch_reference.py - writes tests/data/torch_reference.txt: losses and gradients of whole networks by PyTorch in double.

    python3 tests/nn/torch_reference.py > tests/data/torch_reference.txt

Weights and inputs come from a small generator that test_torch_reference.c has too, so that the file need not hold
them. Of each gradient tensor the file holds the error that PyTorch itself makes in float, the largest of DRAWS draws of
weights and inputs; and of STORED of these the largest entry, two dot products with random numbers, and entries:
all of a small tensor, else the largest eight and 40 random ones. test_torch_gradients.py compares all entries of all
draws, where there is PyTorch. All tensors are in the layout of LoCo:

    conv    weight (frames, bins, in, out)
    image   weight (rows, columns, in, out) of each convolution
    dense   weight (in, out)
    lstm    weight (in, 4 H), recurrent (H, 4 H), bias (4 H); gates i, f, o, g, where PyTorch has i, f, g, o
    gru     weight (in, 3 H), recurrent (H, 3 H), bias (3 H), extra (H); gates r, z, n

Errors of float are random: for a bias of few numbers PyTorch may happen to have every bit right. Hence many draws. And they
say something only where the gradient is continuous: where two neighbours of a pool, or a number and the zero of ReLU,
are as near as rounding, each program may choose another and both are right. Draws with such a place are left out, by
what PyTorch finds in double.
"""

import itertools

import numpy as np
import torch
import torch.nn.functional as functional

NETWORKS = [
    # line, bins, channels, (frames, counts) of each sequence
    ("conv 3x4 8, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 3, "
     "conv 3x4 16, pool 3, lstm 24, dense 16 sigmoid, dense 3", 144, 1, [(24, [3, 0, 7]), (17, [1, 2, 17])]),
    ("conv 3x4 16, pool 3, conv 3x4 16, pool 2, conv 3x4 32, pool 2, conv 3x4 32, pool 2, conv 3x4 64, pool 2, "
     "conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, lstm 64, dense 32 sigmoid, "
     "dense 10", 768, 1, [(8, [0, 1, 2, 0, 0, 3, 1, 0, 8, 4])]),
    ("conv 3x3 8, pool 2, conv 3x3 16, pool 2, gru 12 both, dense 4", 16, 1, [(16, [1, 0, 2, 1]), (16, [0, 0, 3, 5])]),
    ("image 16x16 8 8, pool 2x2, image 16 24, pool 2x2, image 32, pool 2x2, image 32, lstm 16, dense 12 sigmoid, dense 5",
     256, 1, [(24, [1, 0, 2, 4, 0]), (11, [0, 1, 0, 3, 11])]),
    # sizes that are not a multiple of a tile
    ("image 12x12 8 8, pool 2x2, image 16 24, pool 2x2, image 32, lstm 16, dense 12 sigmoid, dense 5", 144, 1,
     [(24, [1, 0, 2, 4, 0]), (11, [0, 1, 0, 3, 11])]),
]


DRAWS, STORED = 64, 1
NEAREST = 2e-6  # a draw is left out where a choice is nearer, as a part of the largest number of its layer


def noise(seed, count, scale):
    """Numbers in [-scale, scale) that are floats: 24 bits of a linear congruential generator, modulo 2^64."""
    factor, more = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
    with np.errstate(over="ignore"):
        powers = np.cumprod(np.full(count, factor))
        sums = np.cumsum(np.concatenate([np.ones(1, np.uint64), powers[:-1]]), dtype=np.uint64)
        states = powers * np.uint64(seed) + more * sums
    out = ((states >> np.uint64(40)) / 2.0**23 - 1.0) * scale
    return out.astype(np.float32).astype(np.float64)


class Network:
    def __init__(self, line, bins, channels, seed):
        self.items, self.tensors, self.seed, self.nearest = [], [], seed, np.inf
        for words in (item.split() for item in line.split(", ")):
            name = words[0]
            if name == "pool":
                size = tuple(map(int, words[1].split("x"))) if "x" in words[1] else (1, int(words[1]))
                bins //= size[0] * size[1]
                self.items.append((name, size))
                continue
            layer = len([i for i in self.items if i[0] != "pool"])
            if name == "conv":
                kt, kf = map(int, words[1].split("x"))
                n = int(words[2])
                self.items.append((name, self.add(layer, [("weight", (kt, kf, channels, n)), ("bias", (n,))])))
                channels = n
            elif name == "image":
                size = tuple(map(int, words.pop(1).split("x"))) if "x" in words[1] else None
                shapes = []
                for i, n in enumerate(map(int, words[1:])):
                    end = str(i + 1) if i > 0 else ""
                    shapes += [("weight" + end, (3, 3, channels, n)), ("bias" + end, (n,))]
                    channels = n
                self.items.append((name, self.add(layer, shapes), size))
            elif name == "dense":
                n = int(words[1])
                part = self.add(layer, [("weight", (bins * channels, n)), ("bias", (n,))])
                self.items.append((name, part, words[2] if len(words) > 2 else ""))
                bins, channels = 1, n
            else:
                h, gates = int(words[1]), 4 if name == "lstm" else 3
                parts = []
                for back in [""] + [".back"] * ("both" in words):
                    shapes = [("weight", (bins * channels, gates * h)), ("recurrent", (h, gates * h))]
                    shapes += [("bias", (gates * h,))]
                    shapes += [("extra", (h,))] if name == "gru" else []
                    parts.append(self.add(layer, [(n + back, s) for n, s in shapes]))
                self.items.append((name, parts, h))
                bins, channels = 1, h * len(parts)

    def add(self, layer, shapes):
        """Registers tensors; returns where they are in the list."""
        first = len(self.tensors)
        for name, shape in shapes:
            count = int(np.prod(shape))
            scale = 0.1 if len(shape) == 1 else np.sqrt((6.0 if len(shape) == 4 else 2.0) / (count // shape[-1]))
            values = noise(self.seed + 1000 * (len(self.tensors) + 1), count, scale).reshape(shape)
            self.tensors.append((layer, name, values))
        return range(first, len(self.tensors))

    def note_choices(self, z, pool):
        """Keeps the distance of the nearest choice of ReLU or of a pool that its gradient hangs on."""
        if z.dtype != torch.float64:
            return
        z = z.detach()
        height, width = pool
        rows, columns = z.shape[2] // height, z.shape[3] // width
        z = z[:, :, :rows * height, :columns * width].reshape(*z.shape[:2], rows, height, columns, width)
        best = z.permute(0, 1, 2, 4, 3, 5).flatten(4).sort(-1, descending=True)[0]
        near = best[..., 0].abs().min()
        if best.shape[-1] > 1:
            gap = (best[..., 0] - best[..., 1])[best[..., 0] > 0]
            near = min(near, gap.min()) if len(gap) > 0 else near
        self.nearest = min(self.nearest, (near / z.abs().max()).item())

    def pool_behind(self, at):
        """The size of the pool right behind an item."""
        behind = self.items[at + 1]
        return behind[1] if behind[0] == "pool" else (1, 1)

    def forward(self, x, leaves):
        """x (T, F, C) -> logits (T, classes)"""
        images = self.items[0][0] == "image"
        if images:  # each frame an image (C, height, width)
            x = x.reshape(len(x), *self.items[0][2], -1).permute(0, 3, 1, 2)
        else:  # all frames one image (C, T, F)
            x = x.permute(2, 0, 1)[None]
        for at, item in enumerate(self.items):
            if item[0] == "conv":
                w, b = (leaves[j] for j in item[1])
                kt, kf = w.shape[:2]
                pad = ((kf - 1) // 2, kf - 1 - (kf - 1) // 2, (kt - 1) // 2, kt - 1 - (kt - 1) // 2)
                x = functional.conv2d(functional.pad(x, pad), w.permute(3, 2, 0, 1), b)
                self.note_choices(x, self.pool_behind(at))
                x = functional.relu(x)
            elif item[0] == "image":
                for w, b in zip(item[1][::2], item[1][1::2]):
                    x = functional.conv2d(x, leaves[w].permute(3, 2, 0, 1), leaves[b], padding=1)
                    self.note_choices(x, self.pool_behind(at) if b == item[1][-1] else (1, 1))
                    x = functional.relu(x)
            elif item[0] == "pool":
                x = functional.max_pool2d(x, item[1])
            else:
                if x.dim() == 4 and images:
                    x = x.permute(0, 2, 3, 1).reshape(len(x), -1)
                elif x.dim() == 4:
                    x = x[0].permute(1, 2, 0).reshape(x.shape[2], -1)
                x = self.flat(item, x, leaves)
        return x

    def flat(self, item, x, leaves):
        if item[0] == "dense":
            w, b = (leaves[j] for j in item[1])
            x = x @ w + b
            return torch.sigmoid(x) if item[2] == "sigmoid" else x
        h, parts, both = item[2], [], len(item[1]) == 2
        for direction in item[1]:
            w, u, b = (leaves[j] for j in direction[:3])
            if item[0] == "lstm":
                order = torch.cat([torch.arange(0, 2 * h), torch.arange(3 * h, 4 * h), torch.arange(2 * h, 3 * h)])
                parts += [w.T[order], u.T[order], b[order], torch.zeros_like(b)]
            else:
                parts += [w.T, u.T, b, torch.cat([torch.zeros_like(b[:2 * h]), leaves[direction[3]]])]
        state = torch.zeros(2 if both else 1, 1, h, dtype=x.dtype)
        if item[0] == "lstm":
            return torch.lstm(x[None], (state, state), parts, True, 1, 0.0, False, both, True)[0][0]
        return torch.gru(x[None], state, parts, True, 1, 0.0, False, both, True)[0][0]


def count_loss(logits, count):
    """-log P(count), by the recursion over frames, in double."""
    p = torch.sigmoid(logits.double())
    row = torch.cat([torch.ones(1), torch.zeros(len(p))]).double()
    for t in range(len(p)):
        row = row * (1 - p[t]) + p[t] * torch.cat([torch.zeros(1).double(), row[:-1]])
    return -torch.log(row[count])


def run(network, bins, channels, sequences, dtype):
    leaves = [torch.tensor(v, dtype=dtype, requires_grad=True) for _, _, v in network.tensors]
    loss = 0
    for i, (frames, counts) in enumerate(sequences):
        x = noise(network.seed + i + 1, frames * bins * channels, 1.0).reshape(frames, bins, channels)
        logits = network.forward(torch.tensor(x, dtype=dtype), leaves)
        loss = loss + sum(count_loss(logits[:, k], n) for k, n in enumerate(counts)) / len(sequences)
    loss.backward()
    return loss.item(), [leaf.grad.double().numpy().ravel() for leaf in leaves]


def draws(number):
    """Endless: of network `number` a draw of weights and inputs whose gradient is continuous, its loss and gradients."""
    line, bins, channels, sequences = NETWORKS[number]
    for seed in itertools.count(1000000 * (number + 1), 100000000):
        network = Network(line, bins, channels, seed)
        loss, grads = run(network, bins, channels, sequences, torch.float64)
        if network.nearest > NEAREST:
            yield network, loss, grads


def errors_of(floats, grads):
    """The error of each tensor, relative to its largest entry."""
    return np.array([abs(f - g).max() / abs(g).max() for f, g in zip(floats, grads)])


def float_errors(number, some):
    """The errors that PyTorch makes in float: (draws, tensors)."""
    _, bins, channels, sequences = NETWORKS[number]
    floats = [run(network, bins, channels, sequences, torch.float32)[1] for network, _, _ in some]
    return np.array([errors_of(f, grads) for f, (_, _, grads) in zip(floats, some)])


def chosen(grad, seed):
    if len(grad) <= 48:
        return list(range(len(grad)))
    rng = np.random.default_rng(seed)
    largest = np.argsort(-abs(grad), kind="stable")[:8]
    return sorted(set(largest.tolist()) | set(rng.integers(0, len(grad), 40).tolist()))


def print_draw(network, loss, grads):
    print(f"draw {network.seed} {loss:.12g}")
    for i, (layer, name, _) in enumerate(network.tensors):
        grad, where = grads[i], chosen(grads[i], i)
        dots = [grad @ noise(network.seed + 500000 + 2 * i + d, len(grad), 1.0) for d in range(2)]
        print(f"tensor {layer} {name} {len(grad)} {abs(grad).max():.9g} {dots[0]:.9g} {dots[1]:.9g} {len(where)}")
        entries = [f"{j} {grad[j]:.9g}" for j in where]
        for begin in range(0, len(entries), 6):
            print(" ", "  ".join(entries[begin:begin + 6]))


def main():
    torch.set_num_threads(1)
    for number, (line, bins, channels, sequences) in enumerate(NETWORKS):
        some = list(itertools.islice(draws(number), DRAWS))
        errors = float_errors(number, some).max(axis=0)
        print(f"network {line}")
        print(f"input {bins} {channels} {len(sequences)} {STORED} {len(errors)}")
        for frames, counts in sequences:
            print("sequence", frames, *counts)
        print("errors", *(f"{e:.3g}" for e in errors))
        for draw in some[:STORED]:
            print_draw(*draw)


if __name__ == "__main__":
    main()
