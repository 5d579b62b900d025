"""Writes tests/python/golden/conv.json: what TensorFlow makes of small convolutions and poolings.

Run under TensorFlow: ``python tools/golden_conv.py``. Inputs are small whole numbers made from their
position, so that every result is exact and the file holds no inputs.
"""

import json
import math
import pathlib

import numpy as np
import tensorflow as tf

IMAGE, LINE, VOLUME = [2, 7, 6, 3], [2, 9, 4], [1, 4, 5, 6, 2]


def cases():
    """Function, shapes of the inputs, further arguments."""
    for stride in (1, 2, 3):
        for padding in ("SAME", "VALID"):
            how = {"padding": padding}
            plain, four = {**how, "strides": stride}, {**how, "strides": [1, stride, stride, 1]}
            yield "conv1d", [LINE, [3, 4, 6]], {**how, "stride": stride}
            yield "conv2d", [IMAGE, [3, 2, 3, 4]], plain
            yield "conv2d", [[2, 5, 5, 4], [3, 3, 2, 6]], plain
            yield "conv3d", [VOLUME, [2, 3, 2, 2, 3]], {**how, "strides": [1, *[stride] * 3, 1]}
            yield "depthwise_conv2d", [IMAGE, [3, 2, 3, 2]], four
            yield "max_pool2d", [IMAGE], {**plain, "ksize": [3, 2]}
            yield "avg_pool2d", [IMAGE], {**plain, "ksize": 2}
            yield "max_pool3d", [VOLUME], {**plain, "ksize": 2}
            dilation = {**four, "data_format": "NHWC", "dilations": [1, 1, 1, 1]}
            yield "dilation2d", [IMAGE, [3, 2, 3]], dilation
            yield "erosion2d", [IMAGE, [3, 2, 3]], dilation
            sizes = [math.ceil((n if padding == "SAME" else n - k + 1) / stride) for n, k in
                     ((11, 3), (10, 2))]  # fmt: skip
            target = {**plain, "output_shape": [2, 11, 10, 5]}
            yield "conv2d_transpose", [[2, *sizes, 3], [3, 2, 5, 3]], target
            length = math.ceil((11 if padding == "SAME" else 9) / stride)
            target = {**plain, "output_shape": [2, 11, 5]}
            yield "conv1d_transpose", [[2, length, 3], [3, 5, 3]], target
    yield "conv2d", [IMAGE, [3, 2, 3, 4]], {"strides": 1, "padding": "SAME", "dilations": 2}
    explicit = [[0, 0], [1, 2], [0, 1], [0, 0]]
    yield "conv2d", [IMAGE, [3, 2, 3, 4]], {"strides": 2, "padding": explicit}
    yield "atrous_conv2d", [IMAGE, [3, 2, 3, 4]], {"rate": 2, "padding": "SAME"}
    separable = {"strides": [1, 2, 2, 1], "padding": "SAME"}
    yield "separable_conv2d", [IMAGE, [3, 2, 3, 2], [1, 1, 6, 4]], separable
    pool = {"window_shape": [2, 2], "pooling_type": "AVG", "strides": [2, 1], "padding": "SAME"}
    yield "pool", [IMAGE], pool


def numbers(shape, seed):
    """Whole numbers from -5 to 5 without an order that could hide a wrong index."""
    count = math.prod(shape)
    return ((np.arange(count) * 7919 + 104729 * (seed + 1)) % 11 - 5.0).reshape(shape)


def main():
    """Run all cases and write the file."""
    made = []
    for function, shapes, arguments in cases():
        inputs = [numbers(shape, i).astype(np.float32) for i, shape in enumerate(shapes)]
        result = getattr(tf.nn, function)(*inputs, **arguments).numpy()
        made.append(
            {
                "function": function,
                "shapes": shapes,
                "arguments": arguments,
                "shape": list(result.shape),
                "result": [round(float(v), 6) for v in result.ravel()],
            }
        )
    target = pathlib.Path(__file__).parents[1] / "tests/python/golden/conv.json"
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in made)
    text = f'{{"tensorflow": "{tf.__version__}", "cases": [\n{lines}\n]}}\n'
    target.write_text(text.replace(".0,", ",").replace(".0]", "]"), encoding="utf-8")


if __name__ == "__main__":
    main()
