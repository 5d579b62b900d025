"""Writes tests/python/golden/layers.json: what Keras's layers make of small inputs, and their gradients.

Run under TensorFlow: ``python tools/golden_layers.py``. Inputs and weights are made from their positions, so that the
file holds results alone.
"""

import json
import math
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

SEQUENCE, IMAGE, LINE, VOLUME = [2, 4, 3], [2, 6, 5, 3], [2, 7, 3], [1, 4, 5, 4, 2]
MASK = [[True, True, False, True], [False, True, True, False]]


def recurrent():
    """Recurrent layers: class, arguments, shapes of inputs, arguments of the call."""
    both = {"return_sequences": True, "return_state": True}
    for name in ("SimpleRNN", "LSTM", "GRU"):
        for extra in (
            {},
            both,
            {**both, "go_backwards": True},
            {"use_bias": False},
            {"activation": "relu"},
        ):
            yield name, {"units": 3, **extra}, [SEQUENCE], {}
        yield name, {"units": 3, **both}, [SEQUENCE], {"mask": MASK}
        yield name, {"units": 3}, [SEQUENCE], {"mask": MASK}
        yield name, {"units": 3, **both, "activation": "elu"}, [SEQUENCE], {"mask": MASK}
    yield (
        "LSTM",
        {"units": 3, "unit_forget_bias": False, "recurrent_activation": "tanh"},
        [SEQUENCE],
        {},
    )
    for extra in (
        both,
        {"use_bias": False},
        {"recurrent_activation": "tanh"},
        {**both, "go_backwards": True},
    ):
        yield "GRU", {"units": 3, "reset_after": False, **extra}, [SEQUENCE], {}
    yield "GRU", {"units": 3, "reset_after": False, **both}, [SEQUENCE], {"mask": MASK}
    gates = {"recurrent_activation": "sigmoid"}
    yield "ConvLSTM2D", {"filters": 2, "kernel_size": 3, **gates, **both}, [[1, 3, 5, 4, 2]], {}
    same = {"filters": 2, "kernel_size": [2, 3], "padding": "same", "strides": 2, **gates}
    yield "ConvLSTM2D", same, [[1, 3, 5, 4, 2]], {}
    yield "ConvLSTM1D", {"filters": 2, "kernel_size": 2, **gates}, [[1, 3, 5, 2]], {}


def convolutional():
    """Convolution, pooling, and what reshapes."""
    for padding in ("valid", "same"):
        how = {"padding": padding, "kernel_size": 3}
        yield "SeparableConv1D", {**how, "filters": 4, "depth_multiplier": 2}, [LINE], {}
        yield "SeparableConv2D", {**how, "filters": 4, "strides": 2}, [IMAGE], {}
        yield "DepthwiseConv1D", {**how, "depth_multiplier": 2}, [LINE], {}
        yield "DepthwiseConv2D", {**how, "depth_multiplier": 2, "strides": 2}, [IMAGE], {}
        yield "DepthwiseConv2D", {**how, "dilation_rate": 2}, [[1, 8, 8, 2]], {}
        yield "Conv1D", {**how, "filters": 2, "activation": "tanh"}, [LINE], {}
        yield "Conv2D", {**how, "filters": 2, "strides": 2}, [IMAGE], {}
        yield "Conv2DTranspose", {**how, "filters": 2, "strides": 2}, [IMAGE], {}
        yield "Conv3D", {"filters": 2, "kernel_size": 2, "padding": padding}, [VOLUME], {}
        yield "MaxPooling2D", {"pool_size": 2, "padding": padding}, [IMAGE], {}
        yield "AveragePooling1D", {"pool_size": 3, "strides": 2, "padding": padding}, [LINE], {}
    yield "Conv1D", {"filters": 2, "kernel_size": 3, "padding": "causal"}, [LINE], {}
    yield "Conv2D", {"filters": 6, "kernel_size": 3, "groups": 3}, [IMAGE], {}
    yield "UpSampling1D", {"size": 3}, [LINE], {}
    yield "UpSampling2D", {"size": [2, 3]}, [IMAGE], {}
    yield "UpSampling2D", {"size": [2, 3], "interpolation": "bilinear"}, [IMAGE], {}
    yield "UpSampling3D", {"size": [2, 1, 3]}, [VOLUME], {}
    yield "Cropping1D", {"cropping": [1, 2]}, [LINE], {}
    yield "Cropping2D", {"cropping": [[1, 2], [0, 1]]}, [IMAGE], {}
    yield "Cropping3D", {"cropping": 1}, [VOLUME], {}
    yield "ZeroPadding2D", {"padding": [[1, 2], [0, 1]]}, [IMAGE], {}
    for name in ("GlobalMaxPooling1D", "GlobalAveragePooling1D"):
        yield name, {"keepdims": True}, [LINE], {}
    yield "GlobalAveragePooling1D", {}, [SEQUENCE], {"mask": MASK}


