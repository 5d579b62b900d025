"""Assertions about tensors: what is compared, what is shown when it does not hold."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.context import context
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from . import arithmetic, compare
from .debug import assert_op
from .index import gather_nd
from .reduce import reduce_all
from .select import true_positions


def _compare(sign, function, x, y, message, summarize, data=None):
    """Holds `function(x, y)` to be true everywhere."""
    x, y = arithmetic.add.admit((x, y)) if context.graph is None else (convert(x), convert(y))
    holds = function(x, y)
    if context.graph is not None:
        template = _prefix(message) + f"Condition x {sign} y did not hold.\nx:\n{{}}\ny:\n{{}}"
        return assert_op([holds, x, y], template=template, summarize=summarize or 3)
    if holds._array.all():
        return None
    raise errors.value_error(
        None, _difference(sign, holds, x, y, message, 3 if summarize is None else summarize, data)
    )


def _prefix(message):
    return f"{message}\n" if message else ""


def _difference(sign, holds, x, y, message, summarize, data):
    if data is not None:
        from .debug import _listed

        return _prefix(message) + "\n".join(_listed(convert(d)._array, summarize) for d in data)
    lines = [_prefix(message) + f"Condition x {sign} y did not hold."]
    if x.shape == y.shape:
        where = true_positions(compare.logical_not(holds))._array
        count = min(len(where), summarize) if summarize >= 0 else len(where)
        where = where[:count]
        lines += [f"Indices of first {count} different values:", str(where)]
        for name, tensor in (("x", x), ("y", y)):
            lines += [
                f"Corresponding {name} values:",
                str(gather_nd(tensor, convert(where))._array),
            ]
    for name, tensor in (("x", x), ("y", y)):
        flat = tensor._array.reshape(-1)
        shown = flat if summarize < 0 else flat[:summarize]
        lines += [f"First {len(shown)} elements of {name}:", str(shown)]
    return "\n".join(lines)


def _pairwise(name, sign, function, words, example):
    def v2(x, y, message=None, summarize=None, name=None):
        return _compare(sign, function, x, y, message, summarize)

    def v1(x, y, data=None, summarize=None, message=None, name=None):
        return _compare(sign, function, x, y, message, summarize, data)

    text = f"""Raises unless {words}, element by element.

    Args:
        x: Tensor.
        y: Tensor of the same dtype; shapes broadcast.
        message: Put in front of the error.
        summarize: How many elements are shown. Default 3; -1 shows all.
        name: Accepted for TensorFlow's sake.

    Returns:
        None in eager execution; in a graph a tensor that must be evaluated.

    Raises:
        InvalidArgumentError: With the positions and the values that differ.

    >>> {name}({example})
    """
    for one in (v1, v2):
        one.__name__ = one.__qualname__ = name
        one.__doc__ = text
    return v1, v2


assert_equal_v1, assert_equal = _pairwise(
    "assert_equal", "==", compare.equal, "x equals y", "[1, 2], [1, 2]"
)
assert_none_equal_v1, assert_none_equal = _pairwise(
    "assert_none_equal", "!=", compare.not_equal, "x differs from y", "[1, 2], [3, 4]"
)
assert_less_v1, assert_less = _pairwise(
    "assert_less", "<", compare.less, "x is less than y", "[1, 2], 3"
)
assert_less_equal_v1, assert_less_equal = _pairwise(
    "assert_less_equal", "<=", compare.less_equal, "x is at most y", "[1, 3], 3"
)
assert_greater_v1, assert_greater = _pairwise(
    "assert_greater", ">", compare.greater, "x is greater than y", "[4, 5], 3"
)
assert_greater_equal_v1, assert_greater_equal = _pairwise(
    "assert_greater_equal", ">=", compare.greater_equal, "x is at least y", "[3, 5], 3"
)


def _against_zero(name, sign, function, words, example):
    def v2(x, message=None, summarize=None, name=None):
        return _sign(sign, function, x, message, summarize)

    def v1(x, data=None, summarize=None, message=None, name=None):
        return _sign(sign, function, x, message, summarize)

    text = f"""Raises unless all elements are {words}.

    Args:
        x: Real tensor.
        message: Put in front of the error.
        summarize: How many elements are shown.
        name: Accepted for TensorFlow's sake.

    Returns:
        None in eager execution; in a graph a tensor that must be evaluated.

    Raises:
        InvalidArgumentError: If an element is not.

    >>> {name}({example})
    """
    for one in (v1, v2):
        one.__name__ = one.__qualname__ = name
        one.__doc__ = text
    return v1, v2


def _sign(sign, function, x, message, summarize):
    x = convert(x)
    holds = function(x, convert(0, x.dtype))
    label = f"{_prefix(message) or chr(10)}Condition x {sign} 0 did not hold element-wise:\n"
    label += f"x (shape={x.shape} dtype={x.dtype.name}) = \n"
    if context.graph is not None:
        return assert_op([holds, x], template=label + "{}", summarize=summarize or 3, plain=True)
    if not holds._array.all():
        flat = x._array.reshape(-1)
        shown = flat if summarize is None or summarize < 0 else flat[:summarize]
        raise errors.value_error(None, label + str([str(v) for v in shown]))
    return None


assert_positive_v1, assert_positive = _against_zero(
    "assert_positive", ">", compare.greater, "positive", "[1, 2]"
)
assert_negative_v1, assert_negative = _against_zero(
    "assert_negative", "<", compare.less, "negative", "[-1, -2]"
)
assert_non_negative_v1, assert_non_negative = _against_zero(
    "assert_non_negative", ">=", compare.greater_equal, "at least 0", "[0, 1]"
)
assert_non_positive_v1, assert_non_positive = _against_zero(
    "assert_non_positive", "<=", compare.less_equal, "at most 0", "[0, -1]"
)


def assert_near(x, y, rtol=None, atol=None, message=None, summarize=None, name=None, data=None):
    """Raises unless `|x - y| <= atol + rtol * |y|`, element by element.

    Args:
        x: Floating tensor.
        y: Tensor of the same dtype; shapes broadcast.
        rtol: Relative tolerance. Default ten times the dtype's precision.
        atol: Absolute tolerance. Default the same.
        message: Put in front of the error.
        summarize: How many elements are shown.
        name: Accepted for TensorFlow's sake.
        data: Accepted for TensorFlow 1's sake.

    Returns:
        None in eager execution; in a graph a tensor that must be evaluated.

    Raises:
        InvalidArgumentError: If they are not near.

    >>> assert_near([1.0, 2.0], [1.0, 2.0000001])
    """
    from .complexes import abs as absolute

    x, y = arithmetic.add.admit((x, y)) if context.graph is None else (convert(x), convert(y))
    wide = x.dtype.real_dtype
    least = (
        10 * float(np.finfo(wide._numpy()).eps)
        if wide.kind == "f" and wide.name != "bfloat16"
        else 1e-2
    )
    rtol = convert(least if rtol is None else rtol, wide)
    atol = convert(least if atol is None else atol, wide)
    holds = compare.less_equal(
        absolute(arithmetic.subtract(x, y)),
        arithmetic.add(atol, arithmetic.multiply(rtol, absolute(y))),
    )
    label = f"{message}.  " if message else ""
    label += f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}\n"
    label += f"x (shape={x.shape} dtype={x.dtype.name}) = \n{{}}\ny (shape={y.shape} dtype={y.dtype.name}) = \n{{}}"
    made = assert_op(
        [reduce_all(holds), x, y],
        template=label,
        summarize=3 if summarize is None else summarize,
        plain=True,
    )
    return None if context.graph is None else made


# ------------------------------------------------------------------------------------------------- shapes and dtypes


def _rank_error(tensor, wanted, message):
    label = f"{message}.  " if message else ""
    name = getattr(tensor, "name", "") if getattr(tensor, "_is_symbolic", False) else ""
    return ValueError(
        f"{label}Tensor {name} must have rank {wanted}.  Received rank {tensor.shape.rank}, shape {tensor.shape}"
    )


def assert_rank(x, rank, message=None, name=None, data=None, summarize=None):
    """Raises ValueError unless `x` has as many dimensions as `rank` says.

    Args:
        x: Tensor.
        rank: Number of dimensions.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.
        data: Accepted for TensorFlow 1's sake.
        summarize: Accepted for TensorFlow 1's sake.

    >>> assert_rank([1.0], 1)
    """
    x = convert(x)
    if x.shape.rank is not None and x.shape.rank != int(rank):
        raise _rank_error(x, int(rank), message)


def assert_rank_at_least(x, rank, message=None, name=None, data=None, summarize=None):
    """Raises ValueError unless `x` has at least `rank` dimensions.

    Args:
        x: Tensor.
        rank: Least number of dimensions.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.
        data: Accepted for TensorFlow 1's sake.
        summarize: Accepted for TensorFlow 1's sake.

    >>> assert_rank_at_least([[1.0]], 1)
    """
    x = convert(x)
    if x.shape.rank is not None and x.shape.rank < int(rank):
        raise _rank_error(x, f"at least {int(rank)}", message)


def assert_rank_in(x, ranks, message=None, name=None, data=None, summarize=None):
    """Raises ValueError unless the number of dimensions of `x` is among `ranks`.

    Args:
        x: Tensor.
        ranks: Numbers of dimensions.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.
        data: Accepted for TensorFlow 1's sake.
        summarize: Accepted for TensorFlow 1's sake.

    >>> assert_rank_in([1.0], [0, 1])
    """
    x = convert(x)
    allowed = tuple(int(r) for r in ranks)
    if x.shape.rank is not None and x.shape.rank not in allowed:
        raise _rank_error(x, f"in {allowed}", message)


def assert_type(tensor, tf_type, message=None, name=None):
    """Raises TypeError unless `tensor` has the dtype `tf_type`.

    Args:
        tensor: Tensor.
        tf_type: Dtype.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.

    >>> assert_type([1.0], dtypes.float32)
    """
    tensor, wanted = convert(tensor), dtypes.as_dtype(tf_type)
    if tensor.dtype is not wanted:
        raise TypeError(
            f"{_prefix(message)}tensor must be of type {wanted!r}; got {tensor.dtype!r}"
        )


def assert_integer(x, message=None, name=None):
    """Raises TypeError unless `x` holds whole numbers.

    Args:
        x: Tensor.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.

    >>> assert_integer([1])
    """
    x = convert(x)
    if not x.dtype.is_integer:
        raise TypeError(
            f'{_prefix(message)}Expected "x" to be integer type.  Found: tensor of dtype {x.dtype}'
        )


def assert_scalar(tensor, message=None, name=None):
    """The tensor, if it is a scalar; else ValueError.

    Args:
        tensor: Tensor.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.

    >>> assert_scalar(1.0).numpy()
    np.float32(1.0)
    """
    tensor = convert(tensor)
    if tensor.shape.rank not in (0, None):
        raise ValueError(f"{message or ''}Expected scalar shape, saw shape: {tensor.shape}.")
    return tensor


def assert_same_float_dtype(tensors=None, dtype=None):
    """The common floating dtype of tensors; ValueError where there is none.

    Args:
        tensors: List of tensors; None entries are left out.
        dtype: Dtype wanted, or None.

    >>> assert_same_float_dtype([convert(1.0)])
    tf.float32
    """
    given = [t for t in tensors or [] if t is not None]
    wanted = (
        dtypes.as_dtype(dtype) if dtype is not None else given[0].dtype if given else dtypes.float32
    )
    for tensor in given:
        if tensor.dtype is not wanted:
            raise ValueError(
                f"{tensor}, type={tensor.dtype}, must be of the same type ({wanted})"
                + ("." if dtype is not None else f" as {given[0]}.")
            )
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted}.")
    return wanted


def assert_proper_iterable(values):
    """Raises TypeError unless `values` is a list or another iterable that is no tensor, array or string.

    Args:
        values: Anything.

    >>> assert_proper_iterable([1, 2])
    """
    if isinstance(values, Tensor | Variable | np.ndarray | str | bytes) or not hasattr(
        values, "__iter__"
    ):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Raises ValueError unless tensors have the shapes that are said, where equal letters stand for equal sizes.

    Args:
        shapes: List of (tensor, shape) pairs, or a dictionary. A shape is a tuple of sizes, letters, `None` or "."
            for any,
            and "..." or `*` in front for any number of dimensions.
        data: Accepted for TensorFlow 1's sake.
        summarize: Accepted for TensorFlow 1's sake.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.

    >>> assert_shapes([(convert([[1.0, 2.0]]), ("N", 2)), (convert([1.0]), ("N",))])
    """
    pairs = list(shapes.items()) if isinstance(shapes, dict) else list(shapes)
    sizes = {}
    for tensor, wanted in pairs:
        tensor = tensor.deref() if hasattr(tensor, "deref") else tensor
        tensor = convert(tensor)
        if not hasattr(wanted, "__iter__"):
            raise ValueError(
                f"{_prefix(message)}{_named(tensor)}.  Specified shape must be an iterable.  An iterable has the "
                f"attribute `__iter__` or `__getitem__`.  Received specified shape: {wanted}"
            )
        _hold_shape(tensor, list(wanted), sizes, message)


