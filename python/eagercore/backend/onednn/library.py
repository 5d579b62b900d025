"""The shared library of oneDNN: where it is found, what of it is called, and with which types.

Only the C interface of version 3 is used, through ctypes. Loading happens once, on the first call
of :func:`library`; a machine without the library gets ``None`` and a sentence that says why.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_float,
    c_int,
    c_int64,
    c_size_t,
    c_uint,
    c_void_p,
)
from typing import Any

from .. import memory, threads

DISTRIBUTIONS = ("onednn-cpu-gomp",)
"""The registry's wheels that hold a ``libdnnl.so.3`` linked to GNU OpenMP."""

SUCCESS = 0
UNIMPLEMENTED = 3
_STATUS_NAMES = {
    1: "out of memory",
    2: "invalid arguments",
    3: "unimplemented",
    4: "last implementation reached",
    5: "runtime error",
    6: "not required",
}


class KernelError(RuntimeError):
    """A call into oneDNN failed for a reason other than "not implemented"."""


class Unimplemented(Exception):
    """OneDNN has no implementation for the primitive that was asked for."""


class ExecutionArgument(Structure):
    """One entry of the argument list of a primitive: its role, and the memory that plays it."""

    _fields_ = [("role", c_int), ("memory", c_void_p)]


class _Version(Structure):
    _fields_ = [
        ("major", c_int),
        ("minor", c_int),
        ("patch", c_int),
        ("hash", c_char_p),
        ("cpu_runtime", c_uint),
        ("gpu_runtime", c_uint),
    ]


_OUT = POINTER(c_void_p)
_DIMS = POINTER(c_int64)
_SIGNATURES: dict[str, list[Any]] = {
    "engine_create": [_OUT, c_int, c_size_t],
    "stream_create": [_OUT, c_void_p, c_uint],
    "memory_desc_create_with_strides": [_OUT, c_int, _DIMS, c_int, _DIMS],
    "memory_desc_create_with_tag": [_OUT, c_int, _DIMS, c_int, c_int],
    "memory_desc_destroy": [c_void_p],
    "memory_desc_equal": [c_void_p, c_void_p],
    "memory_desc_get_size": [c_void_p],
    "memory_create": [_OUT, c_void_p, c_void_p, c_void_p],
    "memory_destroy": [c_void_p],
    "memory_set_data_handle": [c_void_p, c_void_p],
    "primitive_create": [_OUT, c_void_p],
    "primitive_destroy": [c_void_p],
    "primitive_execute": [c_void_p, c_void_p, c_int, POINTER(ExecutionArgument)],
    "primitive_desc_destroy": [c_void_p],
    "primitive_desc_query_md": [c_void_p, c_int, c_int],
    "primitive_desc_query": [c_void_p, c_int, c_int, c_void_p],
    "primitive_attr_create": [_OUT],
    "primitive_attr_destroy": [c_void_p],
    "primitive_attr_set_scratchpad_mode": [c_void_p, c_int],
    "primitive_attr_set_post_ops": [c_void_p, c_void_p],
    "post_ops_create": [_OUT],
    "post_ops_destroy": [c_void_p],
    "post_ops_append_eltwise": [c_void_p, c_int, c_float, c_float],
    "post_ops_append_sum": [c_void_p, c_float, c_int, c_int],
    "post_ops_append_binary": [c_void_p, c_int, c_void_p],
    "set_primitive_cache_capacity": [c_int],
    "sgemm": [
        *(c_char, c_char, c_int64, c_int64, c_int64, c_float, c_void_p, c_int64),
        *(c_void_p, c_int64, c_float, c_void_p, c_int64),
    ],
    "get_effective_cpu_isa": [],
    # Each descriptor of a primitive: out, engine, the primitive's own arguments, attributes.
    "reorder_primitive_desc_create": [_OUT, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],
    "convolution_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int] + [c_void_p] * 4 + [_DIMS] * 4 + [c_void_p]
    ),
    "convolution_backward_data_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 3 + [_DIMS] * 4 + [c_void_p] * 2
    ),
    "convolution_backward_weights_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 4 + [_DIMS] * 4 + [c_void_p] * 2
    ),
    "sum_primitive_desc_create": (
        [_OUT, c_void_p, c_void_p, c_int, POINTER(c_float), _OUT, c_void_p]
    ),
    "binary_primitive_desc_create": [_OUT, c_void_p, c_int] + [c_void_p] * 4,
    "matmul_primitive_desc_create": [_OUT] + [c_void_p] * 6,
    "eltwise_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int, c_void_p, c_void_p, c_float, c_float, c_void_p]
    ),
    "eltwise_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 3 + [c_float, c_float] + [c_void_p] * 2
    ),
    "softmax_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int, c_void_p, c_void_p, c_int, c_void_p]
    ),
    "softmax_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 3 + [c_int] + [c_void_p] * 2
    ),
    "reduction_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_void_p, c_void_p, c_float, c_float, c_void_p]
    ),
    "pooling_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int, c_void_p, c_void_p] + [_DIMS] * 5 + [c_void_p]
    ),
    "pooling_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_void_p, c_void_p] + [_DIMS] * 5 + [c_void_p] * 2
    ),
    "batch_normalization_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_void_p, c_void_p, c_float, c_uint, c_void_p]
    ),
    "batch_normalization_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 3 + [c_float, c_uint] + [c_void_p] * 2
    ),
    "layer_normalization_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 3 + [c_float, c_uint, c_void_p]
    ),
    "layer_normalization_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int] + [c_void_p] * 4 + [c_float, c_uint] + [c_void_p] * 2
    ),
    "vanilla_rnn_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int, c_int]
        + [c_void_p] * 7
        + [c_uint, c_float, c_float, c_void_p]
    ),
    "vanilla_rnn_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int, c_int]
        + [c_void_p] * 14
        + [c_uint, c_float, c_float]
        + [c_void_p] * 2
    ),
    "lstm_forward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int] + [c_void_p] * 11 + [c_uint, c_void_p]
    ),
    "lstm_backward_primitive_desc_create": (
        [_OUT, c_void_p, c_int, c_int] + [c_void_p] * 22 + [c_uint] + [c_void_p] * 2
    ),
}
for _name in ("gru", "lbr_gru"):
    _SIGNATURES[f"{_name}_forward_primitive_desc_create"] = (
        [_OUT, c_void_p, c_int, c_int] + [c_void_p] * 7 + [c_uint, c_void_p]
    )
    _SIGNATURES[f"{_name}_backward_primitive_desc_create"] = (
        [_OUT, c_void_p, c_int, c_int] + [c_void_p] * 14 + [c_uint] + [c_void_p] * 2
    )