def merging():
    """Merging, attention, normalization, activations."""
    yield "Dot", {"axes": 1}, [[2, 3], [2, 3]], {}
    yield "Dot", {"axes": [1, 2]}, [[2, 3, 4], [2, 5, 3]], {}
    yield "Dot", {"axes": [1, 2]}, [[2, 3], [2, 5, 3]], {}
    yield "Dot", {"axes": -1, "normalize": True}, [[2, 4, 3], [2, 5, 3]], {}
    pair = [[2, 4, 3], [2, 5, 3]]
    yield "Attention", {}, pair, {}
    yield "Attention", {"use_scale": True, "score_mode": "concat"}, [*pair, [2, 5, 3]], {}
    yield "Attention", {"use_scale": True}, [SEQUENCE, SEQUENCE], {"use_causal_mask": True}
    yield "Attention", {}, [SEQUENCE, SEQUENCE], {"mask": [MASK, MASK]}
    yield "AdditiveAttention", {}, pair, {}
    yield "AdditiveAttention", {"use_scale": False}, [SEQUENCE, SEQUENCE], {"mask": [MASK, MASK]}
    heads = {"num_heads": 2, "key_dim": 3}
    yield "MultiHeadAttention", heads, pair, {"spread": True}
    yield "MultiHeadAttention", {**heads, "value_dim": 2, "output_shape": 5}, pair, {"spread": True}
    causal = {"spread": True, "use_causal_mask": True}
    yield "MultiHeadAttention", {**heads, "use_bias": False}, [SEQUENCE, SEQUENCE], causal
    yield "LayerNormalization", {}, [[3, 5]], {}
    yield "LayerNormalization", {"axis": [1, 2], "epsilon": 0.01}, [[2, 3, 4]], {}
    yield "LayerNormalization", {"axis": 1, "scale": False}, [[2, 3, 4]], {}
    yield "GroupNormalization", {"groups": 2}, [[2, 3, 2, 4]], {}
    yield "GroupNormalization", {"groups": -1, "axis": 1}, [[2, 3, 5]], {}
    yield "UnitNormalization", {"axis": [1, 2]}, [[2, 3, 4]], {}
    yield "BatchNormalization", {}, [[4, 3]], {"training": True}
    yield "BatchNormalization", {}, [[4, 3]], {"training": False}
    yield "PReLU", {"shared_axes": [1, 2]}, [IMAGE], {}
    yield "ELU", {}, [[3, 4]], {}
    yield "Softmax", {"axis": [1, 2]}, [[2, 3, 4]], {}
    yield "Softmax", {}, [[2, 4]], {"mask": MASK}
    yield (
        "EinsumDense",
        {"equation": "abc,cde->abde", "output_shape": [None, 2, 4], "bias_axes": "de"},
        [[2, 3, 5]],
        {},
    )
    yield (
        "EinsumDense",
        {"equation": "...x,xy->...y", "output_shape": 4, "bias_axes": "y"},
        [[2, 3, 5]],
        {},
    )
    yield "Dense", {"units": 4, "activation": "tanh"}, [[2, 3, 5]], {}