def _named(tensor):
    return f"Tensor shape={tensor.shape} dtype={tensor.dtype.name}"


def _hold_shape(tensor, wanted, sizes, message):
    if tensor.shape.rank is None:
        return
    actual = list(tensor.shape)
    open_front = bool(wanted) and wanted[0] in ("...", "*", Ellipsis)
    if open_front:
        wanted = wanted[1:]
    if len(actual) != len(wanted) and not (open_front and len(actual) > len(wanted)):
        least = "at least " if open_front else ""
        raise ValueError(
            f"{_prefix(message)}{_named(tensor)} must have rank {least}{len(wanted)}.  Received rank {len(actual)}, "
            f"shape {tensor.shape}"
        )
    offset = len(actual) - len(wanted)
    for i, symbol in enumerate(wanted):
        size = actual[offset + i]
        if symbol in (None, ".", "None") or size is None:
            continue
        fixed = isinstance(symbol, int) or str(symbol).isdigit()
        known, source = (
            (int(symbol), "Specified explicitly") if fixed else sizes.get(symbol, (None, ""))
        )
        if known is None:
            sizes[symbol] = (
                size,
                f"Specified by {_named(tensor).lower().replace('tensor', 'tensor', 1)} dimension {i}",
            )
        elif known != size:
            raise ValueError(
                f"{_prefix(message)}{source}.  {_named(tensor)} dimension {offset + i} must have size {known}.  "
                f"Received size {size}, shape {tensor.shape}"
            )


