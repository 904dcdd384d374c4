# SPDX-License-Identifier: MIT
"""The functions of loco.h on numpy arrays."""
import ctypes
import functools
import operator
import os
import typing

import numpy as np

from ._library import NO_LIMIT, Label, Limits, call, handle, library


def as_label(label):
    """A Label from a whole number or a text such as "3", "2..5", ">=1", "<=4" or "?"."""
    if isinstance(label, Label):
        return label
    if isinstance(label, str):
        return _parse_label(label)
    if isinstance(label, (bool, np.bool_)):
        raise TypeError(f"a label is a count or a text such as '>=1', not {label!r}")
    if isinstance(label, (float, np.floating)):
        if not float(label).is_integer():
            raise ValueError(f"the label {float(label)} is not a whole number")
        label = int(label)
    try:
        n = operator.index(label)
    except TypeError:
        raise TypeError(f"a label is a count or a text such as '>=1', not {label!r}") from None
    if not 0 <= n < NO_LIMIT:
        raise ValueError(f"the label {n} is not a possible count: counts start at 0"
                         if n < 0 else f"the label {n} is too large for a count")
    return Label(n, n)


@functools.lru_cache(maxsize=4096)
def _parse_label(text):
    label, data = Label(), text.encode()
    call("loco_label_parse", ctypes.byref(label), data, len(data))
    return label


def _as_logits(logits):
    """A contiguous 1-D float64 array."""
    try:
        array = np.asarray(logits)
    except ValueError as problem:
        raise ValueError(f"logits must be one sequence of numbers: {problem}") from None
    if array.dtype.kind == "c":
        raise TypeError("logits must be real numbers, not complex ones")
    if array.ndim != 1:
        raise ValueError(f"logits must be one sequence (1-D), not an array of shape {array.shape}")
    if array.dtype.kind not in "fiuO":
        raise TypeError(f"logits must be numbers, not {array.dtype}")
    try:
        return np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError("logits must be numbers, not other objects") from None


