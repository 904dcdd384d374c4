# SPDX-License-Identifier: MIT
"""The front end and the network of the preset `drums` in PyTorch, over a whole recording, on one thread.

usage: detect_torch.py default|best SECONDS FILE

FILE is a sound file, as `loco detect` has it, read and resampled by torchaudio each time; or samples, mono float32 at 22050 Hz, that
are in memory at once: then decoding and resampling cost nothing. Picking events costs nothing in either case.
`default` as one writes it: the layout that PyTorch starts with, mean and variance written out, chunks of a minute. `best` is the fastest of those
tried: channels_last, in which normalisation is one call of layer_norm, shorter chunks that stay in cache, and the faster of the backends
that torchaudio has. Weights are as they start, since time does not depend on them. Prints one JSON object: the least processor time, and
the memory of this process.
"""
import json
import pathlib
import sys
import time

import numpy
import torch
from torch import nn
from torch.nn import functional

from frontend_torch import mel_matrix

RATE, WINDOW, HOP, BANDS = 22050, 1024, 220, 72
CONTEXT = 3  # frames that the convolutions see on either side
CHUNK = {"default": 6000, "best": 1000}  # frames


class Features:
    def __init__(self, best):
        self.best, self.hann, self.mel = best, torch.hann_window(WINDOW), 1e4 * mel_matrix(RATE, WINDOW, BANDS, 27, 11000)

    def bands(self, spectrum):
        if self.best:  # as a convolution it goes to oneDNN, whatever library the matrix products go to
            power = spectrum.real.square() + spectrum.imag.square()
            return functional.conv2d(power[None, None], self.mel[:, None, :, None])[0, :, 0]
        return self.mel @ torch.view_as_real(spectrum).square().sum(-1)

    def __call__(self, samples):
        """(2, T, bands): level and difference of the frames whose windows lie in the samples."""
        spectrum = torch.stft(samples, WINDOW, HOP, WINDOW, self.hann, center=False, return_complex=True)
        level = self.bands(spectrum).log10().clamp(min=-3)
        delta = functional.pad(level.diff(dim=1), (1, 0))
        return torch.stack([(level + 1.5) / 1.35, delta / 0.35], 0).transpose(1, 2)


class Network(nn.Module):
    def __init__(self, best):
        super().__init__()
        self.best = best
        shapes = [(2, 16, 5), (16, 24, 3), (24, 32, 3)]
        self.convolutions = nn.ModuleList(nn.Conv2d(a, b, (3, width), (1, 2), (1, width // 2)) for a, b, width in shapes)
        # one gain a channel; spread over the bins ahead, as layer_norm wants it
        self.gains = [torch.ones(bins, b) if best else torch.ones(1, b, 1, 1) for bins, (_, b, _) in zip((36, 18, 9), shapes)]
        self.shifts = [0 * gain for gain in self.gains]
        self.dense, self.gru, self.output = nn.Linear(288, 64), nn.GRU(64, 48, batch_first=True), nn.Linear(112, 3)

    def norm(self, x, gain, shift):
        if self.best:  # in channels_last, (bins, channels) of a frame lie together
            return functional.layer_norm(x.permute(0, 2, 3, 1), gain.shape, gain, shift).permute(0, 3, 1, 2)
        variance, mean = torch.var_mean(x, (1, 3), unbiased=False, keepdim=True)
        return (x - mean) / (variance + 1e-5).sqrt() * gain + shift

    def forward(self, x, skip, frames, state):
        """x: (1, 2, T, bands); of its frames those from skip on, `frames` of them, count, and the others are context."""
        for convolution, gain, shift in zip(self.convolutions, self.gains, self.shifts):
            x = functional.relu_(self.norm(convolution(x), gain, shift))
        x = x.permute(0, 2, 3, 1)[:, skip:skip + frames].flatten(2)
        x = functional.relu_(self.dense(x))
        y, state = self.gru(x, state)
        return torch.sigmoid(self.output(torch.cat([y, x], 2))), state


def detect(samples, features, network, chunk):
    """Probabilities of all frames; the state of the GRU goes from chunk to chunk."""
    frames, state, found = len(samples) // HOP, None, []
    padded = functional.pad(samples, (WINDOW // 2, WINDOW))
    for begin in range(0, frames, chunk):
        first, stop = max(begin - CONTEXT, 0), min(begin + chunk + CONTEXT, frames)
        x = features(padded[first * HOP:(stop - 1) * HOP + WINDOW])[None]
        if network.best:
            x = x.contiguous(memory_format=torch.channels_last)
        p, state = network(x, begin - first, min(chunk, frames - begin), state)
        found.append(p)
    return torch.cat(found, 1)


def least(seconds, work):
    """The least processor time of work() in ms."""
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end or best == 1e9:
        start = time.process_time()
        work()
        best = min(best, 1e3 * (time.process_time() - start))
    return best


def reader(path):
    """A function that gives the samples of path: a sound file, decoded on each call, or samples as they are."""
    if path.suffix not in (".flac", ".wav"):
        samples = torch.from_numpy(numpy.fromfile(path, dtype=numpy.float32))
        return lambda: samples
    import torchaudio

    def read(resample=torchaudio.transforms.Resample(torchaudio.info(path).sample_rate, RATE)):
        return resample(torchaudio.load(path)[0].mean(0))

    times = {}
    for backend in torchaudio.list_audio_backends():
        torchaudio.set_audio_backend(backend)
        times[backend] = least(0.5, read)
    torchaudio.set_audio_backend(min(times, key=times.get))
    return read


def peak_mb():
    """The most memory that this process has held."""
    with open("/proc/self/status") as status:
        return next(float(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def main():
    way, seconds, path = sys.argv[1], float(sys.argv[2]), pathlib.Path(sys.argv[3])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    features, network = Features(way == "best"), Network(way == "best").eval()
    if way == "best":
        network = network.to(memory_format=torch.channels_last)
    with torch.no_grad():
        read = reader(path)
        ms = least(seconds, lambda: detect(read(), features, network, CHUNK[way]))
    print(json.dumps({"ms": ms, "mb": peak_mb()}))


if __name__ == "__main__":
    main()
