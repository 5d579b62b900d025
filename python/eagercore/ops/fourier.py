"""Fourier transforms over the last axes, and cosine transforms made of them."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import Ints
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import multiply
from .complexes import complex as complex_of
from .complexes import real
from .create import cast, constant, shape_of, zeros_like
from .rearrange import reverse
from .shape import concat, pad
from .slicing import getitem


def _widths(x, axes):
    total = 1
    for a in axes:
        total *= x.shape[a]
    return total


@op(kinds="c", label="FFT")
def fft_op(xp, input, *, axes: Ints = (-1,), inverse: bool = False, scaled: bool = None):
    """Discrete Fourier transform over axes.

    Args:
        input: Complex tensor.
        axes: Axes. Default last.
        inverse: Whether to transform back.
        scaled: Whether the result is divided by the number of elements; default the way back alone.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> fft_op([1.0 + 0j, 1.0]).numpy()
    array([2.+0.j, 0.+0.j])
    """
    if input.ndim < len(axes):
        raise errors.shape_error(
            "FFT", f"Input must have rank of at least {len(axes)} but got: {list(input.shape)}"
        )
    if input.size == 0:
        return input
    function = np.fft.ifftn if inverse else np.fft.fftn
    scaled = inverse if scaled is None else scaled
    return function(input, axes=axes, norm="backward" if scaled == inverse else "forward").astype(
        input.dtype
    )


@fft_op.vjp
def fft_vjp(dy, _y, _x, *, axes, inverse, scaled):
    return fft_op(dy, axes=axes, inverse=not inverse, scaled=inverse if scaled is None else scaled)


@fft_op.shape_rule
def fft_rule(input, *, axes, inverse, scaled):
    return input


@fft_op.samples
def fft_samples(rng):
    x = rng.normal(size=(2, 3, 4)) + 1j * rng.normal(size=(2, 3, 4))
    yield (x,), {}
    yield (x,), {"axes": (-2, -1), "inverse": True}


@op(kinds="f", label="RFFT")
def rfft_op(xp, input):
    """Discrete Fourier transform of real numbers over the last axis: the first half of the spectrum.

    Args:
        input: float32 or float64 tensor [..., n].

    Returns:
        Complex tensor [..., n // 2 + 1].

    >>> rfft_op([1.0, 1.0]).numpy()
    array([2.+0.j, 0.+0.j], dtype=complex64)
    """
    if not input.ndim:
        raise errors.shape_error("RFFT", "Input must have rank of at least 1 but got a scalar.")
    return np.fft.rfft(input).astype(np.complex128 if input.dtype == np.float64 else np.complex64)


@rfft_op.vjp
def rfft_vjp(dy, _y, _x):
    return rfft_gradient(dy, size=shape_of(_x)[-1])


@rfft_op.shape_rule
def rfft_rule(input):
    kind = dtypes.complex128 if input.dtype == dtypes.float64 else dtypes.complex64
    if input.shape.rank is None:
        return TensorSpec(None, kind)
    last = input.shape[-1]
    return TensorSpec([*input.shape[:-1], None if last is None else last // 2 + 1], kind)


@rfft_op.samples
def rfft_samples(rng):
    yield (rng.normal(size=(2, 6)),), {}
    yield (rng.normal(size=(2, 5)),), {}


@op(kinds="c", label="IRFFT")
def irfft_op(xp, input, *, size: int):
    """Real numbers from the first half of their spectrum, over the last axis.

    Args:
        input: Complex tensor [..., size // 2 + 1].
        size: Number of real numbers.

    Returns:
        Real tensor [..., size].

    >>> irfft_op([2.0 + 0j, 0.0], size=2).numpy()
    array([1., 1.])
    """
    return np.fft.irfft(input, size).astype(
        np.float64 if input.dtype == np.complex128 else np.float32
    )


@irfft_op.vjp
def irfft_vjp(dy, _y, _x, *, size):
    return irfft_gradient(dy)


@op(kinds="c")
def rfft_gradient(xp, dy, *, size: int):
    """What goes back through `rfft`: the real part of the transform back, unscaled, of half a spectrum.

    Args:
        dy: Complex tensor [..., size // 2 + 1].
        size: Number of real numbers.

    Returns:
        Real tensor [..., size].

    >>> rfft_gradient([1.0 + 0j, 0.0], size=2).numpy()
    array([1., 1.])
    """
    whole = np.zeros((*dy.shape[:-1], size), dy.dtype)
    whole[..., : dy.shape[-1]] = dy
    kind = np.float64 if dy.dtype == np.complex128 else np.float32
    return np.fft.ifft(whole, norm="forward").real.astype(kind)


@rfft_gradient.vjp
def rfft_gradient_vjp(ddx, _dx, _dy, *, size):
    return rfft_op(ddx)


@rfft_gradient.shape_rule
def rfft_gradient_rule(dy, *, size):
    return irfft_rule(dy, size=size)


@rfft_gradient.samples
def rfft_gradient_samples(rng):
    x = rng.normal(size=(2, 4)) + 1j * rng.normal(size=(2, 4))
    yield (x,), {"size": 6}
    yield (x,), {"size": 7}


@op(kinds="f")
def irfft_gradient(xp, dy):
    """What goes back through `irfft`: half a spectrum, in which what stands for two halves counts twice.

    Args:
        dy: Real tensor [..., n].

    Returns:
        Complex tensor [..., n // 2 + 1].

    >>> irfft_gradient([1.0, 1.0]).numpy()
    array([1.+0.j, 0.+0.j], dtype=complex64)
    """
    size = dy.shape[-1]
    weights = np.full(size // 2 + 1, 2.0 / size)
    weights[0] = 1.0 / size
    if size % 2 == 0:
        weights[size // 2] = 1.0 / size
    return (np.fft.rfft(dy) * weights).astype(
        np.complex128 if dy.dtype == np.float64 else np.complex64
    )


@irfft_gradient.vjp
def irfft_gradient_vjp(ddx, _dx, _dy):
    return irfft_op(ddx, size=shape_of(_dy)[-1])


@irfft_gradient.shape_rule
def irfft_gradient_rule(dy):
    return rfft_rule(dy)


@irfft_gradient.samples
def irfft_gradient_samples(rng):
    yield (rng.normal(size=(2, 6)),), {}
    yield (rng.normal(size=(2, 5)),), {}


@irfft_op.shape_rule
def irfft_rule(input, *, size):
    kind = input.dtype.real_dtype
    if input.shape.rank is None:
        return TensorSpec(None, kind)
    return TensorSpec([*input.shape[:-1], size if isinstance(size, int) else None], kind)


@irfft_op.samples
def irfft_samples(rng):
    x = rng.normal(size=(2, 4)) + 1j * rng.normal(size=(2, 4))
    yield (x,), {"size": 6}
    yield (x,), {"size": 7}


def _fitted(x, lengths, axes):
    """Cut or filled up with zeros to the given lengths along the axes."""
    rank = x.shape.rank
    for length, axis in zip(lengths, axes, strict=True):
        axis = axis % rank
        size = x.shape[axis]
        if size > length:
            x = getitem(x, tuple([slice(None)] * axis + [slice(0, length)]))
        elif size < length:
            x = pad(x, [[0, 0]] * axis + [[0, length - size]] + [[0, 0]] * (rank - axis - 1))
    return x


def _real(x):
    x = convert(x)
    if not x.dtype.is_floating:
        raise errors.dtype_error(
            "RFFT", f"rfft takes float32 or float64 tensors, got {x.dtype.name}."
        )
    return x


def _rfft(input, lengths, count, name):
    x = _real(input)
    axes = list(range(-count, 0))
    if x.shape.rank < count:
        raise errors.shape_error(
            name, f"Input must have rank of at least {count} but got: {x.shape}"
        )
    if lengths is not None:
        x = _fitted(x, coerce.as_ints(lengths, name, "fft_length"), axes)
    made = rfft_op(x)
    return made if count == 1 else fft_op(made, axes=tuple(axes[:-1]))


def _irfft(input, lengths, count, name):
    x = convert(input)
    axes = list(range(-count, 0))
    if not x.dtype.is_complex:
        raise errors.dtype_error(name, f"irfft takes complex tensors, got {x.dtype.name}.")
    if lengths is None:
        size = 2 * (x.shape[-1] - 1)
    else:
        lengths = list(coerce.as_ints(lengths, name, "fft_length"))
        size = lengths[-1]
        x = _fitted(x, [*lengths[:-1], size // 2 + 1], axes)
    if count > 1:
        x = fft_op(x, axes=tuple(axes[:-1]), inverse=True)
    return irfft_op(x, size=size)


def _complex(x):
    x = convert(x)
    return (
        x
        if x.dtype.is_complex
        else cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)
    )


def fft(input, name=None):
    """Discrete Fourier transform over the last axis.

    Args:
        input: Complex tensor [..., n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> fft([1.0 + 0j, 1.0]).numpy()
    array([2.+0.j, 0.+0.j])
    """
    return fft_op(input)


def ifft(input, name=None):
    """Inverse discrete Fourier transform over the last axis.

    Args:
        input: Complex tensor [..., n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> ifft([2.0 + 0j, 0.0]).numpy()
    array([1.+0.j, 1.+0.j])
    """
    return fft_op(input, inverse=True)


def fft2d(input, name=None):
    """Discrete Fourier transform over the last two axes.

    Args:
        input: Complex tensor [..., m, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> fft2d([[1.0 + 0j, 1.0]]).numpy()
    array([[2.+0.j, 0.+0.j]])
    """
    return fft_op(input, axes=(-2, -1))


def ifft2d(input, name=None):
    """Inverse discrete Fourier transform over the last two axes.

    Args:
        input: Complex tensor [..., m, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> ifft2d([[2.0 + 0j, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j]])
    """
    return fft_op(input, axes=(-2, -1), inverse=True)


def fft3d(input, name=None):
    """Discrete Fourier transform over the last three axes.

    Args:
        input: Complex tensor [..., l, m, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> fft3d([[[1.0 + 0j, 1.0]]]).numpy()
    array([[[2.+0.j, 0.+0.j]]])
    """
    return fft_op(input, axes=(-3, -2, -1))


def ifft3d(input, name=None):
    """Inverse discrete Fourier transform over the last three axes.

    Args:
        input: Complex tensor [..., l, m, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> ifft3d([[[2.0 + 0j, 0.0]]]).numpy()
    array([[[1.+0.j, 1.+0.j]]])
    """
    return fft_op(input, axes=(-3, -2, -1), inverse=True)


def fftnd(input, fft_length=None, axes=None, norm=None, name=None):
    """Discrete Fourier transform over any axes.

    Args:
        input: Complex tensor.
        fft_length: Sizes to which the axes are cut or filled up; default as they are.
        axes: Axes. Default all.
        norm: None or "backward" (the way back is divided), "forward" or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor.

    >>> fftnd([1.0 + 0j, 1.0]).numpy()
    array([2.+0.j, 0.+0.j])
    """
    return _nd(input, fft_length, axes, norm, False)


def ifftnd(input, fft_length=None, axes=None, norm=None, name=None):
    """Inverse discrete Fourier transform over any axes.

    Args:
        input: Complex tensor.
        fft_length: Sizes to which the axes are cut or filled up; default as they are.
        axes: Axes. Default all.
        norm: None or "backward" (the way back is divided), "forward" or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor.

    >>> ifftnd([2.0 + 0j, 0.0]).numpy()
    array([1.+0.j, 1.+0.j])
    """
    return _nd(input, fft_length, axes, norm, True)


def _nd(input, lengths, axes, norm, inverse):
    x = _complex(input)
    axes = (
        list(range(x.shape.rank)) if axes is None else list(coerce.as_ints(axes, "fftnd", "axes"))
    )
    if lengths is not None:
        x = _fitted(x, coerce.as_ints(lengths, "fftnd", "fft_length"), axes)
    return _normed(fft_op(x, axes=tuple(axes), inverse=inverse), _widths(x, axes), norm, inverse)


def _normed(made, count, norm, inverse):
    if norm in (None, "backward"):
        return made
    if norm == "ortho":
        return multiply(made, count**0.5 if inverse else count**-0.5)
    if norm == "forward":
        return multiply(made, float(count) if inverse else 1.0 / count)
    raise ValueError(f"norm must be None, 'backward', 'ortho' or 'forward', got {norm!r}.")


def rfft(input_tensor, fft_length=None, name=None):
    """Discrete Fourier transform of real numbers over the last axis.

    Args:
        input_tensor: float32 or float64 tensor [..., n].
        fft_length: Size [1] to which the axis is cut or filled up; default as it is.
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor [..., n // 2 + 1].

    >>> rfft([1.0, 1.0]).numpy()
    array([2.+0.j, 0.+0.j], dtype=complex64)
    """
    return _rfft(input_tensor, fft_length, 1, "RFFT")


def irfft(input_tensor, fft_length=None, name=None):
    """Real numbers from the first half of their spectrum, over the last axis.

    Args:
        input_tensor: Complex tensor [..., n // 2 + 1].
        fft_length: Number [1] of real numbers; default the even one that fits.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor [..., n].

    >>> irfft([2.0 + 0j, 0.0]).numpy()
    array([1., 1.])
    """
    return _irfft(input_tensor, fft_length, 1, "IRFFT")


def rfft2d(input_tensor, fft_length=None, name=None):
    """Discrete Fourier transform of real numbers over the last two axes.

    Args:
        input_tensor: float32 or float64 tensor [..., m, n].
        fft_length: Sizes [2] to which the axes are cut or filled up; default as they are.
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor [..., m, n // 2 + 1].

    >>> rfft2d([[1.0, 1.0]]).shape
    TensorShape([1, 2])
    """
    return _rfft(input_tensor, fft_length, 2, "RFFT2D")


def irfft2d(input_tensor, fft_length=None, name=None):
    """Real numbers from the first half of their spectrum, over the last two axes.

    Args:
        input_tensor: Complex tensor [..., m, n // 2 + 1].
        fft_length: Sizes [2] of the result; default the even ones that fit.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor [..., m, n].

    >>> irfft2d([[2.0 + 0j, 0.0]]).numpy()
    array([[1., 1.]])
    """
    return _irfft(input_tensor, fft_length, 2, "IRFFT2D")


def rfft3d(input_tensor, fft_length=None, name=None):
    """Discrete Fourier transform of real numbers over the last three axes.

    Args:
        input_tensor: float32 or float64 tensor [..., l, m, n].
        fft_length: Sizes [3] to which the axes are cut or filled up; default as they are.
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor [..., l, m, n // 2 + 1].

    >>> rfft3d([[[1.0, 1.0]]]).shape
    TensorShape([1, 1, 2])
    """
    return _rfft(input_tensor, fft_length, 3, "RFFT3D")


def irfft3d(input_tensor, fft_length=None, name=None):
    """Real numbers from the first half of their spectrum, over the last three axes.

    Args:
        input_tensor: Complex tensor [..., l, m, n // 2 + 1].
        fft_length: Sizes [3] of the result; default the even ones that fit.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor [..., l, m, n].

    >>> irfft3d([[[2.0 + 0j, 0.0]]]).numpy()
    array([[[1., 1.]]])
    """
    return _irfft(input_tensor, fft_length, 3, "IRFFT3D")


def rfftnd(input, fft_length=None, axes=None, norm=None, name=None):
    """Discrete Fourier transform of real numbers over any axes; the last of them is halved.

    Args:
        input: float32 or float64 tensor.
        fft_length: Sizes to which the axes are cut or filled up; default as they are.
        axes: Axes. Default all.
        norm: None or "backward", "forward" or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor.

    >>> rfftnd([1.0, 1.0]).numpy()
    array([2.+0.j, 0.+0.j], dtype=complex64)
    """
    x = _real(input)
    axes = (
        list(range(x.shape.rank))
        if axes is None
        else [a % x.shape.rank for a in coerce.as_ints(axes, "rfftnd", "axes")]
    )
    if fft_length is not None:
        x = _fitted(x, coerce.as_ints(fft_length, "rfftnd", "fft_length"), axes)
    moved, back = _axis_last(x, axes[-1])
    made = back(rfft_op(moved))
    if len(axes) > 1:
        made = fft_op(made, axes=tuple(axes[:-1]))
    return _normed(made, _widths(x, axes), norm, False)


def irfftnd(input, fft_length=None, axes=None, norm=None, name=None):
    """Real numbers from the first half of their spectrum over any axes; the last of them was halved.

    Args:
        input: Complex tensor.
        fft_length: Sizes of the result along the axes; default the even one that fits for the last.
        axes: Axes. Default all.
        norm: None or "backward", "forward" or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor.

    >>> irfftnd([2.0 + 0j, 0.0]).numpy()
    array([1., 1.])
    """
    x = convert(input)
    axes = (
        list(range(x.shape.rank))
        if axes is None
        else [a % x.shape.rank for a in coerce.as_ints(axes, "irfftnd", "axes")]
    )
    lengths = (
        None if fft_length is None else list(coerce.as_ints(fft_length, "irfftnd", "fft_length"))
    )
    size = 2 * (x.shape[axes[-1]] - 1) if lengths is None else lengths[-1]
    if lengths is not None:
        x = _fitted(x, [*lengths[:-1], size // 2 + 1], axes)
    if len(axes) > 1:
        x = fft_op(x, axes=tuple(axes[:-1]), inverse=True)
    moved, back = _axis_last(x, axes[-1])
    made = back(irfft_op(moved, size=size))
    return _normed(made, _widths(made, axes), norm, True)


def _axis_last(x, axis):
    from .shape import transpose

    rank = x.shape.rank
    if axis == rank - 1:
        return x, lambda y: y
    order = [i for i in range(rank) if i != axis] + [axis]
    inverse = [order.index(i) for i in range(rank)]
    return transpose(x, order), lambda y: transpose(y, inverse)


def _shifted(x, axes, back):
    from .rearrange import roll

    x = convert(x)
    rank = x.shape.rank
    axes = (
        list(range(rank))
        if axes is None
        else [a % rank for a in np.atleast_1d(coerce.plain(axes)).astype(int).tolist()]
    )
    steps = [-(x.shape[a] // 2) if back else x.shape[a] // 2 for a in axes]
    return roll(x, shift=steps, axis=axes)


def fftshift(x, axes=None, name=None):
    """The middle of the spectrum moved to the middle of the tensor.

    Args:
        x: Tensor.
        axes: Axes. Default all.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted(x, axes, False)


def ifftshift(x, axes=None, name=None):
    """The converse of `fftshift`.

    Args:
        x: Tensor.
        axes: Axes. Default all.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted(x, axes, True)


# --------------------------------------------------------------------------------------------------- cosine transforms


def _check_dct(type, n, axis, norm):
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in (1, 2, 3, 4):
        raise ValueError(f"Types I, II, III and IV (I)DCT are supported. Got: type={type}")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """Discrete cosine transform over the last axis.

    Args:
        input: float32 or float64 tensor [..., n].
        type: 1, 2 (default), 3 or 4.
        n: Length to which the axis is cut or filled up; default as it is.
        axis: -1.
        norm: None or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n].

    Raises:
        ValueError: If the type or the norm is unknown.

    >>> dct([1.0, 1.0]).numpy()
    array([4., 0.], dtype=float32)
    """
    _check_dct(type, n, axis, norm)
    x = _real(input)
    if n is not None:
        x = _fitted(x, [int(n)], [-1])
    size = x.shape[-1]
    if type == 1:
        if size < 2:
            raise ValueError("DCT-I requires the dimension to be greater than one.")
        mirrored = reverse(getitem(x, (..., slice(1, -1))), axis=(x.shape.rank - 1,))
        return real(rfft_op(concat([x, mirrored], axis=-1)))
    if type == 2:
        made = _turned_spectrum(x, 2 * size, size, -0.5 / size)
        return (
            made
            if norm is None
            else multiply(made, _ortho(size, 0.5 * size**-0.5, np.sqrt(2.0), x.dtype))
        )
    if type == 3:
        x = (
            multiply(x, float(size))
            if norm is None
            else multiply(x, _ortho(size, size**0.5, np.sqrt(0.5), x.dtype))
        )
        turned = multiply(complex_of(x, zeros_like(x)), _turns(size, 0.25 / size, x.dtype))
        return getitem(irfft(turned, [2 * size]), (..., slice(0, size)))
    made = _turned_spectrum(x, 4 * size, 2 * size, -0.25 / size)
    made = getitem(made, (..., slice(1, None, 2)))
    return made if norm is None else multiply(made, float(np.sqrt(0.5) * size**-0.5))


def _turns(count, turn, dtype):
    """`2 exp(2 pi i k turn)` for k = 0, 1 ..."""
    made = 2.0 * np.exp(2j * np.pi * turn * np.arange(count))
    return constant(made.astype(np.complex128 if dtype == dtypes.float64 else np.complex64))


def _turned_spectrum(x, length, count, turn):
    spectrum = getitem(rfft(x, [length]), (..., slice(0, count)))
    return real(multiply(spectrum, _turns(count, turn / 2, x.dtype)))


def _ortho(size, first, ratio, dtype):
    weights = np.full(size, first * ratio)
    weights[0] = first
    return constant(weights.astype(dtype._numpy()))


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """Inverse discrete cosine transform over the last axis, up to a factor unless `norm` is "ortho".

    Args:
        input: float32 or float64 tensor [..., n].
        type: 1, 2 (default), 3 or 4: that of the transform that is undone.
        n: Length to which the axis is cut or filled up; default as it is.
        axis: -1.
        norm: None or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n].

    >>> idct(dct([1.0, 3.0], norm="ortho"), norm="ortho").numpy().round(4)
    array([1., 3.], dtype=float32)
    """
    _check_dct(type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2, 4: 4}[type], n=n, norm=norm)
