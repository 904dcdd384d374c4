#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The front end against torch.stft, one thread, in one run.

usage: bench/frontend_torch.py [SECONDS]

torch: windows and real transforms by torch.stft, power, mel bands by a matrix product, log10, floor, difference; 60 s
of noise at once, which is its best case. Prints one JSON object a shape. It needs a build (make build)
and python3-torch.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("LOCO_BUILD") or ROOT / "build" / "release")
LENGTH = 60
SHAPES = {"frontend/1024x72": (22050, 1024, 220, 1024, 72, 27, 11000),
          "frontend/2048x72": (44100, 2048, 441, 2048, 72, 27, 16000),
          "frontend/4096x72": (44100, 1102, 220, 4096, 72, 27, 22050),
          "frontend/8192x384": (44100, 1102, 220, 8192, 384, 0, 7270)}


def mel_matrix(rate, fft, bands, low, high):
    def mel(hz):
        return 2595 * math.log10(1 + hz / 700)
    corners = torch.linspace(mel(low), mel(high), bands + 2, dtype=torch.float64)
    corners = (700 * (10 ** (corners / 2595) - 1) * fft / rate)[:, None]
    bins = torch.arange(fft // 2 + 1)[None, :]
    up = (bins - corners[:-2]) / (corners[1:-1] - corners[:-2])
    down = (corners[2:] - bins) / (corners[2:] - corners[1:-1])
    return torch.minimum(up, down).clamp(min=0).float()


def torch_seconds(shape, seconds):
    rate, window, hop, fft, bands, low, high = shape
    samples, hann = torch.rand(LENGTH * rate) - 0.5, torch.hann_window(window)
    weights = mel_matrix(rate, fft, bands, low, high)
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end or best == math.inf:
        start = time.perf_counter()
        spectrum = torch.view_as_real(torch.stft(samples, fft, hop, window, hann, return_complex=True))
        level = (weights @ spectrum.square().sum(-1)).log10().clamp(min=-3)
        torch.stack([(level[:, 1:] + 1.5) / 1.35, level.diff(dim=1) / 0.35], -1)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2
    torch.set_num_threads(1)
    ours = subprocess.run([BUILD / "bench" / "frontend", str(seconds)], stdout=subprocess.PIPE, text=True, check=True)
    for line in ours.stdout.splitlines():
        row = json.loads(line)
        if row["name"] not in SHAPES:  # live rows: torch takes whole recordings
            continue
        other = torch_seconds(SHAPES[row["name"]], seconds)
        row.update(other="torch.stft", other_ms=round(1e3 * other, 1), other_x=round(LENGTH / other),
                   ratio=round(1e3 * other / row["ours_ms"], 2))
        print(json.dumps(row, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