_RESULTS: dict[str, Any] = {
    "memory_desc_get_size": c_size_t,
    "primitive_desc_query_md": c_void_p,
}


class Library:
    """The loaded library: one attribute a function, plus the engine and the stream all calls share.

    On the CPU with OpenMP a stream keeps no state and runs what it is given at once, so that one
    serves every thread.
    """

    def __init__(self, path: str) -> None:
        with _quiet_openmp():
            self._handle = ctypes.CDLL(path)
        self.path = _mapped_path(path)
        self.version = self._read_version()
        for name, arguments in _SIGNATURES.items():
            function = getattr(self._handle, "dnnl_" + name)
            function.argtypes = arguments
            function.restype = _RESULTS.get(name, c_int)
            setattr(self, name, function)
        self.engine = self.create("engine_create", 1, 0)
        self.stream = self.create("stream_create", self.engine, 1)
        # One of two bits of the instruction sets that multiply bfloat16: AVX-512's and AVX2's.
        self.has_bfloat16 = bool(int(self.get_effective_cpu_isa()) & 0x90)
        # Our own cache of prepared primitives is keyed by shapes; the library's would be a second.
        self.call("set_primitive_cache_capacity", 0)
        self.openmp = _openmp_of(self._handle)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"The binding of oneDNN declares no function {name!r}.")

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function and raise when its status is not success."""
        check(getattr(self, name)(*arguments), name)

    def create(self, name: str, *arguments: Any) -> int:
        """Call a function whose first argument receives a new object; return the object."""
        out = c_void_p()
        check(getattr(self, name)(ctypes.byref(out), *arguments), name)
        return out.value or 0

    def instruction_set(self) -> str:
        """The name of the widest instruction set the library uses on this machine."""
        code = int(self.get_effective_cpu_isa())
        return _INSTRUCTION_SETS.get(code, f"code {code:#x}")

    def _read_version(self) -> str:
        read = self._handle.dnnl_version
        read.restype = POINTER(_Version)
        version = read().contents
        if version.major != 3:
            raise OSError(
                f"{self.path} is oneDNN {version.major}.{version.minor}; this binding speaks to "
                "version 3"
            )
        if version.cpu_runtime != 2:
            raise OSError(
                f"{self.path} does not run on OpenMP (runtime code {version.cpu_runtime})"
            )
        return f"{version.major}.{version.minor}.{version.patch}"


_INSTRUCTION_SETS = {
    0x1: "sse4.1",
    0x3: "avx",
    0x7: "avx2",
    0xF: "avx2+vnni",
    0x1F: "avx2+vnni_2",
    0x27: "avx512",
    0x67: "avx512+vnni",
    0xE7: "avx512+bf16",
    0x1EF: "avx512+fp16",
    0xFEF: "avx512+amx",
    0x1FEF: "avx512+amx_fp16",
}


def check(status: int, name: str) -> None:
    """Raise the exception that belongs to a status other than success."""
    if status == SUCCESS:
        return
    if status == UNIMPLEMENTED:
        raise Unimplemented(name)
    reason = _STATUS_NAMES.get(status, f"status {status}")
    raise KernelError(f"oneDNN's dnnl_{name} failed: {reason}.")


class _quiet_openmp:
    """Load GNU OpenMP so that its idle threads sleep soon instead of spinning for milliseconds.

    A spinning worker would take a core from NumPy's BLAS between two kernels. OpenMP reads the
    variable once, when it is loaded, so that the environment is as it was afterwards. What the
    user has set is left alone.
    """

    _NAMES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")

    def __enter__(self) -> None:
        self._set = not any(name in os.environ for name in self._NAMES)
        if self._set:
            os.environ["GOMP_SPINCOUNT"] = "10000"

    def __exit__(self, *_exception: object) -> None:
        if self._set:
            del os.environ["GOMP_SPINCOUNT"]


def _openmp_is_loaded() -> bool:
    return any(os.path.basename(path).startswith("libgomp") for path in threads.mapped_libraries())


def _calm_openmp() -> None:
    """Let the idle threads of a GNU OpenMP that was loaded before us sleep soon.

    R itself is linked to it, so that inside R it is too late for the variable, and on a machine with
    other work the spinning threads make a training step several times as slow. OpenMP stops spinning
    by itself when it has more threads than there are cores: a team of one idle thread beside the
    usual one is enough, kept for as long as the thread that called it lives.
    """
    try:
        openmp = ctypes.CDLL("libgomp.so.1")
        nothing = ctypes.cast(openmp.omp_get_num_threads, ctypes.c_void_p)
        parallel = openmp.GOMP_parallel
    except (OSError, AttributeError):
        return
    parallel.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    parallel.restype = None
    ready = threading.Event()

    def keep_team() -> None:
        parallel(nothing, None, 2, 0)
        ready.set()
        threading.Event().wait()

    threading.Thread(target=keep_team, name="eagercore-openmp", daemon=True).start()
    ready.wait(1.0)


def _candidates() -> list[str]:
    """Paths and names to try, in order: the variable, the wheels, the system's library."""
    chosen = os.environ.get("EAGERCORE_ONEDNN_LIBRARY")
    if chosen:
        return [chosen]
    from importlib import metadata

    paths = []
    for name in DISTRIBUTIONS:
        try:
            files = metadata.distribution(name).files or ()
        except metadata.PackageNotFoundError:
            continue
        paths += [str(file.locate()) for file in files if file.name == "libdnnl.so.3"]
    return [*(path for path in paths if os.path.exists(path)), "libdnnl.so.3"]


