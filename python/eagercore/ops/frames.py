"""Signals cut into frames: windows, short-time transforms, mel scales."""

from __future__ import annotations

import numpy as np

from ..base import dtypes
from ..core import coerce
from ..core.tensor import convert
from . import special_numerics
from .arithmetic import multiply, real_divide, square, subtract
from .create import constant
from .fourier import _fitted, dct, irfft, rfft
from .index import gather_op
from .rearrange import reverse
from .reduce import reduce_sum
from .segment import unsorted_segment_sum
from .shape import check_axis, concat, pad, reshape, split, tile, transpose
from .slicing import getitem


def _cosine_window(length, periodic, dtype, a, b):
    length = coerce.as_int(length, "window", "window_length")
    kind = dtypes.as_dtype(dtype)._numpy()
    if length == 1:
        return constant(np.ones(1, kind))
    even = 1 - length % 2
    count = length + (even if periodic else 0) - 1
    made = a - b * np.cos(2 * np.pi * np.arange(length) / count)
    return constant(made.astype(kind))


def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """Hann's window: a raised cosine.

    Args:
        window_length: Length.
        periodic: Whether the window continues periodically (default), else it is symmetric.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [window_length].

    >>> hann_window(4).numpy()
    array([0. , 0.5, 1. , 0.5], dtype=float32)
    """
    return _cosine_window(window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """Hamming's window: a raised cosine that does not reach 0.

    Args:
        window_length: Length.
        periodic: Whether the window continues periodically (default), else it is symmetric.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [window_length].

    >>> hamming_window(4).numpy()
    array([0.08, 0.54, 1.  , 0.54], dtype=float32)
    """
    return _cosine_window(window_length, periodic, dtype, 0.54, 0.46)


def _kaiser(length, beta):
    if length == 1:
        return np.ones(1)
    half = (length - 1) / 2
    place = (np.arange(length) - half) / half
    inside = np.sqrt(np.maximum(1 - place * place, 0))
    return special_numerics.i0(beta * inside) / special_numerics.i0(np.array([float(beta)]))


def kaiser_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """Kaiser's window.

    Args:
        window_length: Length.
        beta: How narrow it is. Default 12.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [window_length].

    >>> kaiser_window(3).numpy()
    array([5.2773435e-05, 1.0000000e+00, 5.2773435e-05], dtype=float32)
    """
    length = coerce.as_int(window_length, "kaiser_window", "window_length")
    return constant(_kaiser(length, float(beta)).astype(dtypes.as_dtype(dtype)._numpy()))


def kaiser_bessel_derived_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """The window that Kaiser's gives for overlapping halves whose squares sum to 1.

    Args:
        window_length: Length, even.
        beta: How narrow it is. Default 12.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [window_length].

    >>> kaiser_bessel_derived_window(2).numpy().round(4)
    array([0.7071, 0.7071], dtype=float32)
    """
    length = coerce.as_int(window_length, "kaiser_bessel_derived_window", "window_length")
    total = np.cumsum(_kaiser(length // 2 + 1, float(beta)))
    half = np.sqrt(total[:-1] / total[-1])
    return constant(np.concatenate([half, half[::-1]]).astype(dtypes.as_dtype(dtype)._numpy()))


def vorbis_window(window_length, dtype=dtypes.float32, name=None):
    """The window of the Vorbis format.

    Args:
        window_length: Length.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [window_length].

    >>> vorbis_window(2).numpy().round(4)
    array([0.7071, 0.7071], dtype=float32)
    """
    length = coerce.as_int(window_length, "vorbis_window", "window_length")
    inner = np.sin(np.pi / length * (np.arange(length) + 0.5))
    return constant(np.sin(np.pi / 2 * inner**2).astype(dtypes.as_dtype(dtype)._numpy()))


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """A signal cut into frames that may overlap.

    Args:
        signal: Tensor [..., samples, ...].
        frame_length: Length of a frame.
        frame_step: Distance of the beginnings of frames.
        pad_end: Whether the end is filled up so that every sample comes into a frame.
        pad_value: What it is filled up with. Default 0.
        axis: Axis of the samples. Default last.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., frames, frame_length, ...].

    >>> frame([1, 2, 3, 4], 2, 1).numpy()
    array([[1, 2],
           [2, 3],
           [3, 4]], dtype=int32)
    """
    signal = convert(signal)
    rank = signal.shape.rank
    axis = check_axis(rank, coerce.as_int(axis, "frame", "axis"), "Frame")
    length, step = (
        coerce.as_int(frame_length, "frame", "frame_length"),
        coerce.as_int(frame_step, "frame", "frame_step"),
    )
    size = signal.shape[axis]
    if pad_end:
        count = -(-size // step)
        extra = max(0, length + step * (count - 1) - size)
        signal = pad(
            signal,
            [[0, 0]] * axis + [[0, extra]] + [[0, 0]] * (rank - axis - 1),
            constant_values=pad_value,
        )
    else:
        count = max(0, 1 + (size - length) // step)
    places = np.arange(count)[:, None] * step + np.arange(length)
    return gather_op(signal, constant(places.astype(np.int64)), axis=axis)


def overlap_and_add(signal, frame_step, name=None):
    """Frames put together again, where they overlap added.

    Args:
        signal: Tensor [..., frames, frame_length].
        frame_step: Distance of the beginnings of frames.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., (frames - 1) * frame_step + frame_length].

    >>> overlap_and_add([[1, 1], [1, 1]], 1).numpy()
    array([1, 2, 1], dtype=int32)
    """
    signal = convert(signal)
    if signal.shape.rank < 2:
        raise ValueError(f"signal must have rank 2 at least, got shape {signal.shape}.")
    frames, length = signal.shape[-2:]
    lead = tuple(signal.shape[:-2])
    step = coerce.as_int(frame_step, "overlap_and_add", "frame_step")
    total = max((frames - 1) * step + length, 0)
    places = np.arange(frames)[:, None] * step + np.arange(length)
    flat = transpose(reshape(signal, (-1, frames * length)))
    summed = unsorted_segment_sum(
        flat, constant(places.reshape(-1).astype(np.int64)), num_segments=total
    )
    return reshape(transpose(summed), (*lead, total))


def _power_of_two(n):
    return 1 << max(int(n) - 1, 0).bit_length()


def stft(
    signals,
    frame_length,
    frame_step,
    fft_length=None,
    window_fn=hann_window,
    pad_end=False,
    name=None,
):
    """Short-time Fourier transform of real signals.

    Args:
        signals: float32 or float64 tensor [..., samples].
        frame_length: Length of a frame.
        frame_step: Distance of the beginnings of frames.
        fft_length: Length of the transform; default the smallest power of 2 that holds a frame.
        window_fn: Function (length, dtype=) of the window, or None. Default Hann's.
        pad_end: Whether the end is filled up with zeros.
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor [..., frames, fft_length // 2 + 1].

    >>> stft(tf.ones([8]), 4, 2).shape
    TensorShape([3, 3])
    """
    signals = convert(signals)
    length = coerce.as_int(frame_length, "stft", "frame_length")
    size = (
        _power_of_two(length)
        if fft_length is None
        else coerce.as_int(fft_length, "stft", "fft_length")
    )
    framed = frame(signals, length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        framed = multiply(framed, window_fn(length, dtype=framed.dtype))
    return rfft(framed, [size])


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """The window with which `inverse_stft` undoes `stft`.

    Args:
        frame_step: Distance of the beginnings of frames.
        forward_window_fn: The window of `stft`. Default Hann's.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function (frame_length, dtype) that gives a window.

    >>> inverse_stft_window_fn(2)(4, "float32").shape
    TensorShape([4])
    """

    def inverse(frame_length, dtype):
        length, step = int(frame_length), coerce.as_int(frame_step, "inverse_stft", "frame_step")
        window = forward_window_fn(length, dtype=dtype)
        overlaps = -(-length // step)
        squares = pad(square(window), [[0, overlaps * step - length]])
        total = reduce_sum(reshape(squares, (overlaps, step)), axis=0, keepdims=True)
        whole = reshape(tile(total, [overlaps, 1]), (overlaps * step,))
        return real_divide(window, getitem(whole, slice(0, length)))

    return inverse


def inverse_stft(
    stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None
):
    """Real signals from their short-time Fourier transforms.

    Args:
        stfts: Complex tensor [..., frames, fft_length // 2 + 1].
        frame_length: Length of a frame.
        frame_step: Distance of the beginnings of frames.
        fft_length: Length of the transform; default the smallest power of 2 that holds a frame.
        window_fn: Function (length, dtype=) of the window, or None; see `inverse_stft_window_fn`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor [..., samples].

    >>> spectrum = stft(tf.ones([8]), 4, 2)
    >>> inverse_stft(spectrum, 4, 2, window_fn=inverse_stft_window_fn(2)).numpy()[2:6]
    array([1., 1., 1., 1.], dtype=float32)
    """
    stfts = convert(stfts)
    length = coerce.as_int(frame_length, "inverse_stft", "frame_length")
    size = (
        _power_of_two(length)
        if fft_length is None
        else coerce.as_int(fft_length, "inverse_stft", "fft_length")
    )
    framed = _fitted(irfft(stfts, [size]), [length], [-1])
    if window_fn is not None:
        framed = multiply(framed, window_fn(length, dtype=framed.dtype))
    return overlap_and_add(framed, frame_step)


def mdct(signals, frame_length, window_fn=vorbis_window, pad_end=False, norm=None, name=None):
    """Modified discrete cosine transform: frames that overlap by half.

    Args:
        signals: float32 or float64 tensor [..., samples].
        frame_length: Length of a frame, a multiple of 4.
        window_fn: Function (length, dtype=) of the window, or None. Default Vorbis'.
        pad_end: Whether the end is filled up with zeros.
        norm: None or "ortho".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., frames, frame_length // 2].

    >>> mdct(tf.ones([8]), 4).shape
    TensorShape([3, 2])
    """
    signals = convert(signals)
    length = coerce.as_int(frame_length, "mdct", "frame_length")
    if length % 4:
        raise ValueError(f"frame_length must be a multiple of 4, got {length}.")
    framed = frame(signals, length, length // 2, pad_end=pad_end)
    if window_fn is not None:
        framed = multiply(framed, window_fn(length, dtype=framed.dtype))
    else:
        framed = multiply(framed, 1.0 / np.sqrt(2.0))
    last = framed.shape.rank - 1
    a, b, c, d = split(framed, 4, axis=-1)
    folded = concat(
        [subtract(-reverse(c, axis=(last,)), d), subtract(a, reverse(b, axis=(last,)))], axis=-1
    )
    return dct(folded, type=4, norm=norm)


def inverse_mdct(mdcts, window_fn=vorbis_window, norm=None, name=None):
    """Signals from their modified discrete cosine transforms.

    Args:
        mdcts: Tensor [..., frames, frame_length // 2].
        window_fn: Function (length, dtype=) of the window, or None. Default Vorbis'.
        norm: None or "ortho": as in `mdct`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., samples].

    >>> inverse_mdct(mdct(tf.ones([16]), 8, norm="ortho"), norm="ortho").numpy()[4:12].round(4)
    array([1., 1., 1., 1., 1., 1., 1., 1.], dtype=float32)
    """
    mdcts = convert(mdcts)
    half = mdcts.shape[-1]
    back = dct(mdcts, type=4, norm=norm)
    if norm is None:
        back = multiply(back, 0.5 / half)
    last = back.shape.rank - 1
    first, second = split(back, 2, axis=-1)
    framed = concat(
        [second, -reverse(second, axis=(last,)), -reverse(first, axis=(last,)), -first], axis=-1
    )
    if window_fn is not None:
        framed = multiply(framed, window_fn(2 * half, dtype=framed.dtype))
    else:
        framed = multiply(framed, 1.0 / np.sqrt(2.0))
    return overlap_and_add(framed, half)


def linear_to_mel_weight_matrix(
    num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0, upper_edge_hertz=3800.0,
    dtype=dtypes.float32, name=None,
):  # fmt: skip
    """Weights with which spectra on a linear scale become spectra on the mel scale.

    Args:
        num_mel_bins: Number of bands on the mel scale. Default 20.
        num_spectrogram_bins: Number of frequencies of the spectra. Default 129.
        sample_rate: Samples per second. Default 8000.
        lower_edge_hertz: Lowest frequency. Default 125.
        upper_edge_hertz: Highest frequency. Default 3800.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [num_spectrogram_bins, num_mel_bins].

    Raises:
        ValueError: If the frequencies do not fit the sample rate.

    >>> linear_to_mel_weight_matrix(4, 9).shape
    TensorShape([9, 4])
    """
    bands = coerce.as_int(num_mel_bins, "mel", "num_mel_bins")
    bins = coerce.as_int(num_spectrogram_bins, "mel", "num_spectrogram_bins")
    rate, low, high = (
        float(coerce.plain(v)) for v in (sample_rate, lower_edge_hertz, upper_edge_hertz)
    )
    if bands <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bands}")
    if low < 0 or low >= high or high > rate / 2:
        raise ValueError(
            f"0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2: got {low}, {high}, {rate}."
        )

    def mel(hertz):
        return 1127.0 * np.log1p(hertz / 700.0)

    nyquist = rate / 2
    spectrum = mel(np.linspace(0.0, nyquist, bins)[1:])[:, None]
    edges = np.linspace(mel(low), mel(high), bands + 2)
    left, center, right = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (spectrum - left) / (center - left), (right - spectrum) / (right - center)
    weights = np.maximum(0.0, np.minimum(rising, falling))
    return constant(np.pad(weights, [[1, 0], [0, 0]]).astype(dtypes.as_dtype(dtype)._numpy()))


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """Mel-frequency cepstral coefficients.

    Args:
        log_mel_spectrograms: float32 or float64 tensor [..., bands].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype.

    >>> mfccs_from_log_mel_spectrograms([[1.0, 1.0]]).numpy().round(4)
    array([[2., 0.]], dtype=float32)
    """
    x = convert(log_mel_spectrograms)
    bands = x.shape[-1]
    if not bands:
        raise ValueError(f"num_mel_bins must be positive. Got: {bands}")
    return multiply(dct(x, type=2), float((2.0 * bands) ** -0.5))
