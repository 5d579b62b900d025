"""Candidate sampling: classes drawn for losses over very many classes."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..base import candidates, dtypes, errors, seeds
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.op import barrier
from ..core.tensor import convert
from .create import cast
from .random_draws import candidate_sampler

#: What a candidate sampler gives.
Candidates = namedtuple(
    "Candidates", ["sampled_candidates", "true_expected_count", "sampled_expected_count"]
)


def _sample(
    label: str,
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    classes: tuple[Any, ...] | None,
    seed: Any,
) -> Candidates:
    true = cast(convert(true_classes), dtypes.int64)
    num_true = coerce.as_int(num_true, label, "num_true")
    num_sampled = coerce.as_int(num_sampled, label, "num_sampled")
    key = (label, num_true, num_sampled, bool(unique), classes)
    drawn = candidate_sampler(
        true,
        num_true=num_true,
        num_sampled=num_sampled,
        unique=bool(unique),
        classes=classes,
        stream=seeds.stream_for(seed, key),
    )
    return Candidates(*drawn)


def _size(label: str, range_max: Any) -> int:
    size = coerce.as_int(range_max, label, "range_max")
    if size < 1:
        raise errors.value_error(label, f"`range_max` must be positive, got {size}.")
    return size


def uniform_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Draws classes that are all equally likely.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes to draw.
        unique: Whether a class may come only once.
        range_max: Number of classes.
        seed: Seed of this operation; see `tf.random.set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `sampled_candidates`, int64 (num_sampled,); `true_expected_count`, float32 (batch, num_true);
        `sampled_expected_count`, float32 (num_sampled,).

    Raises:
        InvalidArgumentError: If a true class is out of range, or there are too few classes.

    >>> uniform_candidate_sampler([[0], [3]], 1, 4, True, 9).sampled_candidates.shape
    TensorShape([4])
    """
    label = "UniformCandidateSampler"
    classes = (candidates.UniformClasses, _size(label, range_max))
    return _sample(label, true_classes, num_true, num_sampled, unique, classes, seed)


def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Draws classes of a log-uniform (Zipfian) distribution: small numbers are more likely.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes to draw.
        unique: Whether a class may come only once.
        range_max: Number of classes.
        seed: Seed of this operation; see `tf.random.set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `sampled_candidates`, int64 (num_sampled,); `true_expected_count`, float32 (batch, num_true);
        `sampled_expected_count`, float32 (num_sampled,).

    Raises:
        InvalidArgumentError: If a true class is out of range, or there are too few classes.

    >>> log_uniform_candidate_sampler([[0], [3]], 1, 4, True, 9).sampled_candidates.shape
    TensorShape([4])
    """
    label = "LogUniformCandidateSampler"
    classes = (candidates.LogUniformClasses, _size(label, range_max))
    return _sample(label, true_classes, num_true, num_sampled, unique, classes, seed)


def learned_unigram_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Draws classes as often as they were true ones in earlier calls of this operation.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes to draw.
        unique: Whether a class may come only once.
        range_max: Number of classes.
        seed: Seed of this operation; see `tf.random.set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `sampled_candidates`, int64 (num_sampled,); `true_expected_count`, float32 (batch, num_true);
        `sampled_expected_count`, float32 (num_sampled,).

    Raises:
        InvalidArgumentError: If a true class is out of range, or there are too few classes.

    >>> learned_unigram_candidate_sampler([[0], [3]], 1, 4, True, 9).sampled_candidates.shape
    TensorShape([4])
    """
    label = "LearnedUnigramCandidateSampler"
    classes = (candidates.LearnedClasses, _size(label, range_max))
    return _sample(label, true_classes, num_true, num_sampled, unique, classes, seed)


def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    vocab_file: str = "",
    distortion: Any = 1.0,
    num_reserved_ids: Any = 0,
    num_shards: Any = 1,
    shard: Any = 0,
    unigrams: Any = (),
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Draws classes of given weights.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes to draw.
        unique: Whether a class may come only once.
        range_max: Number of classes, the reserved ones included.
        vocab_file: File of lines whose last comma-separated field is a weight; or give `unigrams`.
        distortion: Power that the weights are raised to. Default 1.
        num_reserved_ids: Number of first classes that are never drawn. Default 0.
        num_shards: Number of parts the classes are dealt into. Default 1.
        shard: Which of the parts this is. Default 0.
        unigrams: The weights.
        seed: Seed of this operation; see `tf.random.set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `sampled_candidates`, int64 (num_sampled,); `true_expected_count`, float32 (batch, num_true);
        `sampled_expected_count`, float32 (num_sampled,).

    Raises:
        InvalidArgumentError: If not exactly one source of weights is given, their number is not
            `range_max`, or a true class is out of range.

    >>> drawn = fixed_unigram_candidate_sampler([[0], [2]], 1, 9, False, 3, unigrams=[1, 0, 5])
    >>> 1 in drawn.sampled_candidates.numpy()
    False
    """
    label = "FixedUnigramCandidateSampler"
    weights = np.asarray(coerce.plain(unigrams), np.float32).reshape(-1).tolist()
    if bool(vocab_file) == bool(weights):
        raise errors.value_error(label, "Must provide exactly one of `vocab_file` and `unigrams`.")
    if vocab_file:
        weights = _weights_of(vocab_file)
    classes = (
        candidates.FixedClasses,
        _size(label, range_max),
        tuple(weights),
        coerce.as_float(distortion, label, "distortion"),
        *(
            coerce.as_int(value, label, argument)
            for value, argument in (
                (num_reserved_ids, "num_reserved_ids"),
                (num_shards, "num_shards"),
                (shard, "shard"),
            )
        ),
    )
    return _sample(label, true_classes, num_true, num_sampled, unique, classes, seed)