def ensure_shape(x, shape, name=None):
    """The tensor itself, if its shape is compatible with `shape`.

    Args:
        x: Tensor.
        shape: Shape, with None for sizes that do not matter.
        name: Accepted for TensorFlow's sake.

    Returns:
        The tensor.

    Raises:
        InvalidArgumentError: If the shape is another.

    >>> ensure_shape([1, 2], [None]).numpy()
    array([1, 2], dtype=int32)
    """
    from ..base.shapes import as_shape
    from .create import identity

    x, wanted = convert(x), as_shape(shape)
    if not x.shape.is_compatible_with(wanted):
        raise errors.shape_error(
            "EnsureShape",
            f"Shape of tensor {getattr(x, 'name', 'input') if getattr(x, '_is_symbolic', False) else 'input'} "
            f"{list(x.shape)} is not compatible with expected shape {wanted}.",
        )
    made = identity(x)
    if getattr(made, "_is_symbolic", False):
        made.set_shape(wanted)
    return made


def is_numeric_tensor(tensor):
    """Whether `tensor` is a tensor of numbers.

    Args:
        tensor: Anything.

    >>> is_numeric_tensor(convert(1))
    True
    """
    return isinstance(tensor, Tensor) and tensor.dtype.kind in "iufc"


def _steps(x):
    from .shape import reshape

    flat = reshape(x, [-1])
    return flat[:-1], flat[1:]


def is_non_decreasing(x, name=None):
    """Whether no element is smaller than the one before it.

    Args:
        x: Real tensor, read in order.
        name: Accepted for TensorFlow's sake.

    >>> is_non_decreasing([1, 1, 2]).numpy()
    np.True_
    """
    before, after = _steps(convert(x))
    return reduce_all(compare.less_equal(before, after))


def is_strictly_increasing(x, name=None):
    """Whether each element is larger than the one before it.

    Args:
        x: Real tensor, read in order.
        name: Accepted for TensorFlow's sake.

    >>> is_strictly_increasing([1, 1, 2]).numpy()
    np.False_
    """
    before, after = _steps(convert(x))
    return reduce_all(compare.less(before, after))
