# SPDX-License-Identifier: MIT
"""The Python package on numpy arrays: wrong arguments, brute force over all sets of events, derivatives, threads."""
import ctypes
import doctest
import itertools
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import loco
from loco import _count, _library

BY_LABEL = (loco.count_loss, loco.count_grad, loco.count_posterior, loco.count_sample, loco.count_best)
SOURCE = pathlib.Path(__file__).resolve().parents[2]
LABELS = {"3": (3, 3), 0: (0, 0), 2: (2, 2), "2..5": (2, 5), " 1 .. 1 ": (1, 1), ">=1": (1, math.inf),
          "<=4": (0, 4), "?": (0, math.inf), "0..2": (0, 2)}


def random_logits(frames, seed=0):
    return np.random.default_rng(seed).normal(-0.5, 1.5, frames)


def brute_force(logits, lo=0, hi=math.inf):
    """All sets of events within the label: an array (sets, T), and the probability of each."""
    p = 1 / (1 + np.exp(-np.asarray(logits)))
    sets = np.array([s for s in itertools.product((0, 1), repeat=len(p)) if lo <= sum(s) <= hi])
    return sets, np.prod(np.where(sets, p, 1 - p), axis=1)


class WrongArguments(unittest.TestCase):
    def refused(self, exception, sentence, function, *arguments):
        with self.assertRaises(exception) as caught:
            function(*arguments)
        self.assertIn(sentence, str(caught.exception))

    def test_logits(self):
        for logits, exception, sentence in [
                ([1j, 2], TypeError, "logits must be real numbers, not complex ones"),
                ([[1, 2], [3, 4]], ValueError, "logits must be one sequence (1-D), not an array of shape (2, 2)"),
                (3.0, ValueError, "logits must be one sequence (1-D), not an array of shape ()"),
                (["a", "b"], TypeError, "logits must be numbers, not <U1"),
                ([True, False], TypeError, "logits must be numbers, not bool"),
                ([{}, 1], TypeError, "logits must be numbers, not other objects"),
                ([[1, 2], [3]], ValueError, "logits must be one sequence of numbers")]:
            for function in BY_LABEL:
                self.refused(exception, sentence, function, logits, 1)
            for function in (loco.count_pmf, loco.count_growth, loco.count_moments, loco.count_bounds):
                self.refused(exception, sentence, function, logits)

    def test_labels(self):
        for label, exception, sentence in [
                (-1, ValueError, "the label -1 is not a possible count: counts start at 0"),
                (2**64, ValueError, "the label 18446744073709551616 is too large for a count"),
                (2.5, ValueError, "the label 2.5 is not a whole number"),
                (math.nan, ValueError, "the label nan is not a whole number"),
                (math.inf, ValueError, "the label inf is not a whole number"),
                (True, TypeError, "a label is a count or a text such as '>=1', not True"),
                (np.True_, TypeError, "a label is a count or a text such as '>=1', not True"),
                (None, TypeError, "a label is a count or a text such as '>=1', not None"),
                ([1], TypeError, "a label is a count or a text such as '>=1', not [1]")]:
            for function in BY_LABEL:
                self.refused(exception, sentence, function, [0, 1, 2], label)

    def test_the_library_refuses_in_its_own_words(self):
        for arguments in [([0, 0], 3), ([0, 0], "three"), ([0, 0], ""), ([0, 0], "5..2"), ([0, 0], "-1"),
                          ([0, math.nan], 1), ([0, 0], ">=1\0")]:
            with self.assertRaises(ValueError) as caught:
                loco.count_loss(*arguments)
            self.assertGreater(len(str(caught.exception)), 10, arguments)
        self.refused(ValueError, "three", loco.count_loss, [0, 0], "three")
        for level in (0, 1, -1, math.nan):
            self.assertRaises(ValueError, loco.count_quantile, [0, 0], level)
        for omega in (0, 1, -1, math.nan):
            self.assertRaises(ValueError, loco.count_bias, omega, 10)
        self.assertRaises(ValueError, loco.count_bias, 0.5, 0)
        self.assertRaises(ValueError, loco.count_excluded, -1)
        self.assertRaises(ValueError, loco.count_moments, [math.nan])
        self.assertRaises(ValueError, loco.count_sample, [-math.inf, -math.inf], 1)
        self.assertRaises(ValueError, loco.count_best, [-math.inf, -math.inf], 1)

    def test_numbers(self):
        self.refused(ValueError, "k_max must be from 0", loco.count_pmf, [0], -1)
        self.refused(TypeError, "k_max must be a whole number, not 1.5", loco.count_growth, [0], 1.5)
        self.refused(TypeError, "k_max must be a whole number, not True", loco.count_pmf, [0], True)
        self.refused(ValueError, "samples must be from 0", loco.count_sample, [0], 1, -1)
        self.refused(ValueError, "seed must be from 0 to 18446744073709551615", loco.count_sample, [0], 1, 1, 2**64)
        self.refused(TypeError, "length must be a whole number, not 'x'", loco.count_bias, 0.5, "x")
        self.refused(ValueError, "threads must be a whole number from 1 to 1024, not 0", loco.set_threads, 0)
        self.refused(ValueError, "from 1 to 1024, not 1025", loco.set_threads, np.int64(1025))
        for threads in (1.0, "2", None, True):
            self.refused(TypeError, f"from 1 to 1024, not {threads!r}", loco.set_threads, threads)

    def test_real_numbers(self):
        self.refused(TypeError, "level must be a number, not 'a'", loco.count_quantile, [0], "a")
        self.refused(TypeError, "level must be a number, not '0.5'", loco.count_quantile, [0], "0.5")
        self.refused(TypeError, "omega must be a number, not 'x'", loco.count_bias, "x", 3)
        self.refused(TypeError, "loss must be a number, not None", loco.count_excluded, None)
        self.refused(ValueError, "loss is too large", loco.count_excluded, 10**400)
        self.refused(TypeError, "frames_per_second must be a number, not 'a'", loco.count_picture, [0], 1, "x.svg", "a")
        self.refused(TypeError, "title must be a text, not 3", loco.count_picture, [0], 1, "x.svg", 1, 3)
        self.assertEqual(loco.count_quantile([0, 0], np.float32(0.5)), 1)

    def test_what_ctypes_refuses_is_a_type_error(self):
        self.refused(TypeError, "loco_count_bias was given a value of the wrong type: argument 2",
                     _library.call, "loco_count_bias", None, "x", 3)

    def test_each_status_has_its_exception(self):
        for status, exception in enumerate([None, ValueError, ValueError, MemoryError, OSError]):
            function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda err, status=status: status)
            stand_in = type("library", (), {"f": staticmethod(function),
                                            "loco_status_name": _library.library.loco_status_name})
            real, _library.library = _library.library, stand_in
            try:
                if exception:
                    self.assertRaises(exception, _library.call, "f")
                else:
                    _library.call("f")
            finally:
                _library.library = real

    def test_a_file_that_cannot_be_written(self):
        self.refused(OSError, "nowhere", loco.count_picture, [0, 0], 1, "/nowhere/picture.svg")