def _mapped_path(path: str) -> str:
    """The file behind a library that was found by its bare name."""
    if os.path.sep in path:
        return os.path.realpath(path)
    for mapped in threads.mapped_libraries():
        if os.path.basename(mapped).startswith(path):
            return mapped
    return path


def _openmp_of(handle: ctypes.CDLL) -> Any:
    """``omp_set_num_threads`` of the OpenMP that the library is linked to, or None."""
    try:
        # A symbol looked up through a library's handle is searched in its dependencies as well.
        function = handle.omp_set_num_threads
    except AttributeError:
        return None
    function.argtypes = [c_int]
    function.restype = None
    return function


_lock = threading.Lock()
_loaded: Library | None = None
_reason: str | None = None


def library() -> Library | None:
    """The library, loaded on the first call; None where there is none (see :func:`reason`)."""
    global _loaded, _reason
    if _loaded is not None or _reason is not None:
        return _loaded
    with _lock:
        if _loaded is None and _reason is None:
            _loaded, _reason = _load()
    return _loaded


def loaded() -> Library | None:
    """The library when it is loaded already; never loads it."""
    return _loaded


def reason() -> str | None:
    """Why the library is absent; None while it is present or was not asked for yet."""
    return _reason


def _load() -> tuple[Library | None, str | None]:
    if not sys.platform.startswith("linux"):
        return None, f"oneDNN kernels are made for Linux; this is {sys.platform}"
    failures = []
    late = _openmp_is_loaded() and not any(name in os.environ for name in _quiet_openmp._NAMES)
    for path in _candidates():
        try:
            found = Library(path)
        except (OSError, AttributeError, KernelError, Unimplemented) as error:
            failures.append(f"{path}: {error}")
        else:
            threads.quiet_blas()
            memory.keep_by_default()
            if late:
                _calm_openmp()
            return found, None
    return None, (
        "no usable libdnnl.so.3 (" + "; ".join(failures) + "); install it with "
        "`pip install onednn-cpu-gomp`"
    )
