"""check_layer: what every layer owes, checked from one call of it.

Shapes, variables, configuration, gradients, a training step, the same results in a graph, from a file, and in float64.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

import numpy as np

import eagercore as tf


def check_layer(
    layer_class: Any,
    input_shape: Any = (2, 5),
    inputs: Any = None,
    input_dtype: str = "float32",
    weights: int | None = None,
    training: Any = None,
    tolerance: float = 1e-5,
    differentiable: bool = True,
    functional: bool = True,
    float64: bool = True,
    seed: int = 0,
    **kwargs: Any,
) -> Any:
    """Checks a layer class; each failure is an AssertionError that says what is wrong.

    Args:
        layer_class: The class.
        input_shape: Shape of random inputs with the batch; a list of shapes makes a list of inputs.
        inputs: Inputs to take instead.
        input_dtype: Type of random inputs; whole numbers are below 5.
        weights: Number of variables expected, or None.
        training: `training` for the calls whose results are compared; None leaves it out.
        tolerance: Largest difference of results that should be equal.
        differentiable: Whether gradients flow to the inputs.
        functional: Whether the layer can be drawn in a functional model.
        float64: Whether to check that float64 inputs make float64 variables and results.
        seed: Seed of the random inputs.
        **kwargs: Arguments of the class.

    Returns:
        The built layer.

    >>> check_layer(tf.keras.layers.Dense, units=3, weights=2).count_params()
    18
    """
    rng = np.random.default_rng(seed)
    x = _random(rng, input_shape, input_dtype) if inputs is None else inputs
    extra = {} if training is None else {"training": training}
    layer = layer_class(**kwargs)
    y = layer(x, **extra)
    if weights is not None:
        assert len(layer.weights) == weights, f"{layer.name} has {len(layer.weights)} variables, not {weights}"
    _check_weights(layer)
    _check_shapes(layer_class, kwargs, layer, x, y, functional)
    y = layer(x, **extra)
    _check_config(layer_class, layer, x, y, extra, tolerance)
    if differentiable:
        _check_gradients(layer, x, extra)
    _check_graph(layer, x, extra, tolerance)
    _check_file(layer, x, extra, tolerance)
    if float64 and input_dtype == "float32" and inputs is None:
        _check_float64(layer_class, kwargs, x, extra)
    if layer.trainable_weights:
        _check_training(layer, x)
    return layer


def _random(rng: Any, shape: Any, dtype: str) -> Any:
    if isinstance(shape, list):
        return [_random(rng, s, dtype) for s in shape]
    if dtype.startswith("int"):
        return tf.constant(rng.integers(0, 5, shape), dtype)
    return tf.constant(rng.normal(size=shape), dtype)


def _flat(y: Any) -> list[Any]:
    return tf.nest.flatten(y)


def _same(one: Any, two: Any, tolerance: float, what: str) -> None:
    for a, b in zip(_flat(one), _flat(two), strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype, f"{what}: {a.shape} {a.dtype} and {b.shape} {b.dtype}"
        assert np.allclose(a, b, rtol=tolerance, atol=tolerance), f"{what}: results differ"


def _check_weights(layer: Any) -> None:
    values = layer.get_weights()
    assert len(values) == len(layer.weights) == len(layer.trainable_weights) + len(layer.non_trainable_weights)
    for variable, value in zip(layer.weights, values, strict=True):
        assert variable.name.startswith(layer.name + "/"), f"{variable.name} does not begin with {layer.name}/"
        assert tuple(variable.shape) == value.shape
    layer.set_weights(values)
    if values:
        try:
            layer.set_weights(values[:-1])
        except ValueError:
            pass
        else:
            raise AssertionError("set_weights takes too few weights")


def _check_shapes(layer_class: Any, kwargs: Any, layer: Any, x: Any, y: Any, functional: bool) -> None:
    shapes = tf.nest.map_structure(lambda t: t.shape, x)
    found = layer.compute_output_shape(shapes)
    for shape, result in zip(_shape_list(found), _flat(y), strict=True):
        assert tf.TensorShape(shape).is_compatible_with(result.shape), (
            f"compute_output_shape says {shape}, the result has {result.shape}"
        )
    if not functional:
        return
    symbolic = tf.nest.map_structure(lambda t: tf.keras.Input(t.shape[1:], dtype=t.dtype), x)
    drawn = layer(symbolic)
    for symbol, result in zip(_flat(drawn), _flat(y), strict=True):
        assert symbol.shape.is_compatible_with(result.shape), f"drawn as {symbol.shape}, but is {result.shape}"
        assert symbol.dtype == result.dtype, f"drawn as {symbol.dtype}, but is {result.dtype}"
    model = tf.keras.Model(symbolic, drawn)
    for one, result in zip(_flat(model(x)), _flat(y), strict=True):
        assert one.shape == result.shape
    again = tf.keras.models.model_from_json(model.to_json(), {layer_class.__name__: layer_class})
    assert len(again.weights) == len(model.weights)


def _shape_list(found: Any) -> list[Any]:
    if isinstance(found, tf.TensorShape):
        return [found]
    if isinstance(found, list | tuple) and found and not isinstance(found[0], int | None):
        return list(found)
    return [found]


def _check_config(layer_class: Any, layer: Any, x: Any, y: Any, extra: Any, tolerance: float) -> None:
    config = layer.get_config()
    read = json.loads(json.dumps(config))
    again = layer_class.from_config(read)
    second = again.get_config()
    assert json.loads(json.dumps(second)) == read, f"configuration changed: {read} to {second}"
    again(x)
    again.set_weights(layer.get_weights())
    if not _stochastic(layer, extra):
        _same(layer(x, **extra), again(x, **extra), tolerance, "made again from its configuration")


def _stochastic(layer: Any, extra: Any) -> bool:
    return bool(extra.get("training"))


def _check_gradients(layer: Any, x: Any, extra: Any) -> None:
    flat = [t for t in _flat(x) if t.dtype.is_floating]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(flat)
        total = sum(tf.reduce_sum(tf.square(t)) for t in _flat(layer(x, **extra)) if t.dtype.is_floating)
    for variable, gradient in zip(
        layer.trainable_weights, tape.gradient(total, layer.trainable_weights), strict=True
    ):
        assert gradient is not None, f"no gradient for {variable.name}"
        assert np.isfinite(tf.convert_to_tensor(gradient)).all(), f"the gradient of {variable.name} is not finite"
    for tensor, gradient in zip(flat, tape.gradient(total, flat), strict=True):
        assert gradient is not None, "no gradient for the input"
        assert gradient.shape == tensor.shape


def _check_graph(layer: Any, x: Any, extra: Any, tolerance: float) -> None:
    if _stochastic(layer, extra):
        return
    before = layer.get_weights()
    eager = layer(x, **extra)
    layer.set_weights(before)
    traced = tf.function(lambda inputs: layer(inputs, **extra), autograph=False)(x)
    layer.set_weights(before)
    _same(eager, traced, tolerance, "in a graph")


def _check_file(layer: Any, x: Any, extra: Any, tolerance: float) -> None:
    if not layer.weights or _stochastic(layer, extra):
        return

    class Holder(tf.keras.Model):
        def __init__(self, held: Any) -> None:
            super().__init__()
            self.held = held

        def call(self, inputs: Any) -> Any:
            return self.held(inputs)

    first, second = Holder(layer), Holder(type(layer).from_config(layer.get_config()))
    with tempfile.TemporaryDirectory() as folder:
        first(x)
        second(x)
        path = os.path.join(folder, "weights.npz")
        first.save_weights(path)
        second.load_weights(path)
    _same(first(x), second(x), tolerance, "restored from a file")


def _check_float64(layer_class: Any, kwargs: Any, x: Any, extra: Any) -> None:
    wide = tf.nest.map_structure(lambda t: tf.cast(t, tf.float64), x)
    layer = layer_class(**kwargs)
    for result in _flat(layer(wide, **extra)):
        assert not result.dtype.is_floating or result.dtype == tf.float64, f"float64 inputs give {result.dtype}"
    for variable in layer.weights:
        assert not variable.dtype.is_floating or variable.dtype == tf.float64, f"{variable.name} is {variable.dtype}"


def _check_training(layer: Any, x: Any) -> None:
    before = layer.get_weights()
    optimizer = tf.keras.optimizers.SGD(0.01)
    with tf.GradientTape() as tape:
        loss = sum(tf.reduce_mean(tf.square(t)) for t in _flat(layer(x, training=True)) if t.dtype.is_floating)
    optimizer.minimize(loss, layer.trainable_weights, tape=tape)
    changed = any(not np.array_equal(a, b) for a, b in zip(before, layer.get_weights(), strict=True))
    assert changed, "a training step changes nothing"
    layer.set_weights(before)
