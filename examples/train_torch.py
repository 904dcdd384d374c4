#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains a small network to find pulses in noise, from nothing but the number of pulses in each clip.

    make build
    PYTHONPATH=bindings/python python3 examples/train_torch.py

Training sees clips of 64 frames and a count for each, never a time. Afterwards the network marks the pulses in
sequences of 1000 frames that it has not seen; a mark within 3 frames of a pulse is right.
"""
import argparse

import numpy as np
import torch

import loco
from loco.torch import count_loss

CLIP = 64  # frames of a training clip: short, so that a count says much about each frame
PULSE = np.array([0.4, 1.0, 0.8, 0.4, -0.4, -0.6, -0.3])  # what an event looks like; its time is the peak
NOISE, APART, TOLERANCE = 0.35, 10, 3


def make_sequence(rng, frames, pulses):
    """Noise with pulses at random times, at least APART frames from each other; returns the signal and the times."""
    times = np.sort(rng.choice(frames - 8 - (APART - 1) * pulses, pulses, replace=False))
    times += 2 + (APART - 1) * np.arange(pulses)
    signal = rng.normal(0, NOISE, frames)
    for time in times:
        signal[time - 1:time + 6] += rng.uniform(0.8, 1.6) * PULSE
    return signal.astype(np.float32), times


def make_batch(rng, clips):
    """Clips (B, 1, CLIP) with 0 to 4 pulses each, and the number of pulses (B): all that training gets."""
    counts = rng.integers(0, 5, clips)
    signals = np.stack([make_sequence(rng, CLIP, count)[0] for count in counts])
    return torch.from_numpy(signals)[:, None], torch.from_numpy(counts)


def make_network():
    network = torch.nn.Sequential(
        torch.nn.Conv1d(1, 16, 7, padding=3), torch.nn.ReLU(),
        torch.nn.Conv1d(16, 16, 5, padding=2), torch.nn.ReLU(),
        torch.nn.Conv1d(16, 1, 1), torch.nn.Flatten())
    with torch.no_grad():
        network[4].weight *= 0.1
        network[4].bias.fill_(loco.count_bias(0.8, CLIP))  # start low: no event in a clip with probability 0.8
    return network


def train(network, rng, steps, batch=32):
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    for step in range(1, steps + 1):
        signals, counts = make_batch(rng, batch)
        loss = count_loss(network(signals), counts)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % max(1, steps // 5) == 0:
            print(f"step {step:4}  -log P(count) {loss.item():.3f}")


def find_events(logits, reach=2):
    """Times where p is the largest within reach, and the events expected around it are at least one half."""
    p = np.pad(1 / (1 + np.exp(-logits)), reach)
    windows = np.lib.stride_tricks.sliding_window_view(p, 2 * reach + 1)
    return np.flatnonzero((windows.argmax(axis=1) == reach) & (windows.sum(axis=1) >= 0.5))


def count_matches(found, times):
    """How many events and times pair up within TOLERANCE, each used once, earliest first."""
    matches, i = 0, 0
    for time in times:
        while i < len(found) and found[i] < time - TOLERANCE:
            i += 1
        if i < len(found) and found[i] <= time + TOLERANCE:
            matches, i = matches + 1, i + 1
    return matches


def evaluate(network, rng, sequences=20, frames=1000, pulses=40):
    """F1 of the times in unseen sequences."""
    matches = marks = 0
    for _ in range(sequences):
        signal, times = make_sequence(rng, frames, pulses)
        with torch.no_grad():
            found = find_events(network(torch.from_numpy(signal)[None, None])[0].double().numpy())
        matches, marks = matches + count_matches(found, times), marks + len(found)
    return 2 * matches / (marks + sequences * pulses)


def main(steps=1000, seed=1):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network = make_network()
    train(network, np.random.default_rng(seed), steps)
    f1 = evaluate(network, np.random.default_rng(seed + 1000))
    print(f"F1 of the times, on sequences never seen, within {TOLERANCE} frames: {f1:.3f}")
    return f1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    main(options.steps, options.seed)
