# SPDX-License-Identifier: MIT
"""The count loss for PyTorch against torch's own derivative of the plain recursion, and the example trained briefly."""
import contextlib
import doctest
import importlib.util
import io
import math
import pathlib
import sys
import unittest

try:
    import torch
except ImportError:
    print("skipped: python3-torch is not installed")
    sys.exit(77)

import loco
import loco.torch
from loco.torch import count_loss

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def plain_losses(logits, ranges, lengths):
    """-log P(lo <= count <= hi) of each row by the recursion over all bins, in operations that torch can derive."""
    losses = []
    for row, (lo, hi), length in zip(logits, ranges, lengths):
        state = torch.zeros(length + 2, dtype=row.dtype)
        state[0] = 1
        for p in torch.sigmoid(row[:length]):
            state = state * (1 - p) + torch.cat([torch.zeros(1, dtype=row.dtype), state[:-1]]) * p
        losses.append(-state[lo:min(hi, length) + 1].sum().log())
    return torch.stack(losses)


def random_logits(rows, frames, dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(rows, frames, generator=generator, dtype=torch.float64) - 1).to(dtype)


def gradient(loss, logits):
    return torch.autograd.grad(loss, logits, retain_graph=True)[0]


class WrongArguments(unittest.TestCase):
    def refused(self, exception, sentence, *arguments, **options):
        with self.assertRaises(exception) as caught:
            count_loss(*arguments, **options)
        self.assertIn(sentence, str(caught.exception))

    def test_logits(self):
        self.refused(TypeError, "logits must be a tensor, not list", [[0.0]], [0])
        self.refused(ValueError, "logits must have the shape (B, T), not (3,)", torch.zeros(3), [0])
        self.refused(ValueError, "logits must have the shape (B, T), not (1, 3, 2)", torch.zeros(1, 3, 2), [0])
        self.refused(ValueError, "logits are on meta: the count loss runs on the CPU; pass logits.cpu()",
                     torch.zeros(1, 3, device="meta"), [0])
        self.refused(TypeError, "logits must be float32 or float64, not bfloat16; pass logits.float()",
                     torch.zeros(1, 3, dtype=torch.bfloat16), [0])
        self.refused(TypeError, "not int64", torch.zeros(1, 3, dtype=torch.long), [0])
        self.refused(TypeError, "not complex64", torch.zeros(1, 3, dtype=torch.complex64), [0])
        self.refused(ValueError, "logits have no rows: there is no mean loss", torch.zeros(0, 3), [])
        for dtype in (torch.float32, torch.float64):
            self.refused(ValueError, "1", torch.tensor([[0, 0.0], [0, math.nan]], dtype=dtype), [0, 0])

    def test_counts(self):
        logits = torch.zeros(2, 3)
        self.refused(ValueError, "there are 2 rows of logits but 3 counts", logits, [1, 2, 3])
        self.refused(ValueError, "there are 2 rows of logits but 1 counts", logits, torch.tensor([1]))
        self.refused(ValueError, "counts must have the shape (B,), not (2, 1)", logits, torch.tensor([[1], [2]]))
        self.refused(TypeError, "counts must hold one label a row, not just '12'", logits, "12")
        self.refused(TypeError, "counts must hold one label a row, not just 2", logits, 2)
        self.refused(ValueError, "row 1: the label -1 is not a possible count", logits, [0, -1])
        self.refused(ValueError, "row 1: the label -1 is not a possible count", logits, torch.tensor([0, -1]))
        self.refused(ValueError, "row 0: the label 0.5 is not a whole number", logits, torch.tensor([0.5, 1]))
        self.refused(TypeError, "row 0: a label is a count or a text", logits, torch.tensor([True, False]))
        self.refused(ValueError, "row 1: ", logits, [1, "many"])
        for dtype in (torch.float32, torch.float64):  # more events than frames
            self.refused(ValueError, "1", logits.to(dtype), [0, 4])

    def test_lengths_and_reduction(self):
        logits = torch.zeros(2, 3)
        self.refused(ValueError, "lengths must have the shape (2,), one a row, not (1,)", logits, [0, 0], [1])
        self.refused(ValueError, "row 1: the length 4 is not within the 3 frames", logits, [0, 0], [1, 4])
        self.refused(ValueError, "row 0: the length -1 is not within the 3", logits, [0, 0], torch.tensor([-1, 3]))
        self.refused(TypeError, "lengths must be whole numbers, not float64", logits, [0, 0], [1.0, 2.0])
        self.refused(ValueError, "reduction must be 'mean', 'sum' or 'none', not 'max'", logits, [0, 0],
                     reduction="max")

    def test_no_second_derivative(self):
        logits = random_logits(2, 5).requires_grad_()
        (grad,) = torch.autograd.grad(count_loss(logits * 1, [1, 2]), logits, create_graph=True)
        torch.testing.assert_close(grad, gradient(count_loss(logits, [1, 2]), logits))
        with self.assertRaisesRegex(RuntimeError, "count_loss can be differentiated only once"):
            grad.square().sum().backward()


