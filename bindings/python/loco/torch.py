# SPDX-License-Identifier: MIT
"""The count loss for PyTorch.

>>> import torch
>>> from loco.torch import count_loss
>>> logits = torch.tensor([[-4., 3., -4., -1., -4., 2., -4.], [0., 0., 0., 0., 0., 0., 0.]], requires_grad=True)
>>> loss = count_loss(logits, [2, ">=1"])
>>> loss.backward()
>>> round(loss.item(), 4), tuple(logits.grad.shape)
(0.2453, (2, 7))

The loss and the gradient come from one pass of the library in forward(); backward() only multiplies. Rows are read as
float32 in one batch, or as float64 one by one.
"""
import ctypes

import numpy as np
import torch

from ._count import as_label
from ._library import Label, call, handle

# loco_count_item of loco.h
_ITEM = np.dtype([("logits", np.uintp), ("length", np.uintp), ("stride", np.uintp), ("lo", np.uintp), ("hi", np.uintp),
                  ("grad", np.uintp), ("posterior", np.uintp), ("loss", np.float64)], align=True)


def count_loss(logits, counts, lengths=None, reduction="mean"):
    """-log P(the count of row b meets counts[b]), averaged over the rows of logits (B, T), differentiable in logits.

    counts     one label a row: a tensor of integers, or a list of counts and texts ("3", "2..5", ">=1", "<=4", "?")
    lengths    how many frames of each row count, T for all of them if not given; the others get a gradient of zero
    reduction  "mean" or "sum" over the rows, or "none" for one loss a row
    """
    _check_logits(logits)
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction must be 'mean', 'sum' or 'none', not {reduction!r}")
    rows, frames = logits.shape
    if reduction == "mean" and rows == 0:
        raise ValueError("logits have no rows: there is no mean loss")
    low, high = _labels(counts, rows)
    return _CountLoss.apply(logits, low, high, _lengths(lengths, rows, frames), reduction)


class _CountLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, low, high, lengths, reduction):
        values = logits.detach().contiguous()
        grad = torch.zeros_like(values) if ctx.needs_input_grad[0] else None
        run = _rows_float if values.dtype == torch.float32 else _rows_double
        losses = run(values, low, high, lengths, grad)
        ctx.scale = 1 / len(low) if reduction == "mean" else 1.0
        if grad is not None:
            ctx.save_for_backward(logits, grad)
        if reduction == "none":
            return torch.from_numpy(losses).to(values.dtype)
        return torch.tensor(losses.sum() * ctx.scale, dtype=values.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        logits, grad = ctx.saved_tensors
        factor = grad_output.detach() * ctx.scale
        grad = grad * (factor if factor.dim() == 0 else factor[:, None])
        if torch.is_grad_enabled():  # create_graph=True: someone may ask for the derivative of this
            grad = _Once.apply(grad, logits, grad_output)
        return grad, None, None, None, None


class _Once(torch.autograd.Function):
    """Hands on a gradient that depends on logits and grad_output, but has no derivative here."""

    @staticmethod
    def forward(ctx, grad, logits, grad_output):
        return grad.clone()

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise RuntimeError("count_loss can be differentiated only once: its gradient has no derivative here")


def _rows_float(values, low, high, lengths, grad):
    """All rows of a float32 (B, T) tensor in one call; returns the losses and fills grad."""
    items = np.zeros(len(low), dtype=_ITEM)
    offsets = np.arange(len(low), dtype=np.uintp) * np.uintp(4 * values.shape[1])
    items["logits"] = offsets + np.uintp(values.data_ptr())
    if grad is not None:
        items["grad"] = offsets + np.uintp(grad.data_ptr())
    items["length"], items["stride"], items["lo"], items["hi"] = lengths, 1, low, high
    call("loco_count_batch", items.ctypes.data, len(items), handle())
    return np.ascontiguousarray(items["loss"])


def _rows_double(values, low, high, lengths, grad):
    """The rows of a float64 (B, T) tensor one by one; returns the losses and fills grad."""
    losses, loss, row_bytes = np.empty(len(low)), ctypes.c_double(), 8 * values.shape[1]
    for b in range(len(low)):
        label = Label(low[b], high[b])
        try:
            call("loco_count_loss", ctypes.byref(loss), None if grad is None else grad.data_ptr() + b * row_bytes, None,
                 handle(), values.data_ptr() + b * row_bytes, lengths[b], label)
        except ValueError as problem:
            raise ValueError(f"row {b}: {problem}") from None
        losses[b] = loss.value
    return losses


def _check_logits(logits):
    if not isinstance(logits, torch.Tensor):
        raise TypeError(f"logits must be a tensor, not {type(logits).__name__}")
    if logits.dim() != 2:
        raise ValueError(f"logits must have the shape (B, T), not {tuple(logits.shape)}")
    if logits.device.type != "cpu":
        raise ValueError(f"logits are on {logits.device}: the count loss runs on the CPU; pass logits.cpu(), the "
                         "gradient is copied to its device")
    if logits.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"logits must be float32 or float64, not {str(logits.dtype)[6:]}; pass logits.float()")


def _labels(counts, rows):
    """The labels as two arrays, lo and hi."""
    if isinstance(counts, torch.Tensor):
        counts = counts.detach().cpu().numpy()
    if isinstance(counts, (str, int)):
        raise TypeError(f"counts must hold one label a row, not just {counts!r}")
    if isinstance(counts, np.ndarray) and counts.ndim != 1:
        raise ValueError(f"counts must have the shape (B,), not {counts.shape}")
    if len(counts) != rows:
        raise ValueError(f"there are {rows} rows of logits but {len(counts)} counts")
    if isinstance(counts, np.ndarray) and counts.dtype.kind in "iu" and (counts >= 0).all():
        both = counts.astype(np.uintp)
        return both, both
    low, high = np.empty(rows, dtype=np.uintp), np.empty(rows, dtype=np.uintp)
    for b, count in enumerate(counts):
        try:
            label = as_label(count)
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"row {b}: {problem}") from None
        low[b], high[b] = label.lo, label.hi
    return low, high


def _lengths(lengths, rows, frames):
    """The lengths as an array."""
    if lengths is None:
        return np.full(rows, frames, dtype=np.uintp)
    if isinstance(lengths, torch.Tensor):
        lengths = lengths.detach().cpu().numpy()
    lengths = np.asarray(lengths)
    if lengths.shape != (rows,):
        raise ValueError(f"lengths must have the shape ({rows},), one a row, not {lengths.shape}")
    if rows and lengths.dtype.kind not in "iu":
        raise TypeError(f"lengths must be whole numbers, not {lengths.dtype}")
    wrong = np.flatnonzero((lengths < 0) | (lengths > frames))
    if wrong.size:
        b = wrong[0]
        raise ValueError(f"row {b}: the length {lengths[b]} is not within the {frames} frames of logits")
    return lengths.astype(np.uintp)