class SmallCases(unittest.TestCase):
    def test_loss_gradient_posterior(self):
        for frames in (1, 2, 5, 8):
            logits = random_logits(frames, frames)
            p = 1 / (1 + np.exp(-logits))
            for label, (lo, hi) in LABELS.items():
                if lo > frames:
                    self.assertRaises(ValueError, loco.count_loss, logits, label)
                    continue
                sets, weights = brute_force(logits, lo, hi)
                posterior = weights @ sets / weights.sum()
                self.assertAlmostEqual(loco.count_loss(logits, label), -math.log(weights.sum()), delta=1e-12)
                np.testing.assert_allclose(loco.count_posterior(logits, label), posterior, atol=1e-12)
                np.testing.assert_allclose(loco.count_grad(logits, label), p - posterior, atol=1e-12)

    def test_distribution(self):
        logits = random_logits(7)
        sets, weights = brute_force(logits)
        pmf = np.bincount(sets.sum(axis=1), weights)
        np.testing.assert_allclose(loco.count_pmf(logits), pmf, atol=1e-14)
        np.testing.assert_allclose(loco.count_pmf(logits, 3), [*pmf[:3], pmf[3:].sum()], atol=1e-14)
        np.testing.assert_allclose(loco.count_pmf(logits, 9), [*pmf, 0, 0], atol=1e-14)
        growth = loco.count_growth(logits, 3)
        self.assertEqual(growth.shape, (8, 4))
        for t in range(8):
            np.testing.assert_allclose(growth[t], loco.count_pmf(logits[:t], 3), atol=1e-14)
        mean, variance = loco.count_moments(logits)
        self.assertAlmostEqual(mean, pmf @ np.arange(8), delta=1e-12)
        self.assertAlmostEqual(variance, pmf @ np.arange(8) ** 2 - mean ** 2, delta=1e-12)
        for level in (0.01, 0.3, 0.5, 0.99):
            self.assertEqual(loco.count_quantile(logits, level), np.flatnonzero(pmf.cumsum() >= level)[0])

    def test_best_set(self):
        logits = random_logits(8, 3)
        for label, (lo, hi) in LABELS.items():
            sets, weights = brute_force(logits, lo, hi)
            best = loco.count_best(logits, label)
            self.assertEqual(best.dtype, np.bool_)
            self.assertEqual(best.tolist(), sets[weights.argmax()].astype(bool).tolist())

    def test_samples(self):
        logits = random_logits(6, 4)
        events = loco.count_sample(logits, "2..4", samples=20000, seed=7)
        self.assertEqual((events.shape, events.dtype), ((20000, 6), np.bool_))
        self.assertTrue(((events.sum(axis=1) >= 2) & (events.sum(axis=1) <= 4)).all())
        np.testing.assert_allclose(events.mean(axis=0), loco.count_posterior(logits, "2..4"), atol=0.02)
        np.testing.assert_array_equal(events, loco.count_sample(logits, "2..4", 20000, 7))
        self.assertFalse((events == loco.count_sample(logits, "2..4", 20000, 2**64 - 1)).all())
        self.assertEqual(loco.count_sample(logits, 1, samples=0).shape, (0, 6))

    def test_bias_bounds_excluded(self):
        bias = loco.count_bias(0.8, 30)
        self.assertAlmostEqual(loco.count_pmf([bias] * 30)[0], 0.8, delta=1e-12)
        logits = random_logits(9, 5)
        bounds = loco.count_bounds(logits)
        self.assertIsInstance(bounds, loco.Bounds)
        self.assertAlmostEqual(bounds.max, loco.count_pmf(logits).max(), delta=1e-12)
        p = 1 / (1 + np.exp(-logits))
        self.assertAlmostEqual(bounds.first, 0.5 + abs(0.5 - p).min(), delta=1e-12)
        self.assertTrue(bounds.max <= bounds.first + 1e-12 and bounds.max <= bounds.le_cam + 1e-12)
        self.assertTrue(0 <= bounds.le_cam_frames <= 9)
        above, below = loco.count_excluded(0.2)
        self.assertAlmostEqual(above, 1 - math.exp(-0.2), delta=1e-12)
        self.assertAlmostEqual(below, math.exp(-0.2), delta=1e-12)
        self.assertEqual(loco.count_excluded(1), (0.5, 0.5))

    def test_no_frames_and_certain_frames(self):
        self.assertEqual(loco.count_loss([], 0), 0)
        self.assertEqual(loco.count_pmf([]).tolist(), [1])
        self.assertEqual(loco.count_grad([], "?").shape, (0,))
        self.assertEqual(loco.count_sample([], 0, samples=2).shape, (2, 0))
        self.assertEqual(loco.count_loss([math.inf, -math.inf], 1), 0)
        self.assertEqual(loco.count_loss([-math.inf, -math.inf], 1), math.inf)
        self.assertEqual(loco.count_grad([-math.inf, 0, -math.inf], 2).tolist(), [0, 0, 0])
        np.testing.assert_allclose(loco.count_posterior([math.inf, 0, 0, -math.inf], 2), [1, 0.5, 0.5, 0], atol=1e-15)

    def test_kinds_of_numbers(self):
        expected = loco.count_loss([1.0, -2.0, 0.0], 1)
        wide = np.array([1.0, 9, -2, 9, 0, 9])
        for logits in ([1, -2, 0], (1, -2, 0), np.array([1, -2, 0], np.int8), np.array([1, -2, 0], np.float16),
                       np.array([1, -2, 0], np.longdouble), wide[::2], np.array([1, -2, 0], object), wide[4::-2][::-1],
                       np.array([1.0, -2, 0]).astype(">f8")):
            self.assertEqual(loco.count_loss(logits, 1), expected)
        for label in (1, 1.0, "1", np.int64(1), np.uint8(1), np.float32(1), np.array(1), "1..1"):
            self.assertEqual(loco.count_loss(wide[::2], label), expected)
        np.testing.assert_array_equal(wide, [1, 9, -2, 9, 0, 9])


