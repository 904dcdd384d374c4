# SPDX-License-Identifier: MIT
"""The published networks and their layers, for bench/run and what it starts. See src/nn/presets.c."""

# input bins, channels and pools of the convolutions, LSTM units, dense units, classes, bins of the count, sequences of a step, frames
# piano has 8 sequences, a quarter of the published batch, since time is proportional to it; frames of digits are windows of 32x32 pixels
NETWORKS = {
    "drums": (144, [8, 16, 16, 16, 16, 16], [2, 2, 2, 2, 3, 3], 24, 16, 3, 31, 32, 400),
    "piano": (768, [16, 16, 32, 32, 64, 64, 64, 64, 64], [3, 2, 2, 2, 2, 2, 2, 2, 2], 64, 32, 10, 42, 8, 400),
    # of the training preset piano: bands, channels of the first and of the other convolutions, then classes, bins, sequences, frames as above
    "piano-shared": (294, 24, 48, 88, 13, 8, 82),
    # of the training preset digits: cells of a row, numbers of a cell, channels and sides of the convolutions, then the same
    "digits-dense": (32, 16, [64, 64, 96, 96, 128, 128], [3, 1, 3, 3, 3, 1], 10, 13, 32, 32),
    "digits": (1024, [64, 64, 128, 128, 256, 256, 512, 512, 512, 512], [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], 48, 24, 10, 31, 4, 64),
}


def layers():
    """Name -> kind and numbers: conv BATCH FRAMES BINS IN OUT POOL FIRST, others BATCH FRAMES IN OUT."""
    table = {}
    for net in ("drums", "piano"):
        width, channels, pools, *_, batch, frames = NETWORKS[net]
        for i, (before, n, pool) in enumerate(zip([1] + channels, channels, pools)):
            table[f"{net}-conv{i + 1}"] = ("conv", batch, frames, width, before, n, pool, int(i == 0))
            width //= pool
    table["lstm-24"] = ("lstm", 32, 400, 16, 24)
    table["lstm-64"] = ("lstm", 8, 400, 64, 64)
    table["gru-48"] = ("gru", 32, 400, 64, 48)
    table["dense-16"] = ("dense", 32, 400, 24, 16)
    return table


def ours(kind, batch, frames, *numbers):
    """Arguments of bench/layer. A `bias` in front makes the layer want the gradient of its input."""
    if kind == "conv":
        bins, before, n, pool, first = numbers
        line, F, C = f"conv 3x4 {n}, pool {pool}", bins, before
        front = not first
    else:
        (C, n), F, front = numbers, 1, True
        line = f"{kind} {n}" + (" sigmoid" if kind == "dense" else "")
    return [("bias, " if front else "") + line, F, C, int(front), batch, frames]
