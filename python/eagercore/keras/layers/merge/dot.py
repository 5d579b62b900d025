"""Dot: products along axes of two inputs."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import maximum, multiply, square
from ....ops.exponential import rsqrt
from ....ops.linalg import matmul_op
from ....ops.reduce import reduce_sum
from ....ops.shape import expand_dims, squeeze, transpose
from .base import Merge


class Dot(Merge):
    """Sums the products of two inputs along an axis of each, example by example.

    Args:
        axes: Axis (the batch is 0), or a pair: one for each input.
        normalize: Whether the inputs are brought to length 1 along the axis first: the cosine. Default False.
        **kwargs: See `Layer`.

    Raises:
        TypeError: If `axes` is no whole number and no list of two.
        ValueError: If the extents of the axes differ.

    >>> import eagercore as tf
    >>> Dot(axes=1)([tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])]).numpy()
    array([[11.]], dtype=float32)
    """

    _at_least = 2

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if isinstance(axes, float) and axes == int(axes):
            axes = int(axes)
        if isinstance(axes, list | tuple):
            if len(axes) != 2:
                raise ValueError(
                    f"Invalid format for argument `axes`: it must contain two elements. Received: axes={axes}"
                )
            axes = [int(a) for a in axes]
        elif not isinstance(axes, int):
            raise TypeError(
                f"Invalid type for argument `axes`: it should be a list or an int. Received: axes={axes}"
            )
        self.axes, self.normalize = axes, bool(normalize)

    def _both(self, first: int, second: int) -> tuple[int, int]:
        one, two = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        return one % first, two % second

    def build(self, input_shape: Any) -> None:
        """Checks that the axes have the same extent."""
        if not isinstance(input_shape, list | tuple) or len(input_shape) != 2:
            raise ValueError(
                f"A `Dot` layer should be called on a list of 2 inputs. Layer {self.name} received: "
                f"input_shape={input_shape}"
            )
        self.compute_output_shape(input_shape)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for a list of two inputs."""
        first, second = inputs
        one, two = self._both(first.shape.rank, second.shape.rank)
        if self.normalize:
            first, second = _of_length_one(first, one), _of_length_one(second, two)
        rows, columns = first.shape.rank == 2, second.shape.rank == 2
        left = expand_dims(first, axis=1) if rows else _last(first, one)
        right = expand_dims(second, axis=2) if columns else _second(second, two)
        lead = [left.shape.rank, right.shape.rank]
        if max(lead) > 3:
            return self._general(first, second, one, two)
        made = matmul_op(left, right)
        if rows and columns:
            return squeeze(made, axis=2)
        if rows:
            return squeeze(made, axis=1)
        return squeeze(made, axis=2) if columns else made

    @staticmethod
    def _general(first: Any, second: Any, one: int, two: int) -> Any:
        """Any rank: all axes but the batch and the summed one stay."""
        from ....ops.einsum import einsum

        letters = iter("cdefghijklmnopq")
        a = ["b", *("z" if i == one else next(letters) for i in range(1, first.shape.rank))]
        b = ["b", *("z" if i == two else next(letters) for i in range(1, second.shape.rank))]
        result = "b" + "".join(x for x in a[1:] + b[1:] if x != "z")
        return einsum(f"{''.join(a)},{''.join(b)}->{result}", first, second)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for inputs of these shapes.

        Raises:
            ValueError: If the axes do not fit.
        """
        first, second = (as_shape(s) for s in input_shape)
        one, two = self._both(len(first), len(second))
        if first[one] is not None and second[two] is not None and first[one] != second[two]:
            raise ValueError(
                f"Incompatible input shapes: axis values {first[one]} (at axis {one}) != "
                f"{second[two]} (at axis {two}). Full "
                f"input shapes: {first}, {second}"
            )
        rest = [n for i, n in enumerate(first) if i != one] + [
            n for i, n in enumerate(second) if i not in (0, two)
        ]
        return as_shape([*rest, 1] if len(rest) == 1 else rest)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: the axes of the mask may be gone."""
        return None

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


def _of_length_one(x: Any, axis: int) -> Any:
    return multiply(x, rsqrt(maximum(reduce_sum(square(x), axis=axis, keepdims=True), 1e-12)))


def _last(x: Any, axis: int) -> Any:
    """The tensor with the axis last."""
    rank = x.shape.rank
    return x if axis == rank - 1 else transpose(x, (*(i for i in range(rank) if i != axis), axis))


def _second(x: Any, axis: int) -> Any:
    """The tensor with the axis behind the batch."""
    return (
        x
        if axis == 1
        else transpose(x, (0, axis, *(i for i in range(1, x.shape.rank) if i != axis)))
    )


def dot(inputs: Any, axes: Any, normalize: bool = False, **kwargs: Any) -> Any:
    """Products of two tensors summed along axes, as a new `Dot` layer."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)


Dot.__module__ = "eagercore.keras.layers"