class AgainstTorch(unittest.TestCase):
    LABELS = [3, "2..5", ">=1", "<=4", "?", "0", "17", 12.0]
    RANGES = [(3, 3), (2, 5), (1, 99), (0, 4), (0, 99), (0, 0), (17, 17), (12, 12)]

    def compare(self, logits, labels, ranges, lengths=None, tolerance=1e-10):
        """Loss and gradient of every row, under weights, against torch."""
        logits = logits.detach().requires_grad_()
        exact = logits.detach().double().requires_grad_()
        ours = count_loss(logits, labels, lengths, reduction="none")
        theirs = plain_losses(exact, ranges, [logits.shape[1]] * len(ranges) if lengths is None else lengths)
        self.assertEqual(ours.dtype, logits.dtype)
        torch.testing.assert_close(ours.double(), theirs, rtol=tolerance, atol=tolerance)
        weights = torch.linspace(-1, 2, len(ranges), dtype=torch.float64)
        grad = gradient((ours * weights.to(logits.dtype)).sum(), logits)
        self.assertEqual((grad.dtype, grad.shape), (logits.dtype, logits.shape))
        torch.testing.assert_close(grad.double(), gradient((theirs * weights).sum(), exact), rtol=0, atol=tolerance)

    def test_every_kind_of_label(self):
        self.compare(random_logits(8, 40), self.LABELS, self.RANGES)
        self.compare(random_logits(8, 40, torch.float32), self.LABELS, self.RANGES, tolerance=1e-5)

    def test_lengths(self):
        lengths = [40, 5, 1, 39, 0, 20, 17, 12]
        for given in (lengths, tuple(lengths), torch.tensor(lengths), torch.tensor(lengths, dtype=torch.int32)):
            self.compare(random_logits(8, 40), self.LABELS, self.RANGES, given)
        self.compare(random_logits(8, 40, torch.float32), self.LABELS, self.RANGES, lengths, tolerance=1e-5)
        logits = random_logits(8, 40).requires_grad_()
        grad = gradient(count_loss(logits, self.LABELS, lengths), logits)
        for row, length in zip(grad, lengths):
            self.assertTrue((row[length:] == 0).all())

    def test_frames_beyond_the_length_are_not_read(self):
        for dtype in (torch.float32, torch.float64):
            logits = random_logits(2, 9, dtype)
            expected = count_loss(logits, [1, 2], [9, 4])
            logits[1, 4:] = math.nan
            self.assertEqual(count_loss(logits, [1, 2], [9, 4]), expected)

    def test_tensors_that_are_not_contiguous(self):
        for dtype in (torch.float32, torch.float64):
            base = random_logits(40, 16, dtype)
            for logits in (base.t()[::2], base.t()[:8], torch.randn(8, 80, dtype=dtype)[:, ::2],
                           torch.zeros(1, 40, dtype=dtype).expand(8, 40), base.reshape(40, 8, 2)[:, :, 1].t()):
                self.assertEqual(logits.shape, (8, 40))
                self.compare(logits, self.LABELS, self.RANGES, tolerance=1e-5)

    def test_kinds_of_counts(self):
        logits = random_logits(3, 10)
        expected = count_loss(logits, ["0", "4", "2"])
        for counts in ([0, 4, 2], torch.tensor([0, 4, 2]), torch.tensor([0, 4, 2], dtype=torch.int8), (0, "4", 2.0),
                       torch.tensor([0, 4, 2]).numpy(), torch.tensor([0.0, 4, 2])):
            self.assertEqual(count_loss(logits, counts), expected)

    def test_mean_and_sum(self):
        for dtype in (torch.float32, torch.float64):
            logits = random_logits(4, 10, dtype).requires_grad_()
            labels = [1, 2, ">=3", 0]
            losses = count_loss(logits, labels, reduction="none")
            mean, total = count_loss(logits, labels), count_loss(logits, labels, reduction="sum")
            self.assertEqual((losses.shape, mean.shape, total.shape), ((4,), (), ()))
            torch.testing.assert_close(mean, losses.mean())
            torch.testing.assert_close(total, losses.sum())
            torch.testing.assert_close(gradient(mean * 3, logits), gradient(losses.mean() * 3, logits))
            torch.testing.assert_close(gradient(total, logits), gradient(losses.sum(), logits))
        self.assertEqual(count_loss(torch.zeros(0, 4), [], reduction="sum"), 0)

    def test_float32_and_float64_agree(self):
        logits = random_logits(32, 400) - 2
        counts = torch.arange(32) % 21
        for dtype in (torch.float32, torch.float64):
            each = logits.to(dtype, copy=True).requires_grad_()
            loss = count_loss(each, counts)
            loss.backward()
            torch.testing.assert_close(loss.double(), count_loss(logits, counts), rtol=1e-6, atol=1e-6)
            for b in (0, 7, 31):
                expected = torch.from_numpy(loco.count_grad(logits[b].numpy(), int(counts[b]))) / 32
                torch.testing.assert_close(each.grad[b].double(), expected, rtol=0, atol=1e-6)

    def test_gradcheck(self):
        logits = random_logits(3, 6).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(lambda z: count_loss(z, [2, ">=1", "1..3"], [6, 4, 5]), (logits,)))

    def test_without_gradient_and_without_frames(self):
        logits = random_logits(2, 5).float()
        self.assertFalse(count_loss(logits, [1, 1]).requires_grad)
        with torch.no_grad():
            self.assertFalse(count_loss(logits.requires_grad_(), [1, 1]).requires_grad)
        for dtype in (torch.float32, torch.float64):
            nothing = torch.zeros(2, 0, dtype=dtype, requires_grad=True)
            loss = count_loss(nothing, [0, "?"])
            self.assertEqual(loss, 0)
            self.assertEqual(gradient(loss, nothing).shape, (2, 0))

    def test_certain_frames(self):
        logits = torch.tensor([[math.inf, -math.inf, 0.0], [-math.inf, -math.inf, 0.0]], requires_grad=True)
        losses = count_loss(logits, [1, 2], reduction="none")
        torch.testing.assert_close(losses, torch.tensor([math.log(2), math.inf]))
        torch.testing.assert_close(gradient(losses.sum(), logits), torch.tensor([[0, 0, 0.5], [0, 0, 0]]))

    def test_within_a_network(self):
        """The gradient arrives at the weights as it does through the plain recursion."""
        weights = random_logits(4, 6, seed=3)
        frames = random_logits(5 * 30, 4, seed=4).reshape(5, 30, 4)
        counts, grads = [0, 3, 9, 2, 1], []
        ranges = [(n, n) for n in counts]
        for loss in (lambda z: count_loss(z, counts), lambda z: plain_losses(z, ranges, [30] * 5).mean()):
            w = weights.clone().requires_grad_()
            hidden = torch.tanh(frames @ w)
            grads.append(gradient(loss(hidden.sum(2) - 2), w))
        torch.testing.assert_close(grads[0], grads[1], rtol=0, atol=1e-10)


class Example(unittest.TestCase):
    def test_docstring(self):
        results = doctest.testmod(loco.torch)
        self.assertEqual(results.failed, 0)
        self.assertGreater(results.attempted, 3)

    def test_the_example_learns_times_from_counts(self):
        spec = importlib.util.spec_from_file_location("train_torch", SOURCE / "examples" / "train_torch.py")
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        with contextlib.redirect_stdout(io.StringIO()) as text:
            f1 = example.main(steps=400)
        self.assertIn("F1 of the times", text.getvalue())
        self.assertGreater(f1, 0.85)


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