def _weights_of(path: str) -> list[float]:
    weights = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            field = line.rstrip("\n").split(",")[-1]
            try:
                weights.append(float(field))
            except ValueError:
                raise errors.value_error(
                    "FixedUnigramCandidateSampler",
                    f"Wrong vocabulary format at line {len(weights) + 1} of {path}: {line.rstrip()!r} does not end "
                    "with a number.",
                ) from None
    return weights


def all_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Every class: what turns a sampled loss into the whole one, to test it.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes that exist.
        unique: Accepted for TensorFlow's sake.
        seed: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        `sampled_candidates`, `0 ... num_sampled - 1`, and expected counts of one.

    >>> all_candidate_sampler([[0]], 1, 3, True).sampled_candidates.numpy()
    array([0, 1, 2])
    """
    return _sample("AllCandidateSampler", true_classes, num_true, num_sampled, unique, None, seed)


@barrier(
    label="ComputeAccidentalHits", kinds="i", outputs=3, differentiable=False, data_dependent=True
)
def accidental_hits(xp, true_classes, sampled_candidates, *, num_true: int):
    """Where classes that were drawn are true ones.

    Args:
        true_classes: int64 tensor (batch, num_true).
        sampled_candidates: int64 tensor (num_sampled,).
        num_true: Number of true classes of each example.

    Returns:
        Rows (int32), positions among the drawn classes (int64) and weights of about -3.4e38 (float32).

    >>> accidental_hits([[0, 4], [5, 1]], [4, 1, 7], num_true=2)[0].numpy()
    array([0, 1], dtype=int32)
    """
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true or sampled_candidates.ndim != 1:
        raise errors.shape_error(
            "ComputeAccidentalHits",
            f"true_classes must be a batch_size * num_true matrix with num_true = {num_true} and sampled_candidates a "
            f"vector, got {list(true_classes.shape)} and {list(sampled_candidates.shape)}.",
        )
    places = {int(value): i for i, value in enumerate(sampled_candidates)}
    hits = [
        (row, places[value])
        for row, classes in enumerate(true_classes.tolist())
        for value in classes
        if value in places
    ]
    rows, found = np.array(hits, np.int64).reshape(-1, 2).T
    weights = np.full(len(hits), -np.finfo(np.float32).max, np.float32)
    return rows.astype(np.int32), found, weights


@accidental_hits.shape_rule
def _accidental_hits_rule(true_classes, sampled_candidates, *, num_true):
    # How many there are depends on the values.
    types = (dtypes.int32, dtypes.int64, dtypes.float32)
    return tuple(TensorSpec([None], dtype) for dtype in types)


@accidental_hits.samples
def _accidental_hits_samples(rng):
    yield (np.array([[0, 4], [5, 1]]), np.array([4, 1, 7])), {"num_true": 2}


def compute_accidental_hits(
    true_classes: Any,
    sampled_candidates: Any,
    num_true: Any,
    seed: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Where classes that were drawn are true ones, so that a sampled loss can leave them out.

    Args:
        true_classes: int64 tensor (batch, num_true).
        sampled_candidates: int64 tensor (num_sampled,) of a candidate sampler.
        num_true: Number of true classes of each example.
        seed: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Rows of `true_classes` (int32), positions in `sampled_candidates` (int64), and for each a weight of
        about -3.4e38 to add to its logit (float32).

    >>> rows, ids, _ = compute_accidental_hits([[0, 4], [5, 1]], [4, 1, 7], 2)
    >>> rows.numpy().tolist(), ids.numpy().tolist()
    ([0, 1], [0, 1])
    """
    true = cast(convert(true_classes), dtypes.int64)
    sampled = cast(convert(sampled_candidates), dtypes.int64)
    return tuple(accidental_hits(true, sampled, num_true=num_true))
