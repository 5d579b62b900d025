"""CPU kernels by oneDNN's C interface.

The package is cheap to import; the library is loaded by :func:`available`, which the kernel
registry asks on the first use of an op listed here.
"""

from __future__ import annotations

from typing import Any

KERNELS: dict[str, str] = {
    "convolution": ".convolution",
    "convolution_data_gradient": ".convolution",
    "convolution_filter_gradient": ".convolution",
    "max_pool": ".pooling",
    "max_pool_gradient": ".pooling",
    "avg_pool": ".pooling",
    "avg_pool_gradient": ".pooling",
    "batch_normalization": ".normalization",
    "batch_normalization_gradient": ".normalization",
    "log_softmax_gradient": ".softmax",
    "log_softmax_op": ".softmax",
    "softmax_cross_entropy_gradient": ".softmax",
    "softmax_cross_entropy_op": ".softmax",
    "softmax_gradient": ".softmax",
    "softmax_op": ".softmax",
    "sparse_softmax_cross_entropy_op": ".softmax",
    "matmul_op": ".matmul",
    "cast_op": ".convert",
    "adam_step": ".optimizer",
    "sgd_step": ".optimizer",
    "rmsprop_step": ".optimizer",
}
"""Op name to the submodule whose import registers the op's kernel."""


def available() -> bool:
    """Whether the library is there; loads it."""
    from .library import library

    return library() is not None


def describe() -> dict[str, Any]:
    """The library's path, version and instruction set, or the reason why there is none."""
    from .library import library, reason

    found = library()
    if found is None:
        return {"kernels": "reference", "library": None, "reason": reason()}
    return {
        "kernels": "onednn",
        "library": found.path,
        "version": found.version,
        "instruction_set": found.instruction_set(),
    }