class Properties(unittest.TestCase):
    def test_gradient_by_central_differences(self):
        logits, step = random_logits(40, 6), 1e-5
        for label in (0, 7, "12..20", ">=15", "<=3", "?"):
            grad = loco.count_grad(logits, label)
            for t in range(0, 40, 3):
                moved = [logits.copy(), logits.copy()]
                moved[0][t] += step
                moved[1][t] -= step
                slope = (loco.count_loss(moved[0], label) - loco.count_loss(moved[1], label)) / (2 * step)
                self.assertAlmostEqual(grad[t], slope, delta=1e-8)

    def test_posterior_sums_to_the_count(self):
        for frames, n in [(100, 3), (1000, 700), (20000, 15)]:
            self.assertAlmostEqual(loco.count_posterior(random_logits(frames), n).sum() / n, 1, delta=1e-9)

    def test_long_sequences_do_not_underflow(self):
        loss = loco.count_loss(np.full(3000, -1.0), 2500)
        p, q = 1 / (1 + math.exp(1)), 1 / (1 + math.exp(-1))
        choose = math.lgamma(3001) - math.lgamma(2501) - math.lgamma(501)
        self.assertAlmostEqual(loss / -(choose + 2500 * math.log(p) + 500 * math.log(q)), 1, delta=1e-10)


