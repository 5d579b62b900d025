"""Variables by TensorFlow 1's functions: get_variable, assign, scatter_update ..."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.context import context
from ...base.shapes import as_shape
from ...core.slices import IndexedSlices
from ...core.tensor import convert
from ...core.variable import Variable
from ...graph.default import GraphKeys


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Variable:
    """A variable of the current variable scope; in eager execution a new one at each call.

    Inside a `tfe.EagerVariableStore` or `tf.make_template` the variable of that name is shared; in graph mode the scope
    says whether it may be.

    Args:
        name: Name.
        shape: Shape; may be left out where `initializer` is a value.
        dtype: Type of the elements. Default float32.
        initializer: Function of (shape, dtype), or a value. Default the scope's, else Glorot's uniform distribution.
        regularizer: Penalty; in graph mode added to the regularization losses.
        trainable: Whether tapes watch it.
        collections: Collections of the graph in which it is put. Default the global variables, and the trainable
            ones where it is trainable.
        caching_device: Accepted for TensorFlow's sake.
        partitioner: Accepted for TensorFlow's sake.
        validate_shape: Accepted for TensorFlow's sake.
        use_resource: Accepted for TensorFlow's sake.
        custom_getter: Function `getter(getter, name, ...)` that may replace the variable.
        constraint: Function that an optimizer applies to the value.
        synchronization: Accepted for TensorFlow's sake.
        aggregation: Accepted for TensorFlow's sake.

    Returns:
        Variable.

    Raises:
        ValueError: If neither a shape nor a value is given.

    >>> get_variable("weights", [2], initializer=lambda shape, dtype=None: [1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    from .scopes import current_scope

    options = {
        "shape": shape, "dtype": dtype, "initializer": initializer, "regularizer": regularizer, "trainable": trainable,
        "constraint": constraint, "collections": collections,
    }  # fmt: skip
    return current_scope().get_variable(name, custom_getter=custom_getter, **options)


def get_local_variable(name: str, *args: Any, **options: Any) -> Variable:
    """`get_variable` of a variable that is not trained, and that `tf.local_variables_initializer` initializes.

    Args:
        name: Name.
        *args: Further arguments of `get_variable`.
        **options: Named arguments of `get_variable`.

    Returns:
        Variable.

    >>> get_local_variable("seen", [2], initializer=lambda shape, dtype=None: [1.0, 2.0]).trainable
    False
    """
    if len(args) < 5:
        options["trainable"] = False
    if len(args) < 6 and options.get("collections") is None:
        options["collections"] = [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, *args, **options)


def make_variable(
    name: str,
    shape: Any,
    dtype: Any,
    initializer: Any,
    trainable: bool | None,
    constraint: Any,
    name_is_full: bool = True,
    collections: Any = None,
) -> Variable:
    """A new variable whose first value an initializer gives; see `get_variable` for the arguments."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if initializer is None:
        initializer = default_initializer(wanted or dtypes.float32)
    if isinstance(initializer, type):
        initializer = initializer()
    if callable(initializer) and shape is None:
        raise ValueError(
            f"Shape of a new variable ({name}) must be fully defined, but instead was None: give shape=."
        )
    if callable(initializer):
        wanted = wanted or dtypes.float32
        size = as_shape(shape)
        if not size.is_fully_defined():
            raise ValueError(
                f"Shape of a new variable ({name}) must be fully defined, but instead was {size}."
            )

        def value() -> Any:
            return _call_initializer(initializer, size.as_list(), wanted)
    else:
        made = convert(initializer, wanted)
        if shape is not None and not as_shape(shape).is_compatible_with(made.shape):
            raise ValueError(
                f"The initializer's shape ({made.shape}) is not compatible with the shape "
                f"{as_shape(shape)} of variable {name}."
            )
        value = made
    before, context.name_scopes = context.name_scopes, ()
    try:
        return Variable(
            value, trainable=trainable, name=name, dtype=wanted, constraint=constraint, collections=collections
        )  # fmt: skip
    finally:
        context.name_scopes = before


def _call_initializer(initializer: Any, shape: Any, dtype: Any) -> Any:
    try:
        return initializer(shape, dtype=dtype)
    except TypeError as error:
        if "dtype" not in str(error) and "partition" not in str(error):
            raise
        return initializer(shape)


def default_initializer(dtype: Any) -> Any:
    """What fills a variable that has no initializer: Glorot's uniform distribution, zeros for whole numbers."""
    from ...keras import initializers

    return initializers.get("glorot_uniform") if dtype.is_floating else initializers.get("zeros")


# ------------------------------------------------------------------------------------------------------- assignments


def assign(
    ref: Variable,
    value: Any,
    validate_shape: bool = True,
    use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """Replaces the value of a variable.

    Args:
        ref: The variable.
        value: New value.
        validate_shape: Accepted for TensorFlow's sake.
        use_locking: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    >>> v = Variable(1.0)
    >>> assign(v, 4.0).numpy()
    np.float32(4.0)
    """
    return ref.assign(value)


def assign_add(ref: Variable, value: Any, use_locking: Any = None, name: str | None = None) -> Any:
    """Adds to the value of a variable.

    Args:
        ref: The variable.
        value: What is added.
        use_locking: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    >>> v = Variable(1.0)
    >>> assign_add(v, 4.0).numpy()
    np.float32(5.0)
    """
    return ref.assign_add(value)


def assign_sub(ref: Variable, value: Any, use_locking: Any = None, name: str | None = None) -> Any:
    """Subtracts from the value of a variable.

    Args:
        ref: The variable.
        value: What is subtracted.
        use_locking: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    >>> v = Variable(1.0)
    >>> assign_sub(v, 4.0).numpy()
    np.float32(-3.0)
    """
    return ref.assign_sub(value)


def _scatter(method: str, words: str) -> Any:
    def scatter(
        ref: Variable,
        indices: Any,
        updates: Any,
        use_locking: bool = False,
        name: str | None = None,
    ) -> Any:
        updates = convert(updates, None if hasattr(updates, "_read_array") else ref.dtype)
        return getattr(ref, method)(IndexedSlices(updates, convert(indices)))

    scatter.__name__ = scatter.__qualname__ = method
    scatter.__doc__ = f"""{words} rows of a variable.

    Args:
        ref: The variable.
        indices: Which rows.
        updates: One value for each index.
        use_locking: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        The variable.
    """
    return scatter


scatter_add = _scatter("scatter_add", "Adds to")
scatter_sub = _scatter("scatter_sub", "Subtracts from")
scatter_mul = _scatter("scatter_mul", "Multiplies")
scatter_div = _scatter("scatter_div", "Divides")
scatter_max = _scatter("scatter_max", "Keeps the larger of")
scatter_min = _scatter("scatter_min", "Keeps the smaller of")
scatter_update = batch_scatter_update = _scatter("scatter_update", "Sets")


def _scatter_nd(method: str, words: str) -> Any:
    def scatter(
        ref: Variable, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
    ) -> Any:
        return getattr(ref, method)(indices, updates)

    scatter.__name__ = scatter.__qualname__ = method
    scatter.__doc__ = f"""{words} elements or slices of a variable.

    Args:
        ref: The variable.
        indices: Positions [..., rank of the index].
        updates: Values.
        use_locking: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        The variable.
    """
    return scatter


scatter_nd_add = _scatter_nd("scatter_nd_add", "Adds to")
scatter_nd_sub = _scatter_nd("scatter_nd_sub", "Subtracts from")
scatter_nd_update = _scatter_nd("scatter_nd_update", "Sets")


def count_up_to(ref: Variable, limit: int, name: str | None = None) -> Any:
    """Adds one to a variable.

    Args:
        ref: Integer variable.
        limit: The value that may not be passed.
        name: Accepted for TensorFlow's sake.

    Returns:
        The value before.

    Raises:
        OutOfRangeError: If the limit is reached.
    """
    from ...base.errors import OutOfRangeError

    def checked(value: Any) -> Any:
        if value >= limit:
            raise OutOfRangeError(f"Reached limit of {limit} [Op:CountUpTo]", op="CountUpTo")
        return value

    graph = context.graph
    if graph is None:
        value = ref.value()
        checked(int(value))
        ref.assign_add(1)
        return value
    from ...graph.python_calls import numpy_function
    from ...ops.create import identity

    value = numpy_function(checked, [ref.value()], ref.dtype)
    value.set_shape(ref.shape)
    with graph.control_dependencies([value]):
        added = ref.assign_add(1)
    with graph.control_dependencies([added]):
        return identity(value)


def is_variable_initialized(ref: Variable, name: str | None = None) -> Any:
    """Whether a variable has a value: always, in eager execution."""
    return ref.is_initialized()
