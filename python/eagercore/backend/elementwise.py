"""Elementwise ops on large arrays: the same numbers as the reference, in blocks and on threads.

Small arrays are declined by their size, at once. What remains is worth the care: `np.where` on a
mask without a pattern takes four nanoseconds an element, `np.maximum` with a scalar three times as
long as with an array, and one thread of two does all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import kernel, onednn
from .blocks import blockwise
from .half import LEAST as HALVES

Array = np.ndarray[Any, Any]

BLOCK = 1 << 17
"""Elements a block: threads that make shorter calls wait for the interpreter more than they compute."""
LEAST = 1 << 14
"""With fewer elements the reference is as fast."""

MOST = 1 << 22
"""With more elements, which no cache holds, NumPy waits less for the memory than oneDNN does."""

WHOLE = 1 << 18
"""Elements a block of a single function, which needs no scratch memory."""

FEWEST = min(LEAST, HALVES)
"""Elements from which on kernels are asked: arrays of bfloat16 are worth one before those of float32 are."""

LEAST_PLAIN = 1 << 18
"""The same where the reference is a plain formula already, and only threads help."""

LEAST_CHAIN = 1 << 16
"""The same where oneDNN does several steps in one pass."""

THREADED = 1 << 18
"""Fewest elements of a cheap function that are worth a thread of their own."""

THREADED_COSTLY = 1 << 16
"""The same for functions that take nanoseconds for each element."""

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772

_FLOATS: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.int64),
}
_INTEGERS: dict[int, Any] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
_BOOL = np.dtype(bool)


def _ready(*arrays: Array) -> bool:
    """Whether the arrays are floating, alike and contiguous."""
    first = arrays[0]
    return first.dtype in _FLOATS and all(
        array.dtype is first.dtype and array.shape == first.shape and array.flags.c_contiguous
        for array in arrays
    )


def _map(
    step: Callable[..., Any], *arrays: Array, scratch: Any = (), costly: bool = False
) -> Array:
    """A new array of the first one's shape and dtype, filled by `step(*blocks, out, *scratch)`."""
    out = np.empty(arrays[0].shape, arrays[0].dtype)
    vectors = [array.reshape(-1) for array in (*arrays, out)]
    least = THREADED_COSTLY if costly else THREADED
    blockwise(step, vectors, scratch, block=BLOCK, threaded=least)
    return out


def _on_threads(name: str, function: Any) -> None:
    """Register a kernel: oneDNN's function, where it has one, else NumPy's own on parts of the array."""

    def apply(x: Array) -> Any:
        if x.size < 2 * THREADED_COSTLY or not _ready(x):
            return NotImplemented
        if name in ("exp", "tanh") and x.size < MOST:
            made = _eltwise(name, x)
            if made is not NotImplemented:
                return made
        out = np.empty(x.shape, x.dtype)
        vectors = [x.reshape(-1), out.reshape(-1)]
        blockwise(lambda a, y: function(a, out=y), vectors, block=WHOLE, threaded=THREADED_COSTLY)
        return out

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"The ufunc `{name}`, on threads."
    kernel(name, least=FEWEST)(apply)


def _single(x: Array) -> bool:
    """Whether oneDNN does it."""
    return x.dtype == np.float32 and onednn.available()


def _eltwise(name: str, x: Array, alpha: float = 0.0) -> Any:
    """OneDNN's function, where it has one for the array and the library is there."""
    if not x.flags.c_contiguous or not _single(x):
        return NotImplemented
    from .onednn.eltwise import run_eltwise, run_exp

    return run_exp(x) if name == "exp" else run_eltwise(name, x, alpha)


for _name in ("exp", "expm1", "log", "log1p", "tanh"):
    _on_threads(_name, getattr(np, _name))


@kernel("sigmoid", least=FEWEST)
def sigmoid(x: Array) -> Any:
    """``1 / (1 + exp(-x))``."""
    return NotImplemented if x.size < LEAST else _eltwise("sigmoid", x)


@kernel("sqrt", least=FEWEST)
def sqrt(x: Array) -> Any:
    """Square root."""
    return NotImplemented if x.size < LEAST else _eltwise("sqrt", x)


@kernel("rsqrt", least=FEWEST)
def rsqrt(x: Array) -> Any:
    """``1 / sqrt(x)``."""
    if x.size < LEAST or not _ready(x):
        return NotImplemented

    def step(a: Array, out: Array) -> None:
        np.sqrt(a, out=out)
        np.reciprocal(out, out=out)

    return _map(step, x, costly=True)


