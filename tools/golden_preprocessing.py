"""Writes tests/python/golden/preprocessing.json: what Keras makes of texts, sequences and images.

Run under TensorFlow: ``python tools/golden_preprocessing.py``.
"""

import json
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from keras.src.legacy.preprocessing import image, sequence, text

TEXTS = [
    "The cat sat on the mat.", "A dog, a cat; the END", "it's (not) the cat's\tmat\nand then", "", "naïve Über-café 42",
]  # fmt: skip


def tokenizers():
    """Tokenizers with their arguments, and all that they give."""
    for arguments in (
        {}, {"oov_token": "<unk>"}, {"num_words": 4}, {"num_words": 4, "oov_token": "<unk>"}, {"char_level": True},
        {"lower": False, "filters": ".,"}, {"split": "_", "filters": " "},
    ):  # fmt: skip
        made = text.Tokenizer(**arguments)
        made.fit_on_texts(TEXTS)
        numbers = made.texts_to_sequences([*TEXTS, "the unknown bird"])
        yield {
            "arguments": arguments,
            "word_index": made.word_index,
            "word_counts": made.word_counts,
            "document_count": made.document_count,
            "sequences": numbers,
            "texts": made.sequences_to_texts(numbers),
            "matrices": {
                mode: made.texts_to_matrix([t for t in TEXTS if t], mode).round(10).tolist()
                for mode in ("binary", "count", "freq", "tfidf")
            },
        }


def paddings():
    """Sequences of one length."""
    rows = [[1], [2, 3], [4, 5, 6, 7], []]
    for arguments in (
        {}, {"maxlen": 3}, {"maxlen": 3, "padding": "post"}, {"maxlen": 2, "truncating": "post", "value": 9},
        {"dtype": "float32", "value": -1.5}, {"maxlen": 6, "padding": "post", "truncating": "post"},
    ):  # fmt: skip
        made = tf.keras.utils.pad_sequences(rows, **arguments)
        yield {"arguments": arguments, "rows": rows, "result": made.tolist(), "dtype": made.dtype.name}


def windows():
    """Windows of a series."""
    data, targets = np.arange(20).reshape(10, 2), np.arange(10)
    for arguments in (
        {"length": 3, "batch_size": 4}, {"length": 4, "sampling_rate": 2, "batch_size": 3, "stride": 2},
        {"length": 2, "reverse": True, "start_index": 2, "end_index": 8, "batch_size": 5},
    ):  # fmt: skip
        made = sequence.TimeseriesGenerator(data, targets, **arguments)
        yield {"arguments": arguments, "batches": [[b.tolist() for b in made[i]] for i in range(len(made))]}


def transformations():
    """Images moved by known amounts."""
    picture = (np.arange(6 * 5 * 3) * 37 % 256).reshape(6, 5, 3).astype("float64")
    for parameters in (
        {"theta": 30.0}, {"tx": 1, "ty": -2}, {"zx": 0.8, "zy": 1.2}, {"shear": 20.0}, {"flip_horizontal": True},
        {"flip_vertical": True}, {"theta": 15.0, "zx": 1.3, "zy": 1.3, "tx": 1.5, "ty": 0.5}, {"brightness": 0.7},
        {"channel_shift_intensity": 20.0},
    ):  # fmt: skip
        for mode in ("nearest", "constant", "reflect", "wrap"):
            made = image.ImageDataGenerator(fill_mode=mode, cval=3.0)
            result = made.apply_transform(picture.copy(), parameters)
            yield {"parameters": parameters, "mode": mode, "result": result.round(4).reshape(-1).tolist()}


def main():
    """Run all cases and write the file."""
    target = pathlib.Path(__file__).parent.parent / "tests/python/golden/preprocessing.json"
    everything = {
        "tensorflow": tf.__version__,
        "keras": tf.keras.__version__,
        "texts": TEXTS,
        "tokenizers": list(tokenizers()),
        "paddings": list(paddings()),
        "windows": list(windows()),
        "sampling_table": sequence.make_sampling_table(20).tolist(),
        "skipgrams": sequence.skipgrams([1, 2, 3, 0, 4, 1], 6, 2, negative_samples=0, shuffle=False),
        "hashing_trick": text.hashing_trick("one two one", 50, "md5"),
        "transformations": list(transformations()),
    }
    target.write_text(json.dumps(everything) + "\n")
    print(target.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
