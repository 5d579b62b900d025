"""Rows of tables by number."""

from __future__ import annotations

from ..base import dtypes
from ..core.tensor import convert
from .arithmetic import floordiv, floormod, maximum, multiply, real_divide, square
from .create import cast, constant, ones_like, zeros_like
from .exponential import sqrt
from .index import _whole, gather
from .reduce import reduce_sum
from .segment import unsorted_segment_sum
from .select import where
from .shape import concat, reshape


def embedding_lookup(
    params, ids, max_norm=None, name=None, partition_strategy="mod", validate_indices=True
):
    """Rows of a table at the positions `ids`.

    Args:
        params: Tensor or variable [n, ...], or a list of its parts.
        ids: Integer tensor, 0-based.
        max_norm: Rows that are longer than this are made shorter; default: they stay.
        name: Accepted for TensorFlow's sake.
        partition_strategy: How the rows are spread over several parts: "mod" (default) or "div".
        validate_indices: Accepted for TensorFlow's sake: indices are always checked.

    Returns:
        Tensor of shape `ids.shape + params.shape[1:]`. The gradient with respect to `params` is `IndexedSlices`.

    Raises:
        InvalidArgumentError: If an id is out of range.

    >>> embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1]).numpy()
    array([[3., 4.]], dtype=float32)
    """
    if isinstance(max_norm, str):  # TensorFlow 1's third argument is the strategy
        partition_strategy, max_norm = max_norm, None
    ids = _whole(ids)
    parts = (
        list(params)
        if isinstance(params, list | tuple) and params and hasattr(params[0], "shape")
        else [params]
    )
    rows = gather(parts[0], ids) if len(parts) == 1 else _from_parts(parts, ids, partition_strategy)
    if max_norm is None:
        return rows
    return _clipped(rows, max_norm, ids.shape.rank)


def _from_parts(parts, ids, strategy):
    count = len(parts)
    if strategy == "mod":
        # Row i stands in part i % count: side by side along a new axis they are in order.
        number = constant(count, ids.dtype)
        return _pick(parts, floormod(ids, number), floordiv(ids, number))
    if strategy != "div":
        raise ValueError(
            f"Unrecognized partition strategy: {strategy}. Must be one of either `mod` or `div`."
        )
    return gather(concat([convert(p) for p in parts], axis=0), ids)


def _pick(parts, part, row):
    """Row `row` of the part `part`, where the parts may have different lengths."""
    starts, total = [], 0
    for p in parts:
        starts.append(total)
        total += p.shape[0]
    whole = concat([convert(p) for p in parts], axis=0)
    return gather(whole, gather(constant(starts, part.dtype), part) + row)


def _clipped(rows, max_norm, lead):
    axes = list(range(lead, rows.shape.rank))
    total = reduce_sum(square(rows), axis=axes, keepdims=True)
    positive = total > 0
    length = where(positive, sqrt(where(positive, total, ones_like(total))), total)
    bound = constant(float(max_norm), rows.dtype)
    return real_divide(multiply(rows, bound), maximum(length, bound))