def _whole(value, name, limit=NO_LIMIT):
    """A number from 0 to limit - 1, or an error that names it."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if not 0 <= number < limit:
        raise ValueError(f"{name} must be from 0 to {limit - 1}, not {number}")
    return number


def _real(value, name):
    """A float, or an error that names it. Not float(value), which would also read a text."""
    try:
        return ctypes.c_double(value).value
    except TypeError:
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name} is too large for a float") from None


def _pass(logits, label, grad=None, posterior=None):
    """One pass of the library; returns the loss and fills grad and posterior when they are arrays."""
    loss = ctypes.c_double()
    call("loco_count_loss", ctypes.byref(loss), None if grad is None else grad.ctypes.data,
         None if posterior is None else posterior.ctypes.data, handle(), logits.ctypes.data, logits.size, label)
    return loss.value


def version():
    """The version of the library.

    >>> version()
    '0.2.0'
    """
    return library.loco_version().decode()


def kernels():
    """The instruction set in use: 'ref', 'avx2' or 'avx512'.

    >>> kernels() in ('ref', 'avx2', 'avx512')
    True
    """
    return library.loco_kernels().decode()


def count_loss(logits, label):
    """-log P(the count meets the label), for events with these logits, one a frame.

    label is a count or a text: "3", "2..5", ">=1", "<=4", "?" (nothing known). A label that certain frames (infinite
    logits) contradict has an infinite loss.

    >>> round(count_loss([-4, 3, -4, -1, -4, 2, -4], 2), 4)
    0.4827
    >>> round(count_loss([-4, 3, -4, -1, -4, 2, -4], ">=1"), 4)
    0.0039
    """
    return _pass(_as_logits(logits), as_label(label))


def count_grad(logits, label):
    """The gradient of count_loss with respect to the logits: sigmoid(logits) - count_posterior(logits, label).

    >>> count_grad([-4, 3, -4, -1, -4, 2, -4], 2).round(3).tolist()
    [0.015, -0.027, 0.015, 0.206, 0.015, -0.064, 0.015]
    """
    logits = _as_logits(logits)
    grad = np.empty_like(logits)
    _pass(logits, as_label(label), grad=grad)
    return grad


def count_posterior(logits, label):
    """P(event in frame t | the count meets the label) for every frame; given a count n, it sums to n.

    >>> count_posterior([-4, 3, -4, -1, -4, 2, -4], 2).round(3).tolist()
    [0.003, 0.98, 0.003, 0.063, 0.003, 0.945, 0.003]
    """
    logits = _as_logits(logits)
    posterior = np.empty_like(logits)
    _pass(logits, as_label(label), posterior=posterior)
    return posterior


def count_pmf(logits, k_max=None):
    """P(count = k) for k = 0, 1, ..., k_max, the last one P(count >= k_max); k_max is the number of frames by default.

    >>> count_pmf([0, 0]).tolist()
    [0.25, 0.5, 0.25]
    >>> count_pmf([0, 0, 0, 0], k_max=1).tolist()
    [0.0625, 0.9375]
    """
    logits = _as_logits(logits)
    k_max = logits.size if k_max is None else _whole(k_max, "k_max")
    pmf = np.empty(k_max + 1)
    call("loco_count_pmf", pmf.ctypes.data, k_max, handle(), logits.ctypes.data, logits.size)
    return pmf


def count_growth(logits, k_max=None):
    """The distribution of the count after 0, 1, ..., T frames: an array (T + 1, k_max + 1) with rows like count_pmf.

    >>> count_growth([0, 0]).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]]
    """
    logits = _as_logits(logits)
    k_max = logits.size if k_max is None else _whole(k_max, "k_max")
    growth = np.empty((logits.size + 1, k_max + 1))
    call("loco_count_growth", growth.ctypes.data, k_max, logits.ctypes.data, logits.size)
    return growth


def count_moments(logits):
    """The mean and the variance of the count.

    >>> count_moments([0, 0, 0, 0])
    (2.0, 1.0)
    """
    logits = _as_logits(logits)
    mean, variance = ctypes.c_double(), ctypes.c_double()
    call("loco_count_moments", ctypes.byref(mean), ctypes.byref(variance), logits.ctypes.data, logits.size)
    return mean.value, variance.value


def count_quantile(logits, level):
    """The smallest k with P(count <= k) >= level, for 0 < level < 1.

    >>> count_quantile([0, 0, 0, 0], 0.5)
    2
    """
    logits = _as_logits(logits)
    k = ctypes.c_size_t()
    call("loco_count_quantile", ctypes.byref(k), handle(), logits.ctypes.data, logits.size, _real(level, "level"))
    return k.value


def count_sample(logits, label, samples=1, seed=0):
    """Draws sets of events given the label: a bool array (samples, T), True where an event is.

    The same seed gives the same sets.

    >>> events = count_sample([-4, 3, -4, -1, -4, 2, -4], 2, samples=5)
    >>> events.shape, events.sum(axis=1).tolist()
    ((5, 7), [2, 2, 2, 2, 2])
    """
    logits, label = _as_logits(logits), as_label(label)
    samples, seed = _whole(samples, "samples"), _whole(seed, "seed", 2**64)
    events = np.empty((samples, logits.size), dtype=np.uint8)
    call("loco_count_sample", events.ctypes.data, samples, handle(), logits.ctypes.data, logits.size, label, seed)
    return events.view(np.bool_)


def count_best(logits, label):
    """The most likely set of events given the label: a bool array, True where an event is.

    >>> count_best([-4, 3, -4, -1, -4, 2, -4], 2).nonzero()[0].tolist()
    [1, 5]
    """
    logits = _as_logits(logits)
    events = np.empty(logits.size, dtype=np.uint8)
    call("loco_count_best", events.ctypes.data, handle(), logits.ctypes.data, logits.size, as_label(label))
    return events.view(np.bool_)


def count_bias(omega, length):
    """The logit that gives P(no event in length frames) = omega: the output bias to start training with.

    >>> round(count_bias(0.8, 400), 3)
    -7.491
    """
    bias = ctypes.c_double()
    call("loco_count_bias", ctypes.byref(bias), _real(omega, "omega"), _whole(length, "length"))
    return bias.value


class Bounds(typing.NamedTuple):
    """What P(count = k) cannot exceed for any k; -log of each is a lower bound of the loss of any exact count."""

    max: float  #: max_k P(count = k)
    first: float  #: 1/2 + min_t |1/2 - p_t|
    le_cam: float  #: from Le Cam's inequality
    le_cam_frames: int  #: the number of frames that attains le_cam


def count_bounds(logits):
    """How sharp a loss these frames allow; see Bounds.

    >>> bounds = count_bounds([-4, 3, -4, -1, -4, 2, -4])
    >>> round(bounds.max, 3), round(bounds.first, 3)
    (0.617, 0.731)
    """
    logits = _as_logits(logits)
    limits = Limits()
    call("loco_count_bounds", ctypes.byref(limits), handle(), logits.ctypes.data, logits.size)
    return Bounds(limits.max, limits.first, limits.le_cam, limits.le_cam_frames)


def count_excluded(loss):
    """The open interval (above, below) in which no p_t can lie when an exact count has this loss.

    A loss of log 2 or more excludes nothing: both are 1/2.

    >>> above, below = count_excluded(0.1)
    >>> round(above, 3), round(below, 3)
    (0.095, 0.905)
    """
    above, below = ctypes.c_double(), ctypes.c_double()
    call("loco_count_excluded", ctypes.byref(above), ctypes.byref(below), _real(loss, "loss"))
    return above.value, below.value


def count_picture(logits, label, path, frames_per_second=0.0, title=""):
    """Writes an SVG picture of one clip: probabilities, posterior given the label, distribution of the count, loss.

    The time axis is in seconds, or in frames when frames_per_second is 0.
    """
    logits = _as_logits(logits)
    if not isinstance(title, str):
        raise TypeError(f"title must be a text, not {title!r}")
    call("loco_plot_count", os.fsencode(path), handle(), logits.ctypes.data, logits.size, as_label(label),
         _real(frames_per_second, "frames_per_second"), title.encode())
