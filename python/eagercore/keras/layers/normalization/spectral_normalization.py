"""SpectralNormalization: a layer whose kernel stretches nothing by more than one."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import multiply, real_divide
from ....ops.create import stop_gradient
from ....ops.exponential import sqrt
from ....ops.linalg import matmul_op
from ....ops.reduce import reduce_sum
from ....ops.shape import reshape
from ..core.dense import positive_int
from ..recurrent.wrapper import Wrapper


class SpectralNormalization(Wrapper):
    """Divides the kernel of a layer by its largest singular value, found by power iteration, at each training step.

    Args:
        layer: Layer with a `kernel` or `embeddings`.
        power_iterations: Steps of the iteration at each call. Default 1.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning, or the layer has no kernel.

    >>> import eagercore as tf
    >>> SpectralNormalization(tf.keras.layers.Dense(3))(tf.ones([2, 4])).shape
    TensorShape([2, 3])
    """

    def __init__(self, layer: Any, power_iterations: int = 1, **kwargs: Any) -> None:
        super().__init__(layer, **kwargs)
        self.power_iterations = positive_int("power_iterations", power_iterations)

    def build(self, input_shape: Any = None) -> None:
        """Builds the layer inside, and makes the vector of the iteration."""
        super().build(input_shape)
        kernel = getattr(self.layer, "kernel", None)
        self.kernel = getattr(self.layer, "embeddings", None) if kernel is None else kernel
        if self.kernel is None:
            raise ValueError(f"{type(self.layer).__name__} has no kernel (nor embeddings) that could be normalized.")
        self.vector_u = self.add_weight(
            "vector_u", shape=(1, self.kernel.shape[-1]), initializer="truncated_normal", trainable=False,
            dtype=self.kernel.dtype,
        )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """The result for `inputs`; in training the kernel is divided first."""
        if training:
            self.normalize_weights()
        return self.layer(inputs)

    def normalize_weights(self) -> None:
        """Divides the kernel by its largest singular value."""
        kernel = self.kernel.value()
        flat = reshape(kernel, (-1, kernel.shape[-1]))
        u = self.vector_u.value()
        for _ in range(self.power_iterations):
            v = _of_length_one(matmul_op(u, flat, transpose_b=True))
            u = _of_length_one(matmul_op(v, flat))
        u, v = stop_gradient(u), stop_gradient(v)
        sigma = matmul_op(matmul_op(v, flat), u, transpose_b=True)
        self.vector_u.assign(u)
        self.kernel.assign(real_divide(kernel, reshape(sigma, ())))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return self.layer.compute_output_shape(input_shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "power_iterations": self.power_iterations}


def _of_length_one(x: Any) -> Any:
    return real_divide(x, sqrt(reduce_sum(multiply(x, x)) + 1e-12))


SpectralNormalization.__module__ = "eagercore.keras.layers"