def wrapped():
    """Layers around layers: the inner one stands in the arguments as [class, arguments]."""
    both = {"return_sequences": True, "return_state": True}
    for mode in ("concat", "sum", "ave", "mul"):
        yield "Bidirectional", {"layer": ["LSTM", {"units": 2}], "merge_mode": mode}, [SEQUENCE], {}
    inner = ["GRU", {"units": 2, **both}]
    yield "Bidirectional", {"layer": inner}, [SEQUENCE], {"mask": MASK}
    yield "TimeDistributed", {"layer": ["Dense", {"units": 2}]}, [SEQUENCE], {}
    conv = ["Conv2D", {"filters": 2, "kernel_size": 2}]
    yield "TimeDistributed", {"layer": conv}, [[1, 2, 4, 4, 2]], {}
    cells = [["LSTMCell", {"units": 2}], ["GRUCell", {"units": 3}], ["SimpleRNNCell", {"units": 2}]]
    yield "RNN", {"cell": cells, "return_sequences": True}, [SEQUENCE], {}
    yield "RNN", {"cell": cells}, [SEQUENCE], {"mask": MASK}


def numbers(shape, seed, scale=0.1):
    """Numbers from -1.1 to 1.1 without an order that could hide a wrong index."""
    count = math.prod(shape)
    return (((np.arange(count) * 7919 + 104729 * (seed + 1)) % 23 - 11.0) * scale).reshape(shape)


def made(value):
    """Arguments with the layers that they describe."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], dict)
    ):
        return getattr(tf.keras.layers, value[0])(**value[1])
    if isinstance(value, list) and value and isinstance(value[0], list) and isinstance(value[0][0], str):
        return [made(v) for v in value]
    return value


def run(name, arguments, shapes, call):
    """Results and gradients of one case, in float64."""
    layer = getattr(tf.keras.layers, name)(**{k: made(v) for k, v in arguments.items()}, dtype="float64")
    call = dict(call)
    spread = call.pop("spread", False)
    if "mask" in call:
        call["mask"] = (
            tf.constant(call["mask"]) if np.ndim(call["mask"]) < 3 else [tf.constant(m) for m in call["mask"]]
        )
    inputs = [tf.constant(numbers(s, i), "float64") for i, s in enumerate(shapes)]
    given = inputs if spread else [inputs[0] if len(inputs) == 1 else inputs]
    layer(*given, **call)
    for i, weight in enumerate(layer.weights):
        values = numbers(weight.shape, 10 + i)
        weight.assign(np.abs(values) + 0.1 if "variance" in weight.name else values)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        results = layer(*given, **call)
        results = list(results) if isinstance(results, list | tuple) else [results]
        total = sum(tf.reduce_sum(r * numbers(r.shape, 20 + i)) for i, r in enumerate(results))
    sources = [*inputs, *(w.value for w in layer.trainable_weights)]
    gradients = tape.gradient(total, sources)
    return {
        "layer": name,
        "arguments": arguments,
        "shapes": shapes,
        "call": {
            k: v if k != "mask" else MASK if np.ndim(v) < 3 else [MASK, MASK]
            for k, v in {**call, **({"spread": True} if spread else {})}.items()
        },
        "results": [flat(r) for r in results],
        "result_shapes": [list(r.shape) for r in results],
        "gradients": [None if g is None else flat(g) for g in gradients],
    }


def flat(tensor):
    """Values of a tensor with the digits that are compared."""
    return [float(f"{v:.9g}") for v in np.asarray(tf.convert_to_tensor(tensor)).reshape(-1).tolist()]


def main():
    """Run all cases and write the file."""
    tf.keras.backend.set_floatx("float64")
    cases = [run(*case) for part in (recurrent, convolutional, merging, wrapped) for case in part()]
    target = pathlib.Path(__file__).parent.parent / "tests/python/golden/layers.json"
    text = json.dumps({"tensorflow": tf.__version__, "keras": tf.keras.__version__, "cases": cases})
    target.write_text(text + "\n")
    print(len(cases), "cases,", len(text), "bytes")


if __name__ == "__main__":
    main()
