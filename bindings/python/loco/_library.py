# SPDX-License-Identifier: MIT
"""Finds libloco, declares the functions of loco.h that Python calls, and turns a status into an exception.

A handle of the library serves one caller at a time, so every thread has its own, made at the first call and freed with
the thread. ctypes releases the interpreter lock during a call: threads of Python count in parallel.
"""
import ctypes
import operator
import os
import pathlib
import sys
import threading
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

NO_LIMIT = c_size_t(-1).value  # LOCO_NO_LIMIT
NAME = "libloco.dylib" if sys.platform == "darwin" else "libloco.so"


class Label(ctypes.Structure):
    _fields_ = [("lo", c_size_t), ("hi", c_size_t)]


class Err(ctypes.Structure):
    _fields_ = [("text", c_char * 256)]


class Limits(ctypes.Structure):
    _fields_ = [("max", c_double), ("first", c_double), ("le_cam", c_double), ("le_cam_frames", c_size_t)]


# What each function takes before its final loco_err *; all of them return a loco_status.
_CALLS = {
    "loco_label_parse": [POINTER(Label), c_char_p, c_size_t],
    "loco_count_new": [POINTER(c_void_p), c_uint],
    "loco_count_loss": [POINTER(c_double), c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, Label],
    "loco_count_batch": [c_void_p, c_size_t, c_void_p],
    "loco_count_pmf": [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t],
    "loco_count_growth": [c_void_p, c_size_t, c_void_p, c_size_t],
    "loco_count_moments": [POINTER(c_double), POINTER(c_double), c_void_p, c_size_t],
    "loco_count_quantile": [POINTER(c_size_t), c_void_p, c_void_p, c_size_t, c_double],
    "loco_count_sample": [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, Label, c_uint64],
    "loco_count_best": [c_void_p, c_void_p, c_void_p, c_size_t, Label],
    "loco_count_bias": [POINTER(c_double), c_double, c_size_t],
    "loco_count_bounds": [POINTER(Limits), c_void_p, c_void_p, c_size_t],
    "loco_count_excluded": [POINTER(c_double), POINTER(c_double), c_double],
    "loco_plot_count": [c_char_p, c_void_p, c_void_p, c_size_t, Label, c_double, c_char_p],
}
_PLAIN = {
    "loco_version": (c_char_p, []),
    "loco_status_name": (c_char_p, [c_int]),
    "loco_kernels": (c_char_p, []),
    "loco_count_memory": (c_size_t, [c_void_p]),
    "loco_count_free": (None, [c_void_p]),
}


def _candidates():
    """The places to look, best first: what the user says, the wheel, the source tree, the system."""
    chosen = os.environ.get("LOCO_LIBRARY")
    if chosen:
        return [chosen]
    package = pathlib.Path(__file__).resolve().parent
    places = [package / NAME]
    if len(package.parents) > 2 and (package.parents[2] / "include" / "loco.h").exists():
        build = package.parents[2] / "build"
        places += [build / "release" / NAME, build / NAME, build / "debug" / NAME]
    return [str(place) for place in places] + [NAME + ".0.2", NAME]


def _load():
    tried = []
    for place in _candidates():
        # A bare name is for the system's loader; a path that does not exist would only give a longer message.
        if os.sep in place and not os.path.exists(place):
            tried.append(f"{place}: no such file")
            continue
        try:
            return _declare(ctypes.CDLL(place))
        except (OSError, AttributeError) as problem:
            tried.append(f"{place}: {problem}")
    raise ImportError(
        "libloco was not found. Build it with `make build` in the source tree, or set LOCO_LIBRARY to the path of "
        f"{NAME}. Tried:\n  " + "\n  ".join(tried))


def _declare(library):
    for name, arguments in _CALLS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = c_int, arguments + [POINTER(Err)]
    for name, (result, arguments) in _PLAIN.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()

_EXCEPTIONS = {1: ValueError, 2: ValueError, 3: MemoryError, 4: OSError}  # LOCO_EARG, EDATA, ENOMEM, EIO


def call(name, *arguments):
    """Calls a function of _CALLS; a status other than LOCO_OK becomes an exception with the library's sentence."""
    err = Err()
    try:
        status = getattr(library, name)(*arguments, ctypes.byref(err))
    except ctypes.ArgumentError as problem:  # an Exception of its own, no TypeError
        raise TypeError(f"{name} was given a value of the wrong type: {problem}") from None
    if status:
        text = err.text.decode(errors="replace") or library.loco_status_name(status).decode()
        raise _EXCEPTIONS.get(status, RuntimeError)(text)


class Handle:
    """A loco_count; passes as an argument of a call."""

    def __init__(self, threads):
        self._as_parameter_ = c_void_p()
        self._free = library.loco_count_free  # still needed when the interpreter is taking its modules apart
        self.threads, self.process = threads, os.getpid()
        call("loco_count_new", ctypes.byref(self._as_parameter_), threads)

    def __del__(self, getpid=os.getpid):
        # After a fork the child holds a copy whose worker threads do not exist: it must not wait for them.
        if self._as_parameter_ and self.process == getpid():
            self._free(self._as_parameter_)


_local = threading.local()
_threads = 1


def set_threads(threads):
    """Let each call use this many threads of the library (1 at the start). Results do not depend on it.

    It pays for one long sequence and for large batches; threads of Python that call at the same time need no more
    than 1 each.
    """
    global _threads
    sentence = f"threads must be a whole number from 1 to 1024, not {threads!r}"
    try:
        number = operator.index(threads)  # also of numpy
    except TypeError:
        raise TypeError(sentence) from None
    if isinstance(threads, bool):
        raise TypeError(sentence)
    if not 1 <= number <= 1024:
        raise ValueError(sentence)
    _threads = number


def handle():
    """The handle of this thread."""
    kept = getattr(_local, "handle", None)
    if kept is None or kept.threads != _threads or kept.process != os.getpid():
        kept = _local.handle = Handle(_threads)
    return kept