class Threads(unittest.TestCase):
    def tearDown(self):
        loco.set_threads(1)

    def test_every_thread_has_its_own_handle(self):
        inputs = [(random_logits(50 + 37 * i, i), i) for i in range(8)]
        expected = [loco.count_grad(*each) for each in inputs]
        handles, wrong = [], []

        def work(i):
            for _ in range(20):
                if not (loco.count_grad(*inputs[i]) == expected[i]).all():
                    wrong.append(i)
            handles.append(_library.handle())

        workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len({id(handle) for handle in handles} | {id(_library.handle())}), 9)

    def test_the_number_of_threads_changes_nothing(self):
        logits = random_logits(50000)
        one = loco.count_grad(logits, 9000)
        loco.set_threads(np.int64(2))
        np.testing.assert_array_equal(loco.count_grad(logits, 9000), one)

    def test_a_forked_process_makes_its_own_handle(self):
        loco.set_threads(2)
        logits = random_logits(50000)
        expected = loco.count_loss(logits, 9000)
        child = os.fork()
        if child == 0:
            os._exit(0 if loco.count_loss(logits, 9000) == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(loco.count_loss(logits, 9000), expected)


class Package(unittest.TestCase):
    def test_examples_in_the_docstrings(self):
        for module in (loco, _count):
            results = doctest.testmod(module)
            self.assertEqual(results.failed, 0)
            self.assertGreater(results.attempted, 3)

    def test_every_public_name_is_described(self):
        for name in loco.__all__:
            self.assertTrue(getattr(loco, name).__doc__, name)

    def test_the_version_is_the_same_everywhere(self):
        project = (SOURCE / "bindings" / "python" / "pyproject.toml").read_text()
        self.assertIn(f'\nversion = "{loco.version()}"\n', project)
        self.assertEqual(loco.__version__, loco.version())
        self.assertIn(loco.kernels(), ("ref", "avx2", "avx512"))

    def test_every_function_of_the_header_is_bound(self):
        header = (SOURCE / "include" / "loco.h").read_text()
        for name in [*_library._CALLS, *_library._PLAIN]:
            self.assertIn(f"{name}(", header)

    def test_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "clip ü.svg"
            loco.count_picture([-4, 3, -4, -1, -4, 2, -4], 2, path, frames_per_second=10, title="a clip")
            self.assertIn("time (s)", path.read_text())
            loco.count_picture([-4, 3, -4, -1, -4, 2, -4], 2, path)
            self.assertIn("<svg", path.read_text())
            self.assertNotIn("time (s)", path.read_text())

    def test_a_missing_library(self):
        environment = {**os.environ, "LOCO_LIBRARY": "/nowhere/libloco.so"}
        done = subprocess.run([sys.executable, "-c", "import loco"], env=environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("libloco was not found. Build it with `make build`", done.stderr)
        self.assertIn("/nowhere/libloco.so: no such file", done.stderr)

    def test_the_interpreter_leaves_quietly(self):
        code = "import loco, threading; loco.set_threads(2); loco.count_loss([0] * 9, 2)"
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