@kernel("softplus", least=FEWEST)
def softplus(features: Array) -> Any:
    """``log(1 + exp(x)) = max(x, 0) + log1p(exp(-abs(x)))``."""
    if features.size < LEAST or not _ready(features):
        return NotImplemented
    zeros = np.zeros(BLOCK, features.dtype)

    def step(a: Array, out: Array, t: Array) -> None:
        np.abs(a, out=t)
        np.negative(t, out=t)
        np.exp(t, out=t)
        np.log1p(t, out=t)
        np.maximum(a, zeros[: a.size], out=out)
        np.add(out, t, out=out)

    return _map(step, features, scratch=(features.dtype,), costly=True)


@kernel("silu_op", least=FEWEST)
def silu(features: Array) -> Any:
    """``x / (1 + exp(-x))``."""
    return NotImplemented if features.size < LEAST else _eltwise("swish", features, 1.0)


@kernel("gelu_op", least=FEWEST)
def gelu(features: Array, *, approximate: bool = False) -> Any:
    """``x`` times the chance that a standard normal number is smaller."""
    if features.size < LEAST or not features.flags.c_contiguous or not _single(features):
        return NotImplemented
    if approximate:
        return _eltwise("gelu_tanh", features)
    from .onednn.eltwise import run_gelu

    return run_gelu(features)


@kernel("gelu_gradient", least=FEWEST)
def gelu_gradient(dy: Array, x: Array) -> Any:
    """``dy`` times the slope of `gelu`."""
    if x.size < LEAST or not _ready(dy, x) or not _single(x):
        return NotImplemented
    from .onednn.eltwise import run_gelu_gradient

    return run_gelu_gradient(dy, x)


@kernel("elu", least=FEWEST)
def elu(features: Array, *, alpha: float = 1.0) -> Any:
    """`x` where positive, else ``alpha * (exp(x) - 1)``."""
    return _exponential_unit(features, alpha, 1.0)


@kernel("selu", least=FEWEST)
def selu(features: Array) -> Any:
    """``1.05`` times `x` where positive, else times ``1.67 * (exp(x) - 1)``."""
    return _exponential_unit(features, SELU_ALPHA, SELU_SCALE)


def _exponential_unit(x: Array, alpha: float, scale: float) -> Any:
    """The positive part, and of the negative one ``exp(x) - 1``: one of the two is 0.

    That is ``2 t / (1 - t)`` with the hyperbolic tangent t of half of x: exact near 0, and fast.
    """
    if x.size < LEAST or not _ready(x):
        return NotImplemented
    kind = x.dtype.type
    zeros = np.zeros(BLOCK, x.dtype)
    half, one, low, high = kind(0.5), kind(1), kind(2 * alpha * scale), kind(scale)

    def step(a: Array, out: Array, t: Array) -> None:
        np.minimum(a, zeros[: a.size], out=t)
        np.multiply(t, half, out=t)
        np.tanh(t, out=t)
        np.subtract(one, t, out=out)
        np.divide(t, out, out=t)
        np.multiply(t, low, out=t)
        np.maximum(a, zeros[: a.size], out=out)
        if high != one:
            np.multiply(out, high, out=out)
        np.add(out, t, out=out)

    return _map(step, x, scratch=(x.dtype,), costly=True)


@kernel("pow", least=FEWEST)
def power(x: Array, y: Array) -> Any:
    """Small whole powers by products; others by NumPy, on threads."""
    if x.size < LEAST or y.ndim or x.dtype not in _FLOATS or y.dtype is not x.dtype:
        return NotImplemented
    if not x.flags.c_contiguous:
        return NotImplemented
    whole = float(y)
    if whole in (2.0, 3.0, 4.0):
        return _product(x, int(whole))

    def step(a: Array, out: Array) -> None:
        np.power(a, y, out=out)

    return _map(step, x, costly=True)


def _product(x: Array, times: int) -> Array:
    """``x`` times itself."""
    if _single(x) and x.size >= LEAST_CHAIN:
        from .onednn.binary import run_binary

        after, more = {2: ((), ()), 3: (("multiply",), (x,)), 4: ((("square", 0.0, 0.0),), ())}[
            times
        ]
        made = run_binary("multiply", x, x, after, *more)
        if made is not NotImplemented:
            return made

    def step(a: Array, out: Array) -> None:
        np.multiply(a, a, out=out)
        if times > 2:
            np.multiply(out, a if times == 3 else out, out=out)

    return _map(step, x)


@kernel("relu", least=FEWEST)
def relu(features: Array) -> Any:
    """``max(x, 0)``, where NaN stays NaN."""
    if features.size < LEAST or not _ready(features):
        return NotImplemented
    if features.size >= 2 * THREADED_COSTLY and _single(features):
        from .onednn.binary import rectify

        return rectify(features)
    zeros = np.zeros(BLOCK, features.dtype)
    return _map(lambda a, out: np.maximum(a, zeros[: a.size], out=out), features)


