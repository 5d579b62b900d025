"""Training and test phase, conditions, loops, gradients."""

from __future__ import annotations

from typing import Any

from ...base import nest
from ...core.tensor import Tensor, convert
from ...graph import control, loops
from ...ops.create import cast
from ...ops.debug import print_
from ...ops.select import where
from ...ops.shape import expand_dims
from ..calls import calls

__all__ = [
    "foldl", "foldr", "function", "gradients", "in_test_phase", "in_train_phase", "is_placeholder", "is_sparse",
    "is_tensor", "learning_phase", "manual_variable_initialization", "map_fn", "moving_average_update", "placeholder",
    "print_tensor", "set_learning_phase", "switch", "to_dense",
]  # fmt: skip


def learning_phase() -> Any:
    """1 in training, 0 otherwise: what `training` is for layers that are not given it."""
    if calls.training is not None:
        return int(bool(calls.training))
    return int(bool(calls.phase))


def set_learning_phase(value: Any) -> None:
    """Sets what `training` is for layers that are not given it: 0 or 1, or None for nothing.

    Raises:
        ValueError: If it is something else.
    """
    if value not in (0, 1, None):
        raise ValueError(f"Expected learning phase to be 0 or 1. Received: {value}")
    calls.phase = None if value is None else bool(value)


def _chosen(x: Any) -> Any:
    return x() if callable(x) and not isinstance(x, Tensor) else x


def in_train_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`x` in training, else `alt`; each a tensor, or a function of no arguments that gives it."""
    training = learning_phase() if training is None else training
    return _chosen(x) if training else _chosen(alt)


def in_test_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`x` outside of training, else `alt`."""
    return in_train_phase(alt, x, training)


def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two tensors (or of what two functions give), by a condition: a scalar, or one for each element."""
    condition = cast(convert(condition), "bool")
    if condition.shape.rank == 0:
        return control.cond(
            condition, lambda: _chosen(then_expression), lambda: _chosen(else_expression)
        )
    then, other = _chosen(then_expression), _chosen(else_expression)
    while condition.shape.rank < convert(then).shape.rank:
        condition = expand_dims(condition, axis=-1)
    return where(condition, then, other)


def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """What a function gives for each row, stacked."""
    return loops.map_fn(fn, elems, dtype=dtype)


def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """Joins rows by a function of (result so far, row), from the first to the last."""
    return loops.foldl(fn, elems, initializer=initializer)


def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """Joins rows by a function of (result so far, row), from the last to the first."""
    return loops.foldr(fn, elems, initializer=initializer)


def gradients(loss: Any, variables: Any) -> Any:
    """Gradients of a function of no arguments, or of a loss that was computed under a recording tape.

    Args:
        loss: Function of no arguments that computes the loss.
        variables: Variable, or a list of variables.

    Raises:
        RuntimeError: If a tensor is given: in eager execution it does not know how it was computed.
    """
    if not callable(loss) or isinstance(loss, Tensor):
        raise RuntimeError(
            "K.gradients in eager execution takes a function of no arguments that computes the loss; for a tensor use "
            "tf.GradientTape."
        )
    from ...autodiff.tape import GradientTape

    with GradientTape() as tape:
        tape.watch(variables)
        value = loss()
    return tape.gradient(value, variables)


def function(
    inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any
) -> Any:
    """A function that gives NumPy arrays for the symbolic outputs of a functional model.

    Args:
        inputs: List of symbolic inputs.
        outputs: Symbolic outputs.
        updates: Accepted for Keras's sake.
        name: Name.
        **kwargs: Accepted for Keras's sake.
    """
    from ..models import Model

    single = not isinstance(outputs, list | tuple)
    model = Model(list(inputs), outputs if single else list(outputs))

    def run(values: Any) -> Any:
        found = model(list(values) if len(inputs) > 1 else values[0])
        return nest.map_structure(lambda t: t.numpy(), found)

    return run


def placeholder(
    shape: Any = None,
    ndim: int | None = None,
    dtype: Any = None,
    sparse: bool = False,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """A symbolic input of a functional model, by its whole shape."""
    from ..layers import Input

    dims = [None] * int(ndim) if shape is None and ndim is not None else shape
    return Input(batch_shape=dims, dtype=dtype, name=name)


def is_placeholder(x: Any) -> bool:
    """Whether `x` is a symbolic input."""
    node = getattr(x, "node", None)
    return node is not None and not node.inputs


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor or a variable."""
    return isinstance(x, Tensor) or hasattr(x, "_read_array")


def is_sparse(tensor: Any) -> bool:
    """Whether it is a sparse tensor."""
    return type(tensor).__name__ == "SparseTensor"


def to_dense(tensor: Any) -> Any:
    """A sparse tensor as a dense one, others as they are."""
    if not is_sparse(tensor):
        return tensor
    from ...ops.sparse import to_dense as dense

    return dense(tensor)


def print_tensor(x: Any, message: str = "", summarize: int = 3) -> Any:
    """Prints a tensor, and gives it back."""
    print_(message, x, summarize=summarize, output_stream="stdout")
    return x


def moving_average_update(x: Any, value: Any, momentum: Any) -> Any:
    """`x = momentum * x + (1 - momentum) * value` for a variable x."""
    return x.assign_sub((x.value() - value) * (1.0 - float(momentum)))


def manual_variable_initialization(value: bool) -> None:
    """Nothing: variables are born with their values."""
