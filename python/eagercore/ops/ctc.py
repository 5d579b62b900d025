"""Connectionist temporal classification: sequences of labels from unaligned frames."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import multiply
from .create import constant
from .index import _whole
from .shape import expand_dims, transpose

# ------------------------------------------------------------------------------------- the sums over alignments


def _add_logs(*terms):
    """log(sum(exp(terms))), also of complex numbers (a derivative is then carried in the imaginary parts)."""
    top = np.maximum.reduce([t.real for t in terms])
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        total = sum(np.exp(t - top) for t in terms)
        return np.where(total == 0, -np.inf, np.log(np.where(total == 0, 1, total))) + top


def _states(labels, lengths, blank):
    """Labels with blanks between them [batch, 2 n + 1], which states exist, and which may be skipped to."""
    batch, n = labels.shape
    states = np.full((batch, 2 * n + 1), blank, np.int64)
    states[:, 1::2] = labels
    exists = np.arange(2 * n + 1) < (2 * lengths + 1)[:, None]
    skip = np.zeros_like(exists)
    skip[:, 2:] = (states[:, 2:] != blank) & (states[:, 2:] != states[:, :-2])
    return np.where(exists, states, blank), exists, skip


def _moved(x, by):
    """States moved up by some places; what comes in is impossible."""
    out = np.full_like(x, -np.inf)
    if by < x.shape[1]:
        out[:, by:] = x[:, : x.shape[1] - by]
    return out


def _forward(emit, exists, skip, frames):
    """log probability of all beginnings that end in each state at each frame: [time, batch, states]."""
    time = emit.shape[0]
    impossible = np.full(emit.shape[1:], -np.inf, emit.dtype)
    alpha = impossible.copy()
    alpha[:, :2] = np.where(exists[:, :2], emit[0, :, :2], -np.inf) if time else alpha[:, :2]
    found = []
    for t in range(time):
        if t:
            reach = _add_logs(alpha, _moved(alpha, 1), np.where(skip, _moved(alpha, 2), -np.inf))
            now = (t < frames)[:, None]
            alpha = np.where(now, np.where(exists, reach + emit[t], -np.inf), alpha)
        found.append(alpha)
    return np.stack(found) if found else np.zeros((0, *emit.shape[1:]), emit.dtype)


def _emissions(log_probabilities, states):
    return np.take_along_axis(
        log_probabilities, np.broadcast_to(states, (len(log_probabilities), *states.shape)), axis=2
    )


def _log_softmax(logits):
    top = logits.real.max(axis=-1, keepdims=True)
    moved = logits - top
    return moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))


def _total(last, lengths):
    """log probability of the labels from the last forward sums."""
    row = np.arange(len(lengths))
    end = last[row, 2 * lengths]
    before = np.where(lengths > 0, last[row, np.maximum(2 * lengths - 1, 0)], -np.inf)
    return _add_logs(end, before)


def _loss(logits, labels, label_length, logit_length, blank):
    """(losses, log probabilities of classes, sums forward, states ...) for the parts that follow."""
    log_p = _log_softmax(logits)
    states, exists, skip = _states(labels, label_length, blank)
    emit = _emissions(log_p, states)
    alpha = _forward(emit, exists, skip, logit_length)
    total = (
        _total(alpha[-1], label_length) if len(alpha) else np.where(label_length == 0, 0.0, -np.inf)
    )
    return total, log_p, alpha, emit, states, exists, skip


def _backward(emit, exists, skip, frames, lengths):
    """log probability of all endings after each state at each frame: [time, batch, states]."""
    time, batch, count = emit.shape
    row = np.arange(batch)
    start = np.full((batch, count), -np.inf, emit.dtype)
    start[row, 2 * lengths] = 0
    some = lengths > 0
    start[row[some], 2 * lengths[some] - 1] = 0
    beta = start.copy()
    found = [beta]
    skip_from = np.zeros_like(skip)
    skip_from[:, :-2] = skip[:, 2:]
    for t in range(time - 2, -1, -1):
        ahead = np.where(exists, beta + emit[t + 1], -np.inf)
        flipped = ahead[:, ::-1]
        one, two = _moved(flipped, 1)[:, ::-1], _moved(flipped, 2)[:, ::-1]
        reach = _add_logs(ahead, one, np.where(skip_from, two, -np.inf))
        beta = np.where((t + 1 < frames)[:, None], reach, start)
        found.append(beta)
    return np.stack(found[::-1])


def _gradient(logits, labels, label_length, logit_length, blank):
    """Derivative of the losses in the logits: class probabilities minus those given the labels."""
    total, log_p, alpha, emit, states, exists, skip = _loss(
        logits, labels, label_length, logit_length, blank
    )
    time, batch, _ = logits.shape
    posterior = np.zeros_like(logits)
    if time:
        beta = _backward(emit, exists, skip, logit_length, label_length)
        possible = np.isfinite(total.real)
        with np.errstate(invalid="ignore", under="ignore"):
            weight = np.exp(alpha + beta - np.where(possible, total, 0)[None, :, None])
        weight = np.where(np.isfinite(weight.real) & exists & possible[:, None], weight, 0)
        for s in range(states.shape[1]):
            np.add.at(posterior, (slice(None), np.arange(batch), states[:, s]), weight[:, :, s])
    made = np.exp(log_p) - posterior
    inside = np.arange(time)[:, None] < logit_length
    return np.where(inside[:, :, None] & np.isfinite(total.real)[None, :, None], made, 0)


def _check(logits, labels, label_length, logit_length, blank):
    time, batch, classes = logits.shape
    if (
        labels.ndim != 2
        or len(labels) != batch
        or len(label_length) != batch
        or len(logit_length) != batch
    ):
        raise errors.shape_error(
            "CTCLoss", f"logits {list(logits.shape)} [time, batch, classes] need labels [batch, n] and lengths, got "
            f"{list(labels.shape)}, {list(label_length.shape)} and {list(logit_length.shape)}.",
        )  # fmt: skip
    if logit_length.size and logit_length.max() > time:
        raise errors.value_error(
            "CTCLoss", f"sequence_length(b) <= {time} is needed, got {int(logit_length.max())}."
        )
    if labels.size and (labels.max() >= classes or labels.min() < 0):
        raise errors.value_error(
            "CTCLoss",
            f"labels must be in [0, {classes}).",
        )
    if label_length.size and label_length.max() > labels.shape[1]:
        raise errors.value_error(
            "CTCLoss",
            f"label_length {int(label_length.max())} is larger than the {labels.shape[1]} labels.",
        )
    if not 0 <= blank < classes:
        raise errors.value_error("CTCLoss", f"blank_index {blank} must be in [0, {classes}).")


def _wide(function, logits, *rest):
    made = function(
        logits.astype(np.float64), *(np.asarray(r, np.int64) for r in rest[:3]), rest[3]
    )
    return made.astype(logits.dtype)


FREE = ("labels", "label_length", "logit_length")


@op(kinds="f", free=FREE, label="CTCLossV2")
def ctc_loss_op(xp, logits, labels, label_length, logit_length, *, blank: int = 0):
    """Negative log probability of sequences of labels, summed over all alignments.

    Args:
        logits: Floating tensor [time, batch, classes].
        labels: Integer tensor [batch, n].
        label_length: Integer tensor [batch].
        logit_length: Integer tensor [batch].
        blank: Class that stands for no label.

    Returns:
        Tensor [batch]; inf where the labels do not fit into the frames.

    >>> ctc_loss_op([[[0.0, 0.0]]], [[1]], [1], [1]).numpy()
    array([0.6931472], dtype=float32)
    """
    _check(logits, labels, label_length, logit_length, blank)
    return _wide(lambda *a: -_loss(*a)[0], logits, labels, label_length, logit_length, blank)


@ctc_loss_op.vjp
def ctc_loss_vjp(dy, _y, logits, labels, label_length, logit_length, *, blank):
    slope = ctc_gradient(logits, labels, label_length, logit_length, blank=blank)
    scale = expand_dims(expand_dims(dy, 0), -1)
    return multiply(slope, scale), None, None, None


@op(kinds="f", free=FREE, once=True)
def ctc_gradient(xp, logits, labels, label_length, logit_length, *, blank: int = 0):
    """Derivative of the loss of each sequence in its logits.

    Args:
        logits: Floating tensor [time, batch, classes].
        labels: Integer tensor [batch, n].
        label_length: Integer tensor [batch].
        logit_length: Integer tensor [batch].
        blank: Class that stands for no label.

    Returns:
        Tensor of the shape of `logits`.

    >>> ctc_gradient([[[0.0, 0.0]]], [[1]], [1], [1]).numpy()
    array([[[ 0.5, -0.5]]], dtype=float32)
    """
    return _wide(_gradient, logits, labels, label_length, logit_length, blank)


@ctc_gradient.vjp
def ctc_gradient_vjp(ddx, _dx, logits, labels, label_length, logit_length, *, blank):
    turned = ctc_curvature(logits, ddx, labels, label_length, logit_length, blank=blank)
    return turned, None, None, None


@op(kinds="f", free=FREE, differentiable=False)
def ctc_curvature(xp, logits, direction, labels, label_length, logit_length, *, blank: int = 0):
    """Second derivative of the losses along a direction; it has no gradient.

    Args:
        logits: Floating tensor [time, batch, classes].
        direction: Tensor of the same shape and dtype.
        labels: Integer tensor [batch, n].
        label_length: Integer tensor [batch].
        logit_length: Integer tensor [batch].
        blank: Class that stands for no label.

    Returns:
        Tensor of the shape of `logits`.

    >>> ctc_curvature([[[0.0, 0.0]]], [[[1.0, 0.0]]], [[1]], [1], [1]).numpy()
    array([[[ 0.25, -0.25]]], dtype=float32)
    """
    # A step into the imaginary: all that happens is analytic, so the derivative has no rounding error.
    tiny = 1e-100
    stepped = logits.astype(np.complex128) + 1j * tiny * direction.astype(np.float64)
    lengths = (np.asarray(a, np.int64) for a in (labels, label_length, logit_length))
    return (_gradient(stepped, *lengths, blank).imag / tiny).astype(logits.dtype)


def _samples(rng):
    labels = np.array([[1, 2, 2], [2, 0, 0]])
    yield (rng.normal(size=(6, 2, 3)), labels, np.array([3, 1]), np.array([6, 4])), {}
    yield (
        (rng.normal(size=(4, 1, 4)), np.array([[0, 0]]), np.array([2]), np.array([4])),
        {"blank": 3},
    )


ctc_loss_op.samples(_samples)
ctc_gradient.samples(_samples)


@ctc_curvature.samples
def ctc_curvature_samples(rng):
    for (logits, *rest), attrs in _samples(rng):
        yield (logits, rng.normal(size=logits.shape), *rest), attrs


@ctc_loss_op.shape_rule
def ctc_loss_rule(logits, labels, label_length, logit_length, *, blank):
    return TensorSpec([None if logits.shape.rank is None else logits.shape[1]], logits.dtype)


@ctc_gradient.shape_rule
def ctc_gradient_rule(logits, labels, label_length, logit_length, *, blank):
    return logits


@ctc_curvature.shape_rule
def ctc_curvature_rule(logits, direction, labels, label_length, logit_length, *, blank):
    return logits


# ------------------------------------------------------------------------------------------------- the public face


def ctc_loss(
    labels, logits=None, label_length=None, logit_length=None, logits_time_major=True, unique=None, blank_index=None,
    name=None, inputs=None, sequence_length=None, preprocess_collapse_repeated=False, ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False, time_major=True,
):  # fmt: skip
    """Connectionist temporal classification loss: negative log probability of labels over all alignments.

    Args:
        labels: Integer tensor [batch, n], or a `SparseTensor`.
        logits: Floating tensor [time, batch, classes] (or [batch, time, classes]).
        label_length: Integer tensor [batch]: how many labels each example has; not read for sparse labels.
        logit_length: Integer tensor [batch]: how many frames each example has.
        logits_time_major: Whether `logits` has time first. Default True.
        unique: Accepted for TensorFlow's sake.
        blank_index: Class that stands for no label; default 0, and the last one for TensorFlow 1's arguments.
        name: Accepted for TensorFlow's sake.
        inputs: TensorFlow 1's name of `logits`.
        sequence_length: TensorFlow 1's name of `logit_length`.
        preprocess_collapse_repeated: Whether repeated labels are made one first (TensorFlow 1).
        ctc_merge_repeated: Only True works here (TensorFlow 1).
        ignore_longer_outputs_than_inputs: Whether examples whose labels do not fit give 0 (TensorFlow 1).
        time_major: TensorFlow 1's name of `logits_time_major`.

    Returns:
        Tensor [batch] of losses.

    Raises:
        InvalidArgumentError: If a label or a length is out of range.

    >>> ctc_loss([[1]], [[[0.0, 0.0]]], [1], [1]).numpy()
    array([0.6931472], dtype=float32)
    """
    old = inputs is not None
    logits = convert(inputs if old else logits)
    if logits.dtype in (dtypes.float16, dtypes.bfloat16):
        from .create import cast

        logits = cast(logits, dtypes.float32)
    frames = _whole(sequence_length if logit_length is None else logit_length)
    if not (logits_time_major and time_major):
        logits = transpose(logits, (1, 0, 2))
    if not ctc_merge_repeated:
        raise errors.UnimplementedError("ctc_loss works with ctc_merge_repeated=True only.")
    classes = logits.shape[-1]
    if blank_index is None:
        blank_index = classes - 1 if old else 0
    blank = coerce.as_int(blank_index, "ctc_loss", "blank_index")
    blank = blank + classes if blank < 0 else blank
    if hasattr(labels, "dense_shape"):
        labels, label_length = _dense_labels(labels, logits.shape[1])
    labels, lengths = _whole(labels), _whole(label_length)
    if preprocess_collapse_repeated:
        labels, lengths = collapse_repeated(labels, lengths)
    made = ctc_loss_op(logits, labels, lengths, frames, blank=blank)
    if ignore_longer_outputs_than_inputs:
        from .compare import is_inf
        from .create import zeros_like
        from .select import where

        made = where(is_inf(made), zeros_like(made), made)
    return made


def _dense_labels(sparse, batch):
    """Sparse labels as (dense ones, lengths)."""
    indices, values = np.asarray(sparse.indices), np.asarray(sparse.values)
    lengths = np.bincount(indices[:, 0], minlength=batch) if len(indices) else np.zeros(batch, int)
    dense = np.zeros((batch, int(lengths.max(initial=0))), np.int64)
    place = np.zeros(batch, int)
    for (row, *_), value in zip(indices, values, strict=True):
        dense[row, place[row]] = value
        place[row] += 1
    return constant(dense), constant(lengths.astype(np.int64))


def collapse_repeated(labels, seq_length, name=None):
    """Labels in which those that follow themselves are made one.

    Args:
        labels: Integer tensor [batch, n].
        seq_length: Integer tensor [batch]: how many labels count.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (labels [batch, longest], lengths [batch]).

    >>> [t.numpy().tolist() for t in collapse_repeated([[1, 1, 2]], [3])]
    [[[1, 2]], [2]]
    """
    labels, lengths = _whole(labels), _whole(seq_length)
    array, count = coerce.plain(labels), coerce.plain(lengths)
    kept = []
    for row, n in zip(array, count, strict=True):
        row = row[:n]
        kept.append(row[np.concatenate(([True], row[1:] != row[:-1]))] if n else row)
    longest = max((len(k) for k in kept), default=0)
    out = np.zeros((len(kept), longest), array.dtype)
    for i, k in enumerate(kept):
        out[i, : len(k)] = k
    return constant(out), constant(np.array([len(k) for k in kept], count.dtype))


def ctc_unique_labels(labels, name=None):
    """The different labels of each row, and for each label which of them it is.

    Args:
        labels: Integer tensor [batch, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (unique labels [batch, n], padded with 0; positions [batch, n]).

    >>> [t.numpy().tolist() for t in ctc_unique_labels([[3, 4, 3]])]
    [[[3, 4, 0]], [[0, 1, 0]]]
    """
    array = coerce.plain(_whole(labels))
    unique, places = np.zeros_like(array), np.zeros_like(array)
    for i, row in enumerate(array):
        values, first, inverse = np.unique(row, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.argsort(order, kind="stable")
        unique[i, : len(values)] = values[order]
        places[i] = rank[inverse.reshape(-1)]
    return constant(unique), constant(places)


def _sparse_paths(paths, batch):
    """Lists of labels, one for each example, as a `SparseTensor`."""
    from .sparse import SparseTensor

    indices = [[i, j] for i, path in enumerate(paths) for j in range(len(path))]
    values = [v for path in paths for v in path]
    shape = [batch, max((len(p) for p in paths), default=0)]
    return SparseTensor(
        constant(np.array(indices, np.int64).reshape(-1, 2)), constant(np.array(values, np.int64)),
        constant(np.array(shape, np.int64)),
    )  # fmt: skip


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True, blank_index=None):
    """The most likely class of each frame, without repetitions and blanks.

    Args:
        inputs: Floating tensor [time, batch, classes] of logits.
        sequence_length: Integer tensor [batch].
        merge_repeated: Whether a class that follows itself is counted once. Default True.
        blank_index: Class that stands for no label. Default the last one.

    Returns:
        Tuple ([`SparseTensor` of labels], minus the sum of the largest logits [batch, 1]).

    >>> ctc_greedy_decoder([[[5.0, 0.0]], [[5.0, 0.0]]], [2])[0][0].values.numpy()
    array([0])
    """
    logits, lengths = convert(inputs), coerce.plain(_whole(sequence_length))
    array = coerce.plain(logits)
    classes = array.shape[-1]
    blank = classes - 1 if blank_index is None else int(blank_index) % classes
    best = array.argmax(axis=-1)
    paths, scores = [], []
    for b, n in enumerate(lengths):
        row = best[:n, b]
        scores.append(-array[:n, b].max(axis=-1).sum() if n else 0.0)
        if merge_repeated and n:
            row = row[np.concatenate(([True], row[1:] != row[:-1]))]
        paths.append([int(v) for v in row if v != blank])
    score = constant(np.array(scores, array.dtype).reshape(-1, 1))
    return [_sparse_paths(paths, array.shape[1])], score


def ctc_beam_search_decoder(
    inputs, sequence_length, beam_width=100, top_paths=1, merge_repeated=False
):
    """The most likely sequences of labels, found by a beam search; the last class is the blank.

    Args:
        inputs: Floating tensor [time, batch, classes] of logits.
        sequence_length: Integer tensor [batch].
        beam_width: How many beginnings are followed. Default 100.
        top_paths: How many sequences are given back. Default 1.
        merge_repeated: Whether labels that follow themselves in the result are made one (TensorFlow 1).

    Returns:
        Tuple (list of `top_paths` `SparseTensor`s of labels, log probabilities [batch, top_paths]).

    Raises:
        InvalidArgumentError: If `top_paths` is larger than `beam_width`.

    >>> ctc_beam_search_decoder([[[5.0, 0.0]], [[5.0, 0.0]]], [2])[0][0].values.numpy()
    array([0])
    """
    if top_paths > beam_width:
        raise errors.value_error(
            "CTCBeamSearchDecoder",
            f"top_paths {top_paths} must not be larger than beam_width {beam_width}.",
        )
    array, lengths = coerce.plain(convert(inputs)), coerce.plain(_whole(sequence_length))
    log_p = _log_softmax(array.astype(np.float64))
    found = [_beam(log_p[:n, b], int(beam_width), int(top_paths)) for b, n in enumerate(lengths)]
    decoded = []
    for k in range(top_paths):
        paths = [list(f[k][0]) if k < len(f) else [] for f in found]
        if merge_repeated:
            paths = [[v for i, v in enumerate(p) if not i or v != p[i - 1]] for p in paths]
        decoded.append(_sparse_paths(paths, array.shape[1]))
    scores = [[f[k][1] if k < len(f) else -np.inf for k in range(top_paths)] for f in found]
    return decoded, constant(np.array(scores, array.dtype))


def _beam(log_p, width, count):
    """Beginnings with the log probabilities that they end in a blank, or in their last label."""
    blank = log_p.shape[-1] - 1
    beams = {(): (0.0, -np.inf)}
    for frame in log_p:
        grown: dict = {}

        def add(path, ends_blank, ends_label, grown=grown):
            one, two = grown.get(path, (-np.inf, -np.inf))
            grown[path] = (np.logaddexp(one, ends_blank), np.logaddexp(two, ends_label))

        for path, (ends_blank, ends_label) in beams.items():
            either = np.logaddexp(ends_blank, ends_label)
            add(path, either + frame[blank], -np.inf)
            if path:
                add(path, -np.inf, ends_label + frame[path[-1]])
            for label in range(blank):
                before = ends_blank if path and label == path[-1] else either
                if before > -np.inf:
                    add((*path, label), -np.inf, before + frame[label])
        best = sorted(grown.items(), key=lambda item: -np.logaddexp(*item[1]))[:width]
        beams = dict(best)
    ranked = sorted(beams.items(), key=lambda item: -np.logaddexp(*item[1]))[:count]
    return [(path, float(np.logaddexp(*scores))) for path, scores in ranked]