@kernel("relu_gradient", least=FEWEST)
def relu_gradient(dy: Array, y: Array) -> Any:
    """`dy` where `y` is positive, else 0."""
    if y.size < LEAST_CHAIN or not _ready(dy, y):
        return NotImplemented
    if _single(y):
        from .onednn.binary import rectify_gradient

        return rectify_gradient(dy, y)
    if y.size < LEAST_PLAIN:
        return NotImplemented

    def step(d: Array, a: Array, out: Array, mask: Array) -> None:
        np.greater(a, 0, out=mask)
        np.copyto(out, mask)
        np.multiply(out, d, out=out)

    return _map(step, dy, y, scratch=(_BOOL,))


@kernel("leaky_relu_op", least=FEWEST)
def leaky_relu(features: Array, *, alpha: float = 0.2) -> Any:
    """`x` where positive, else ``alpha * x``."""
    if features.size < LEAST or not alpha:
        return NotImplemented
    done = _eltwise("relu", features, float(alpha))
    if done is not NotImplemented:
        return done
    if features.size < LEAST_PLAIN or not 0 < alpha <= 1 or not _ready(features):
        return NotImplemented
    slope = features.dtype.type(alpha)

    def step(a: Array, out: Array) -> None:
        np.multiply(a, slope, out=out)
        np.maximum(a, out, out=out)

    return _map(step, features)


@kernel("leaky_relu_gradient", least=FEWEST)
def leaky_relu_gradient(dy: Array, x: Array, *, alpha: float) -> Any:
    """`dy` where `x` is positive, else ``alpha * dy``."""
    if x.size < LEAST or not _ready(dy, x):
        return NotImplemented
    if alpha and x.dtype == np.float32 and onednn.available():
        from .onednn.eltwise import run_slope_gradient

        return run_slope_gradient(dy, x, float(alpha))
    whole = _FLOATS[x.dtype]
    # The factor, 1 or alpha, is put together from its bits: exact, and without a branch.
    low, high = np.array([alpha, 1], x.dtype).view(whole)
    change = low ^ high

    def step(d: Array, a: Array, out: Array, mask: Array) -> None:
        factor = out.view(whole)
        np.greater(a, 0, out=mask)
        np.copyto(factor, mask)
        np.multiply(factor, change, out=factor)
        np.bitwise_xor(factor, low, out=factor)
        np.multiply(out, d, out=out)

    return _map(step, dy, x, scratch=(_BOOL,))


@kernel("masked", least=FEWEST)
def masked(x: Array, keep: Array, *, scale: float = 1.0) -> Any:
    """``scale * x`` where `keep` is true, else 0: by bits, without a branch."""
    if x.size < LEAST or not _ready(x) or keep.shape != x.shape or keep.dtype is not _BOOL:
        return NotImplemented
    if not keep.flags.c_contiguous:
        return NotImplemented
    whole = _FLOATS[x.dtype]
    factor = x.dtype.type(scale)
    out = np.empty(x.shape, x.dtype)

    def step(a: Array, mask: Array, result: Array, small: Array, wide: Array) -> None:
        np.negative(mask, out=small)  # -1, all bits, where it is true
        np.copyto(wide, small)
        np.multiply(a, factor, out=result)
        bits = result.view(whole)
        np.bitwise_and(bits, wide, out=bits)

    vectors = [array.reshape(-1) for array in (x, keep.view(np.int8), out)]
    blockwise(step, vectors, (np.int8, whole), block=BLOCK, threaded=THREADED)
    return out


@kernel("select", least=FEWEST)
def select(condition: Array, x: Array, y: Array) -> Any:
    """`x` where the condition is true, else `y`: by bits, without a branch."""
    if condition.size < LEAST or condition.dtype is not _BOOL or x.dtype is not y.dtype:
        return NotImplemented
    whole = _INTEGERS.get(x.dtype.itemsize) if x.dtype.kind in "fiu" else None
    shape = condition.shape
    if whole is None or not condition.flags.c_contiguous:
        return NotImplemented
    full = [array for array in (x, y) if array.size != 1]
    if not full or any(a.shape != shape or not a.flags.c_contiguous for a in full):
        return NotImplemented
    if max(x.ndim, y.ndim) > condition.ndim:
        return NotImplemented

    def bits(array: Array) -> Array:
        return array.reshape(-1).view(whole)

    out = np.empty(shape, x.dtype)
    first, second = bits(x), bits(y)
    fixed_first, fixed_second = x.size == 1 != condition.size, y.size == 1 != condition.size

    def step(mask: Array, *rest: Array) -> None:
        *given, result, t = rest
        a = first if fixed_first else given[0]
        b = second if fixed_second else given[-1]
        np.copyto(t, mask)
        np.negative(t, out=t)
        np.bitwise_xor(a, b, out=result)
        np.bitwise_and(result, t, out=result)
        np.bitwise_xor(result, b, out=result)

    given = [bits(array) for array in full]
    blockwise(
        step,
        [condition.reshape(-1), *given, bits(out)],
        (whole,),
        block=BLOCK,
        threaded=THREADED,
    )
    return out
