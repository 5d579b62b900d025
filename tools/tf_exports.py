"""Writes TensorFlow's export lists, the checklist of COVERAGE.md (run under TensorFlow).

python tools/tf_exports.py tests/python/golden/tf_exports.json
"""

import inspect
import json
import sys
import types

import tensorflow as tf

SPACES = (
    "tf", "tf.math", "tf.math.special", "tf.nn", "tf.linalg", "tf.signal", "tf.strings",
    "tf.bitwise", "tf.sets", "tf.ragged", "tf.sparse", "tf.dtypes", "tf.random", "tf.image",
    "tf.io", "tf.debugging", "tf.autodiff", "tf.nest", "tf.errors", "tf.config", "tf.data",
    "tf.train", "tf.compat.v1", "tf.compat.v1.math", "tf.compat.v1.nn", "tf.compat.v1.linalg",
    "tf.compat.v1.train", "tf.compat.v1.strings",
)  # fmt: skip


def kind_of(value):
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "value"


def is_there(module, name):
    """Some names are listed but cannot be loaded."""
    try:
        getattr(module, name)
    except Exception:
        return False
    return True


def names_of(space):
    module = tf
    for part in space.split(".")[1:]:
        module = getattr(module, part)
    return {
        name: kind_of(getattr(module, name))
        for name in sorted(dir(module))
        if not name.startswith("_") and is_there(module, name)
    }


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        json.dump(
            {"tensorflow": tf.__version__, "spaces": {s: names_of(s) for s in SPACES}},
            file,
            indent=0,
            sort_keys=True,
        )
        file.write("\n")