def embedding_lookup_sparse(
    params, sp_ids, sp_weights, combiner=None, max_norm=None, name=None, allow_fast_lookup=False,
    partition_strategy="mod",
):  # fmt: skip
    """Rows of a table at sparse ids, combined for each row of ids.

    Args:
        params: Tensor or variable [n, ...], or a list of its parts.
        sp_ids: `SparseTensor` [batch, ...] of ids (or a `RaggedTensor`).
        sp_weights: `SparseTensor` of weights of the same form, or None for ones.
        combiner: "mean" (default), "sum" or "sqrtn".
        max_norm: Rows that are longer than this are made shorter first; default: they stay.
        name: Accepted for TensorFlow's sake.
        allow_fast_lookup: Accepted for TensorFlow's sake.
        partition_strategy: How the rows are spread over several parts: "mod" (default) or "div".

    Returns:
        Tensor [batch, ...].

    Raises:
        ValueError: If the combiner is unknown.

    >>> from eagercore.ops.sparse import from_dense
    >>> embedding_lookup_sparse([[1.0], [3.0]], from_dense([[1, 1]]), None, combiner="sum").numpy()
    array([[6.]], dtype=float32)
    """
    combiner = combiner or "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    segments, ids, batch = _ids_of(sp_ids)
    rows = embedding_lookup(params, ids, max_norm=max_norm, partition_strategy=partition_strategy)
    if sp_weights is None:
        weights = ones_like(cast(ids, rows.dtype))
    else:
        given = getattr(sp_weights, "flat_values", None)
        weights = cast(convert(sp_weights.values if given is None else given), rows.dtype)
    extra = rows.shape.rank - 1
    spread = reshape(weights, (-1, *[1] * extra))
    total = unsorted_segment_sum(multiply(rows, spread), segments, num_segments=batch)
    if combiner == "sum":
        return total
    amounts = weights if combiner == "mean" else square(weights)
    norm = unsorted_segment_sum(amounts, segments, num_segments=batch)
    norm = norm if combiner == "mean" else sqrt(norm)
    norm = reshape(norm, (-1, *[1] * extra))
    from .division import divide_no_nan

    return divide_no_nan(total, norm)


def _ids_of(sp_ids):
    """(row of each id, ids, number of rows)."""
    if hasattr(sp_ids, "value_rowids"):
        return cast(sp_ids.value_rowids(), dtypes.int64), sp_ids.values, int(sp_ids.nrows())
    if not hasattr(sp_ids, "dense_shape"):
        raise TypeError(
            f"sp_ids must be a SparseTensor or a RaggedTensor, got {type(sp_ids).__name__}."
        )
    return sp_ids.indices[:, 0], sp_ids.values, int(sp_ids.dense_shape[0])


def safe_embedding_lookup_sparse(
    embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None, max_norm=None, name=None,
    allow_fast_lookup=False, partition_strategy="div",
):  # fmt: skip
    """As `embedding_lookup_sparse`, without ids below 0, and with a row for examples that have none.

    Args:
        embedding_weights: Tensor or variable [n, ...], or a list of its parts.
        sparse_ids: `SparseTensor` [batch, ...] of ids.
        sparse_weights: `SparseTensor` of weights, or None; ids whose weight is not positive are left out.
        combiner: "mean" (default), "sum" or "sqrtn".
        default_id: Id for examples without any; default: zeros.
        max_norm: Rows that are longer than this are made shorter first.
        name: Accepted for TensorFlow's sake.
        allow_fast_lookup: Accepted for TensorFlow's sake.
        partition_strategy: How the rows are spread over several parts.

    Returns:
        Tensor [batch, ...].

    >>> from eagercore.ops.sparse import SparseTensor
    >>> ids = SparseTensor([[0, 0]], [1], [2, 1])
    >>> safe_embedding_lookup_sparse([[1.0], [3.0]], ids).numpy()
    array([[3.],
           [0.]], dtype=float32)
    """
    from .compare import logical_and
    from .sparse import retain

    keep = sparse_ids.values >= zeros_like(sparse_ids.values)
    if sparse_weights is not None and combiner != "sum":
        keep = logical_and(keep, sparse_weights.values > 0)
    ids = retain(sparse_ids, keep)
    weights = None if sparse_weights is None else retain(sparse_weights, keep)
    made = embedding_lookup_sparse(
        embedding_weights, ids, weights, combiner, max_norm, partition_strategy=partition_strategy
    )
    if default_id is None:
        return made
    segments, values, batch = _ids_of(ids)
    counts = unsorted_segment_sum(ones_like(values), segments, num_segments=batch)
    row = embedding_lookup(
        embedding_weights, [default_id], max_norm=max_norm, partition_strategy=partition_strategy
    )
    empty = reshape(counts <= 0, (-1, *[1] * (made.shape.rank - 1)))
    return where(empty, row, made)
