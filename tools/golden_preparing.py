"""Writes tests/python/golden/preparing.json: what Keras's preprocessing layers make of small data.

Run under TensorFlow: ``python tools/golden_preparing.py``.
"""

import json
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

TEXTS = ["The cat sat.", "a DOG, a cat; the end", "it's the cat's mat", "", "naïve Über-café 42 a a"]
WORDS = [["b", "a", "c"], ["a", "d", "a"], ["c", "a", ""]]
NUMBERS = [[3, 1, 7], [1, 1, 9], [7, 1, -5]]
RNG = np.random.default_rng(0)
TABLE = RNG.normal(2, 3, size=(6, 4)).round(3).tolist()
IMAGE = (np.arange(2 * 5 * 6 * 3) * 37 % 256).reshape(2, 5, 6, 3).tolist()


def cases():
    """Class, arguments, data to learn from (or None), inputs."""
    for arguments in ({}, {"axis": None}, {"axis": 0}, {"invert": True}):
        yield "Normalization", arguments, TABLE, TABLE
    yield "Normalization", {"mean": [1.0, 2.0, 3.0, 4.0], "variance": [1.0, 4.0, 9.0, 16.0]}, None, TABLE
    for mode in ("int", "one_hot", "multi_hot", "count"):
        yield "Discretization", {"bin_boundaries": [0.0, 1.5, 4.0], "output_mode": mode}, None, TABLE
    for mode in ("multi_hot", "count"):
        yield "CategoryEncoding", {"num_tokens": 5, "output_mode": mode}, None, [[0, 3, 3], [1, 2, 4]]
    yield "CategoryEncoding", {"num_tokens": 5, "output_mode": "one_hot"}, None, [0, 3, 4]
    for arguments in (
        {"num_bins": 7}, {"num_bins": 7, "salt": 133}, {"num_bins": 7, "salt": [133, 137]},
        {"num_bins": 5, "mask_value": ""}, {"num_bins": 4, "output_mode": "count"},
    ):  # fmt: skip
        yield "Hashing", arguments, None, WORDS
    yield "Hashing", {"num_bins": 7}, None, NUMBERS
    for arguments in (
        {}, {"mask_token": ""}, {"max_tokens": 3}, {"num_oov_indices": 2}, {"output_mode": "multi_hot"},
        {"output_mode": "count", "max_tokens": 6, "pad_to_max_tokens": True}, {"output_mode": "tf_idf"},
    ):  # fmt: skip
        yield "StringLookup", arguments, WORDS, [["a", "b", "z"], ["", "c", "d"]]
    yield "StringLookup", {"vocabulary": ["x", "y"], "invert": True}, None, [[0, 1, 2], [2, 5, 1]]
    for arguments in ({}, {"mask_token": 1}, {"max_tokens": 3}, {"output_mode": "count"}):
        yield "IntegerLookup", arguments, NUMBERS, [[7, 1, 4], [9, 3, 3]]
    for arguments in (
        {}, {"max_tokens": 4}, {"output_sequence_length": 3}, {"standardize": "lower"}, {"standardize": None},
        {"split": "character", "standardize": "strip_punctuation"}, {"ngrams": 2, "max_tokens": 8},
        {"output_mode": "multi_hot"}, {"output_mode": "count", "max_tokens": 6}, {"output_mode": "tf_idf"},
    ):  # fmt: skip
        yield "TextVectorization", arguments, TEXTS, [*TEXTS[:3], "unknown words and the cat"]
    yield "Rescaling", {"scale": 0.5, "offset": -1.0}, None, IMAGE
    for how in ("bilinear", "nearest"):
        yield "Resizing", {"height": 3, "width": 8, "interpolation": how}, None, IMAGE
    yield "CenterCrop", {"height": 3, "width": 4}, None, IMAGE


def main():
    """Run all cases and write the file."""
    made = []
    for name, arguments, data, inputs in cases():
        layer = getattr(tf.keras.layers, name)(**arguments)
        given = (
            tf.constant(inputs)
            if name not in ("Rescaling", "Resizing", "CenterCrop")
            else tf.constant(inputs, "float32")
        )
        case = {"layer": name, "arguments": arguments, "data": data, "inputs": inputs}
        if data is not None:
            layer.adapt(tf.constant(data))
            if hasattr(layer, "get_vocabulary"):
                case["vocabulary"] = [v if isinstance(v, str) else int(v) for v in layer.get_vocabulary()]
        result = layer(given)
        values = result.numpy()
        case["dtype"], case["shape"] = result.dtype.name, list(values.shape)
        flat = values.reshape(-1).tolist()
        case["values"] = [
            v.decode() if isinstance(v, bytes) else round(v, 6) if isinstance(v, float) else v for v in flat
        ]
        made.append(case)
    target = pathlib.Path(__file__).parent.parent / "tests/python/golden/preparing.json"
    text = json.dumps({"tensorflow": tf.__version__, "keras": tf.keras.__version__, "cases": made})
    target.write_text(text + "\n")
    print(len(made), "cases", len(text), "bytes")


if __name__ == "__main__":
    main()
