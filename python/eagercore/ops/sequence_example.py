"""Batches of serialised `SequenceExample`s."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import as_shape
from ..core.sparse import SparseTensor
from ..core.tensor import EagerTensor
from .example import (
    FixedLenFeature,
    RaggedFeature,
    SequenceExample,
    VarLenFeature,
    _array,
    _fixed,
    _messages,
    _parsed,
    _values,
)
from .ragged import RaggedTensor


def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Parses a batch of serialised `SequenceExample`s.

    Args:
        serialized: Vector of strings.
        context_features: name -> description of the features of each whole.
        sequence_features: name -> `FixedLenSequenceFeature`, `VarLenFeature` or `RaggedFeature` of the steps.
        example_names: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensors of the wholes by name; tensors of the steps by name: [batch, steps, ...], shorter sequences filled up
        with zeros (sparse and ragged ones are not); and for those of fixed length the number of steps, int64 [batch].

    Raises:
        ValueError: If no features are described.
        InvalidArgumentError: If a feature list is missing that may not be, or has another type or size.

    >>> from eagercore import train
    >>> steps = [train.Feature(int64_list=train.Int64List(value=[v])) for v in (1, 2)]
    >>> lists = train.FeatureLists(feature_list={"a": train.FeatureList(feature=steps)})
    >>> text = train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> from eagercore.io import FixedLenSequenceFeature
    >>> found = parse_sequence_example([text], None, {"a": FixedLenSequenceFeature([], "int64")})
    >>> found[1]["a"].numpy().tolist(), found[2]["a"].numpy().tolist()
    ([[1, 2]], [2])
    """
    if not (context_features or sequence_features):
        raise ValueError(
            "Both `context_features` and `sequence_features` argument are None, but at least one should have values."
        )
    messages = _messages(serialized, SequenceExample)
    wholes = [m.context.feature for m in messages]
    context = _parsed(wholes, context_features, False) if context_features else {}
    steps: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    for key in sorted(sequence_features or {}):
        spec = sequence_features[key]
        lists = [_steps(m, key, spec, number) for number, m in enumerate(messages)]
        if isinstance(spec, VarLenFeature):
            steps[key] = _sparse(lists, key, spec)
        elif isinstance(spec, RaggedFeature):
            steps[key] = _ragged(lists, key, spec)
        else:
            steps[key] = EagerTensor(_padded(lists, key, spec))
            lengths[key] = EagerTensor(np.array([len(rows) for rows in lists], np.int64))
    return context, steps, lengths


def _steps(message: Any, key: str, spec: Any, number: int) -> list[Any]:
    there = message.feature_lists.feature_list
    if key not in there and not getattr(spec, "allow_missing", True):
        raise errors.value_error(
            "ParseSequenceExample",
            f"Example {number}: Feature list '{key}' is required but could not be found. Did you mean to include it "
            "in allow_missing?",
        )
    return list(there[key].feature) if key in there else []


def _padded(lists: list[list[Any]], key: str, spec: Any) -> np.ndarray:
    dtype, shape = dtypes.as_dtype(spec.dtype), tuple(as_shape(spec.shape))
    longest = max((len(rows) for rows in lists), default=0)
    empty: Any = b"" if dtype.kind == "S" else 0
    out = np.full(
        (len(lists), longest, *shape), empty, object if dtype.kind == "S" else dtype._numpy()
    )
    for number, rows in enumerate(lists):
        if rows:
            made = _fixed(
                [{key: row} for row in rows], key, FixedLenFeature(spec.shape, spec.dtype)
            )
            out[number, : len(rows)] = made
    return out


def _sparse(lists: list[list[Any]], key: str, spec: Any) -> SparseTensor:
    dtype = dtypes.as_dtype(spec.dtype)
    places: list[tuple[int, int, int]] = []
    values: list[Any] = []
    for number, rows in enumerate(lists):
        for step, row in enumerate(rows):
            found = _values(row, dtype, key) or []
            places += [(number, step, place) for place in range(len(found))]
            values += found
    shape = [
        len(lists),
        max((len(rows) for rows in lists), default=0),
        max((place + 1 for _, _, place in places), default=0),
    ]
    return SparseTensor(
        EagerTensor(np.array(places, np.int64).reshape(len(places), 3)),
        EagerTensor(_array(values, dtype, -1)),
        EagerTensor(np.array(shape, np.int64)),
    )


def _ragged(lists: list[list[Any]], key: str, spec: Any) -> RaggedTensor:
    if spec.partitions:
        raise errors.value_error(
            "ParseSequenceExample",
            f"Feature list '{key}': partitions of a RaggedFeature are not read in sequences; divide the values after.",
        )
    dtype = dtypes.as_dtype(spec.dtype)
    rows = [_values(row, dtype, key) or [] for steps in lists for row in steps]
    values = EagerTensor(_array([v for row in rows for v in row], dtype, -1))
    inner = RaggedTensor.from_row_lengths(values, np.array([len(r) for r in rows], np.int64))
    return RaggedTensor.from_row_lengths(inner, np.array([len(s) for s in lists], np.int64))


__all__ = ["parse_sequence_example"]
