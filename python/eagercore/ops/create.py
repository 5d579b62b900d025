"""Tensors from nothing: constants, zeros and ones, ranges; and the ops that hand their input on."""

from __future__ import annotations

import numpy as np

from ..backend import blocks
from ..base import dtypes, errors
from ..base.context import context
from ..core import coerce
from ..core.coerce import DType
from ..core.op import elementwise, movement, op
from ..core.tensor import EagerTensor, Ghost, Tensor, convert, plain_numbers, to_array

_FLOAT32 = np.dtype(np.float32)


def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor that holds `value`.

    Args:
        value: Number, string, nested list or array.
        dtype: Type of the elements; default by the value: Python floats give float32, ints int32, arrays keep theirs.
        shape: Shape; a single value fills it, else the number of elements must fit.
        name: Name of the node in a graph.

    Returns:
        Tensor. Arrays are copied.

    Raises:
        TypeError: If the value does not fit the dtype or the shape.
        ValueError: If the value is ragged, of mixed types, or no tensor can hold it.

    >>> constant([1, 2, 3]).numpy()
    array([1, 2, 3], dtype=int32)
    """
    if dtype is None and shape is None and context.graph is None:
        if type(value) is float:
            small = -3.4e38 < value < 3.4e38
            return EagerTensor(np.array(value, _FLOAT32) if small else to_array(value))
        if type(value) is np.ndarray:
            return EagerTensor(to_array(value))
        if type(value) is list:
            array = plain_numbers(value)
            if array is not None:
                return EagerTensor(array)
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) or hasattr(value, "_read_array"):
        if getattr(value, "_is_symbolic", False):
            return value if shape is None else _reshape(value, shape)
        if wanted not in (None, value.dtype):
            raise TypeError(
                f"Expected tensor with type {wanted!r} not {value.dtype!r}: tf.constant keeps a tensor's dtype, "
                f"tf.cast(x, tf.{wanted.name}) changes it."
            )
        if isinstance(value, Tensor) and context.graph is None:
            return value if shape is None else _reshape(value, shape)
        array = value._read_array()
        array = array if wanted is None or wanted is value.dtype else array.astype(wanted._numpy())
    elif isinstance(value, list | tuple) and any(isinstance(v, Tensor) for v in value):
        packed = convert(value, wanted)
        return packed if shape is None else _reshape(packed, shape)
    else:
        array = to_array(value, wanted)
    if shape is not None:
        array = _fit(array, coerce.as_shape(shape, "constant", "shape"))
    made = EagerTensor(array)
    return made if context.graph is None else context.graph.constant(made, name)


def _reshape(value, shape):
    from .shape import reshape

    return reshape(value, shape)


def _fit(array, shape):
    count = int(np.prod(shape, dtype=np.int64))
    if array.size == 1 and array.ndim == 0 or array.size == 1 and count != 1:
        return np.full(shape, array.reshape(())[()], array.dtype)
    if array.size != count:
        raise TypeError(
            "Eager execution of tf.constant with unsupported shape (value has "
            f"{array.size} elements, shape is {tuple(shape)} with {count} elements)."
        )
    return array.reshape(shape)


def convert_to_tensor(
    value, dtype=None, dtype_hint=None, name=None, preferred_dtype=None, as_ref=False
):
    """`value` as a tensor: tensors pass, everything else is converted.

    Args:
        value: Tensor, variable, array, number, string or nested list, which may hold tensors.
        dtype: Type wanted; an error when the value is a tensor of another.
        dtype_hint: Type to try first; where it does not fit the value's own is taken.
        name: Accepted for TensorFlow's sake.
        preferred_dtype: TensorFlow 1's name of `dtype_hint`.
        as_ref: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    Raises:
        ValueError: If it cannot be converted, or a tensor has another dtype than `dtype`.

    >>> convert_to_tensor([1.0, 2.0]).dtype
    tf.float32
    """
    hint = dtype_hint if dtype_hint is not None else preferred_dtype
    if dtype is None and hint is not None:
        try:
            return convert(value, hint)
        except (TypeError, ValueError):
            return convert(value)
    return convert(value, dtype)


def is_symbolic_tensor(tensor):
    """Whether `tensor` is a tensor of a graph, which has no value yet.

    Args:
        tensor: Anything.

    Returns:
        bool.

    >>> is_symbolic_tensor(constant(1))
    False
    """
    return isinstance(tensor, Tensor) and coerce.is_symbolic(tensor)


def _full(shape, value, dtype, op_name, name=None):
    dtype = dtypes.as_dtype(dtype)
    shape = coerce.as_shape(shape, op_name, "shape")
    if coerce.is_symbolic(shape):
        return broadcast_dynamic(value, dtype, shape)
    if shape is not None and any(d is None or d < 0 for d in shape):
        raise errors.shape_error(
            op_name, f"{op_name}: every dimension must be known and >= 0, got {shape}."
        )
    filler = b"" if dtype.kind == "S" else value
    array = (
        np.zeros(shape, dtype._numpy())
        if value == 0 and dtype.kind != "S"
        else np.full(shape, filler, dtype._numpy())
    )
    made = EagerTensor(array)
    return made if context.graph is None else context.graph.constant(made, name or op_name)


def broadcast_dynamic(value, dtype, shape):
    """A tensor of one value whose shape is known only when the graph runs."""
    from .sum_to import broadcast_to

    return broadcast_to(constant(value, dtype), shape=shape)


def zeros(shape, dtype=dtypes.float32, name=None, layout=None):
    """Tensor of zeros (empty strings for `tf.string`, False for `tf.bool`).

    Args:
        shape: Whole numbers, or a tensor of them.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.
        layout: Accepted for TensorFlow's sake.

    >>> zeros([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    return _full(shape, 0, dtype, "zeros", name)


def ones(shape, dtype=dtypes.float32, name=None, layout=None):
    """Tensor of ones.

    Args:
        shape: Whole numbers, or a tensor of them.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.
        layout: Accepted for TensorFlow's sake.

    >>> ones([2]).numpy()
    array([1., 1.], dtype=float32)
    """
    return _full(shape, 1, dtype, "ones", name)


def fill(dims, value, name=None, layout=None):
    """Tensor of shape `dims` filled with one value.

    Args:
        dims: Shape.
        value: The value; its dtype is the result's.
        name: Accepted for TensorFlow's sake.
        layout: Accepted for TensorFlow's sake.

    >>> fill([2], 7).numpy()
    array([7, 7], dtype=int32)
    """
    from .sum_to import broadcast_to

    value = convert(value)
    if value.shape.rank not in (0, None):
        raise errors.shape_error("Fill", f"value must be a scalar. Got shape {value.shape}.")
    return broadcast_to(value, shape=coerce.as_shape(dims, "fill", "dims"))


@elementwise(differentiable=False)
def zeros_like_op(xp, x, *, dtype: DType = None):
    """Zeros in the shape of `x`.

    Args:
        x: Tensor of any dtype.
        dtype: Type of the elements; default that of `x`.

    Returns:
        Tensor of the shape of `x`.

    >>> zeros_like_op([1.0, 2.0]).numpy()
    array([0., 0.], dtype=float32)
    """
    if (dtype or dtypes.of_array(x)).kind == "S":
        return np.full(x.shape, b"", object)
    return xp.zeros(x.shape, x.dtype if dtype is None else dtype._numpy())


@elementwise(differentiable=False)
def ones_like_op(xp, x, *, dtype: DType = None):
    """Ones in the shape of `x`.

    Args:
        x: Tensor of any dtype.
        dtype: Type of the elements; default that of `x`.

    Returns:
        Tensor of the shape of `x`.

    >>> ones_like_op([1.0, 2.0]).numpy()
    array([1., 1.], dtype=float32)
    """
    kind = x.dtype if dtype is None else dtype._numpy()
    return blocks.ones(x.shape, kind) if xp is np else xp.ones(x.shape, kind)


def _like(tensor, value, dtype, node):
    if type(tensor) is Ghost and tensor.shape.is_fully_defined():
        return _full(tuple(tensor.shape), value, dtype or tensor.dtype, "zeros_like")
    return node(tensor, dtype=dtype)


def zeros_like(input, dtype=None, name=None, optimize=True, tensor=None, layout=None):
    """Zeros in the shape (and, unless `dtype` is given, the dtype) of a tensor.

    Args:
        input: Tensor.
        dtype: Type of the elements; default that of `input`.
        name: Accepted for TensorFlow's sake.
        optimize: Accepted for TensorFlow's sake.
        tensor: TensorFlow 1's name of `input`.
        layout: Accepted for TensorFlow's sake.

    >>> zeros_like([1, 2]).numpy()
    array([0, 0], dtype=int32)
    """
    return _like(input if tensor is None else tensor, 0, dtype, zeros_like_op)


def ones_like(input, dtype=None, name=None, optimize=True, tensor=None, layout=None):
    """Ones in the shape (and, unless `dtype` is given, the dtype) of a tensor.

    Args:
        input: Tensor.
        dtype: Type of the elements; default that of `input`.
        name: Accepted for TensorFlow's sake.
        optimize: Accepted for TensorFlow's sake.
        tensor: TensorFlow 1's name of `input`.
        layout: Accepted for TensorFlow's sake.

    >>> ones_like([1, 2]).numpy()
    array([1, 1], dtype=int32)
    """
    return _like(input if tensor is None else tensor, 1, dtype, ones_like_op)


@movement
def identity(xp, input):
    """The tensor itself, as a new tensor.

    Args:
        input: Tensor of any dtype.

    Returns:
        Tensor of the same values.

    >>> identity([1, 2]).numpy()
    array([1, 2], dtype=int32)
    """
    return input


@identity.vjp
def identity_vjp(dy, _y, _x):
    return dy


@identity.vjp_of_arrays
def identity_arrays(dy, _y, _x):
    return dy


@identity.samples
def identity_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}


@movement(differentiable=False)
def stop_gradient(xp, input):
    """The tensor itself, through which no gradient flows back.

    Args:
        input: Tensor of any dtype.

    Returns:
        Tensor of the same values.

    >>> stop_gradient([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return input


@stop_gradient.samples
def stop_gradient_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}


@elementwise(label="Cast", aliases={"DstT": "dtype"})
def cast_op(xp, x, *, dtype: DType):
    """The elements as another type.

    Args:
        x: Tensor.
        dtype: Type of the result; floats become ints towards zero.

    Returns:
        Tensor of the shape of `x`.

    >>> cast_op([1.7, -1.7], dtype="int32").numpy()
    array([ 1, -1], dtype=int32)
    """
    if dtype.kind == "S" or x.dtype == object:
        old = "string" if x.dtype == object else x.dtype.name
        raise errors.UnimplementedError(
            f"Cast {old} to {dtype.name} is not supported: use tf.strings.to_number or tf.strings.as_string. [Op:Cast]",
            op="Cast",
        )
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return x.astype(dtype._numpy())


@cast_op.vjp
def cast_op_vjp(dy, _y, _x, *, dtype):
    if _x.dtype.kind not in "fc" or dtype.kind not in "fc":
        return None
    return cast(dy, _x.dtype)


@cast_op.samples
def cast_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"dtype": dtypes.float64}


def cast(x, dtype, name=None):
    """The elements of `x` as another type.

    Args:
        x: Tensor, `IndexedSlices`, or anything that converts to a tensor.
        dtype: Type of the result; floats become ints towards zero.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `x`.

    Raises:
        TypeError: If `dtype` names no type.

    >>> cast([1.7, -1.7], "int32").numpy()
    array([ 1, -1], dtype=int32)
    """
    wanted = dtypes.as_dtype(dtype)
    if hasattr(x, "dense_shape") and hasattr(x, "values"):
        return type(x)(cast(x.values, wanted), x.indices, x.dense_shape)
    if not isinstance(x, Tensor):
        x = convert(x)
    return x if x.dtype is wanted else cast_op(x, dtype=wanted)


@op(differentiable=False, kinds="iuf", data_dependent=True)
def range_op(xp, start, limit, delta):
    """Numbers from `start` up to, not including, `limit`, by `delta`.

    Args:
        start: First number, a scalar.
        limit: Bound, a scalar.
        delta: Step, a scalar.

    Returns:
        Tensor of rank 1.

    >>> range_op(1, 7, 2).numpy()
    array([1, 3, 5], dtype=int32)
    """
    if delta == 0:
        raise errors.value_error("Range", "Requires delta != 0: 0")
    if (limit - start) * delta < 0:
        order, sign = ("<=", ">") if delta > 0 else (">=", "<")
        raise errors.value_error(
            "Range", f"Requires start {order} limit when delta {sign} 0: {start}/{limit}"
        )
    return xp.arange(start[()], limit[()], delta[()]).astype(start.dtype)


@range_op.shape_rule
def range_rule(start, limit, delta):
    from ..base.shapes import TensorSpec

    return TensorSpec([None], start.dtype)


@range_op.samples
def range_samples(rng):
    yield (np.float64(0), np.float64(5), np.float64(2)), {}


def range_(start, limit=None, delta=1, dtype=None, name="range"):
    """Numbers from `start` up to, not including, `limit`, by `delta`.

    Args:
        start: First number; with one argument the limit, and the first number is 0.
        limit: Bound.
        delta: Step. Default 1.
        dtype: Type of the result; default that of the arguments: int32 for ints, float32 for floats.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of rank 1.

    Raises:
        InvalidArgumentError: If `delta` is 0 or leads away from `limit`.

    >>> range_(3).numpy()
    array([0, 1, 2], dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    parts = [start, limit, delta]
    if dtype is None:
        kinds = [convert(p).dtype for p in parts]
        dtype = max(kinds, key=lambda d: [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64].index(d) if d in
                    (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64) else -1)  # fmt: skip
    if context.graph is not None and all(type(p) in (int, float) for p in parts):
        known = range_op.run(*(to_array(p, dtypes.as_dtype(dtype)) for p in parts))
        return context.graph.constant(EagerTensor(known), name)
    start, limit, delta = (cast(convert(p), dtype) for p in parts)
    return range_op(start, limit, delta)


def linspace(start, stop, num, name=None, axis=0):
    """`num` numbers from `start` to `stop`, both included, at equal distances.

    Args:
        start: First number: floating tensor.
        stop: Last number, of the same shape and dtype.
        num: How many.
        name: Accepted for TensorFlow's sake.
        axis: Axis along which the numbers go. Default 0.

    Returns:
        Tensor whose rank is one more than that of `start`.

    >>> linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    from .arithmetic import add, multiply, subtract
    from .shape import expand_dims, reshape

    num = coerce.as_int(num, "linspace", "num")
    if num < 0:
        raise errors.value_error("LinSpace", f"Requires num >= 0: {num}")
    start, stop = convert(start), convert(stop)
    dtype = dtypes.float64 if start.dtype.is_integer else start.dtype
    start, stop = cast(start, dtype), cast(stop, dtype)
    parts = np.arange(num) / max(num - 1, 1)
    rank = start.shape.rank or 0
    shape = [1] * (rank + 1)
    axis = axis if axis >= 0 else axis + rank + 1
    shape[axis] = num
    weights = reshape(constant(parts.astype(dtype._numpy())), shape)
    start, stop = expand_dims(start, axis), expand_dims(stop, axis)
    return add(multiply(start, subtract(1, weights)), multiply(stop, weights))


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Identity matrix, or a batch of them.

    Args:
        num_rows: Number of rows.
        num_columns: Number of columns; default `num_rows`.
        batch_shape: Shape of the batch in front, or None.
        dtype: Type of the elements. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [*batch_shape, num_rows, num_columns].

    >>> eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    rows = coerce.as_int(num_rows, "eye", "num_rows")
    columns = coerce.as_int(num_columns, "eye", "num_columns")
    made = constant(np.eye(rows, columns, dtype=dtypes.as_dtype(dtype)._numpy()))
    if batch_shape is None:
        return made
    from .sum_to import broadcast_to

    batch = coerce.as_shape(batch_shape, "eye", "batch_shape")
    return broadcast_to(made, shape=(*batch, rows, rows if columns is None else columns))


def shape_of(input):
    """Shape of a tensor as a tuple of ints, with a symbolic tensor where a dimension is not known.

    Args:
        input: Tensor.

    Returns:
        Tuple; its entries go anywhere a shape goes.
    """
    if input.shape.is_fully_defined():
        return tuple(input.shape)
    from .shape import shape as shape_op

    dynamic = shape_op(input)
    if input.shape.rank is None:
        return dynamic
    return tuple(dynamic[i] if d is None else d for i, d in enumerate(input.shape))


def count_of(input, axes):
    """Number of elements of a tensor along some axes, as a float; a scalar tensor where a dimension is not known.

    Args:
        input: Floating tensor.
        axes: Axes, 0-based.

    >>> count_of(constant([[1.0, 2.0]]), (0, 1))
    2.0
    """
    dims = shape_of(input)
    known, unknown = 1, None
    for axis in axes:
        if isinstance(dims[axis], int):
            known *= dims[axis]
        else:
            unknown = dims[axis] if unknown is None else unknown * dims[axis]
    return float(known) if unknown is None else cast(unknown, input.dtype) * float(known)
