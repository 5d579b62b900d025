"""Writes tests/python/golden/random.json: random numbers as TensorFlow gives them.

Run under an environment that has TensorFlow:  python tools/golden_random.py
The programs below run unchanged under TensorFlow and under the engine; the tests run them again.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

TARGET = Path(__file__).parent.parent / "tests" / "python" / "golden" / "random.json"

# Each program is a list of expressions, evaluated in order with `tf` and `np`; a statement gives nothing.
PROGRAMS = {
    "uniform then normal": [
        "tf.random.set_seed(1)",
        "tf.random.uniform([2])",
        "tf.random.normal([2])",
        "tf.random.uniform([2, 2], -1., 3.)",
        "tf.random.uniform([3], dtype=tf.float64)",
        "tf.random.normal([3], 2., 0.5, dtype=tf.float64)",
    ],
    "op seeds go on": [
        "tf.random.set_seed(1)",
        "tf.random.uniform([2], seed=3)",
        "tf.random.uniform([2], seed=3)",
        "tf.random.uniform([3, 2], seed=3)",
        "tf.random.uniform(np.array([2]), seed=3)",
        "tf.random.uniform([2], seed=3)",
        "tf.random.normal([2], seed=3)",
        "tf.random.set_seed(1)",
        "tf.random.uniform([2], seed=3)",
    ],
    "no global seed": [
        "tf.random.set_seed(None)",
        "tf.random.uniform([3], seed=5)",
        "tf.random.normal([3], seed=5)",
    ],
    "zero and large seeds": [
        "tf.random.set_seed(0)",
        "tf.random.uniform([2], seed=0)",
        "tf.random.uniform([2])",
        "tf.random.truncated_normal([3], seed=1)",
        "tf.random.set_seed(2**31 + 5)",
        "tf.random.uniform([2])",
        "tf.random.uniform([2], seed=-4)",
    ],
    "integers": [
        "tf.random.set_seed(7)",
        "tf.random.uniform([6], 0, 10, tf.int32)",
        "tf.random.uniform([5], -5, 2**40, tf.int64)",
        "tf.random.uniform([4], maxval=2**31 - 1, dtype=tf.int32, seed=2)",
        "tf.random.uniform([4], minval=-2**31, maxval=2**31 - 1, dtype=tf.int32, seed=2)",
    ],
    "half precision": [
        "tf.random.set_seed(7)",
        "tf.random.uniform([5], dtype=tf.float16)",
        "tf.random.normal([5], dtype=tf.float16)",
        "tf.random.truncated_normal([5], dtype=tf.float16)",
    ],
    "truncated": [
        "tf.random.set_seed(11)",
        "tf.random.truncated_normal([7])",
        "tf.random.truncated_normal([5], dtype=tf.float64)",
        "tf.random.truncated_normal([2, 3], 1., 0.02)",
        "tf.reduce_sum(tf.cast(tf.random.truncated_normal([5000]), tf.float64))",
    ],
    "long": [
        "tf.random.set_seed(3)",
        "tf.reduce_sum(tf.cast(tf.random.uniform([70001]), tf.float64))",
        "tf.random.uniform([70001])[-3:]",
        "tf.random.normal([70001])[-5:]",
        "tf.random.uniform([40001], dtype=tf.float64)[-2:]",
    ],
    "shuffle": [
        "tf.random.set_seed(1)",
        "tf.random.shuffle([1, 2, 3, 4])",
        "tf.random.shuffle(tf.range(12))",
        "tf.random.shuffle([[1, 2], [3, 4], [5, 6]], seed=4)",
        "tf.random.shuffle([[1, 2], [3, 4], [5, 6]], seed=4)",
    ],
    "categorical": [
        "tf.random.set_seed(1)",
        "tf.random.categorical([[0., 1., 2.], [3., -1., 0.]], 8)",
        "tf.random.categorical([[0., 1., 2.]], 5, dtype=tf.int32, seed=3)",
        "tf.random.categorical([[0., 1., 2.]], 5, dtype=tf.int32, seed=3)",
        "tf.random.categorical([[float('-inf'), 0., float('nan')]], 4)",
    ],
    "gamma": [
        "tf.random.set_seed(1)",
        "tf.random.gamma([4], [0.3, 1.0, 2.5])",
        "tf.random.gamma([2], [[0.5], [4.0]], [1.0, 10.0], seed=2)",
        "tf.random.gamma([3], 5.0, dtype=tf.float64, seed=2)",
    ],
    "poisson": [
        "tf.random.set_seed(1)",
        "tf.random.poisson([5], [0.7, 9.0, 25.0])",
        "tf.random.poisson([4], 3.0, dtype=tf.int64, seed=2)",
        "tf.random.poisson([2], tf.constant([400.0], tf.float64), dtype=tf.float64, seed=2)",
    ],
    "stateless": [
        "tf.random.stateless_uniform([3], [1, 2])",
        "tf.random.stateless_uniform([3], [1, 2], -1, 1, tf.float64)",
        "tf.random.stateless_uniform([3], [1, 2], 0, 100, tf.int32)",
        "tf.random.stateless_uniform([3], [1, 2], None, None, tf.int64)",
        "tf.random.stateless_normal([3], [2**40, -7])",
        "tf.random.stateless_truncated_normal([6], [3, 4], 1.0, 2.0)",
        "tf.random.stateless_categorical([[0., 1., 2.]], 6, [3, 4])",
        "tf.random.stateless_gamma([3, 2], [3, 4], [0.4, 3.0], 2.0)",
        "tf.random.stateless_poisson([3, 2], [3, 4], [2.0, 30.0])",
        "tf.random.stateless_binomial([3, 2], [3, 4], [10., 200.], [0.3, 0.8])",
        "tf.random.stateless_parameterized_truncated_normal([4, 3], [3, 4], [0., 0., 1.], 1.,"
        " [-1., 2., -np.inf], [np.inf, 3., 0.])",
        "tf.random.experimental.stateless_shuffle(tf.range(7), [3, 4])",
        "tf.random.split([1, 2], 3)",
        "tf.random.fold_in([1, 2], 3)",
        "tf.random.experimental.index_shuffle(tf.range(9), [5, 9], 8)",
        "tf.random.experimental.index_shuffle(tf.constant(12345, tf.int64), [5, 9],"
        " tf.constant(10**12, tf.int64))",
    ],
    "generator": [
        "g = tf.random.Generator.from_seed(1234)",
        "g.normal([2, 3])",
        "g.state.numpy()",
        "g.uniform([3])",
        "g.uniform([3], 5, 50, tf.int32)",
        "g.uniform_full_int([2], tf.uint32)",
        "g.truncated_normal([3])",
        "g.make_seeds(2)",
        "[h.state.numpy().tolist() for h in g.split(2)]",
        "g.binomial([3, 2], [10., 200.], [0.3, 0.8])",
        "g.skip(3)",
        "g.state.numpy()",
        "tf.random.create_rng_state(2**200 + 5, 'philox')",
        "tf.random.create_rng_state([12, 34], 'threefry')",
        "tf.random.create_rng_state(-1, 'philox')",
    ],
    "candidates": [
        "tf.random.set_seed(1)",
        "tf.random.uniform_candidate_sampler([[0, 5], [9, 3]], 2, 6, True, 50).sampled_candidates",
        "tf.random.log_uniform_candidate_sampler([[0, 5]], 2, 6, False, 50, seed=2).sampled_candidates",
        "tf.random.log_uniform_candidate_sampler([[0, 5]], 2, 6, False, 50, seed=2).true_expected_count",
        "tf.random.learned_unigram_candidate_sampler([[0, 5]], 2, 6, True, 9, seed=2).sampled_candidates",
        "tf.random.learned_unigram_candidate_sampler([[0, 5]], 2, 6, True, 9, seed=2).sampled_candidates",
        "tf.random.fixed_unigram_candidate_sampler([[0, 2]], 2, 6, False, 4, num_reserved_ids=1,"
        " unigrams=[3., 1., 5.], distortion=0.75).sampled_candidates",
        "tf.random.all_candidate_sampler([[0, 2]], 2, 4, True).sampled_candidates",
    ],
    "gamma gradient": [
        "a = tf.constant([0.4, 1.0, 3.0])",
        "t = tf.GradientTape()",
        "t.__enter__() and None",
        "t.watch(a)",
        "y = tf.random.stateless_gamma([4, 3], [3, 4], a, 2.0)",
        "t.__exit__(None, None, None)",
        "t.gradient(y, a)",
    ],
}

# Dataset.shuffle: global seed, seed, elements, buffer, reshuffle each iteration; three iterations each.
SHUFFLES = [
    (None, 1, 10, 10, True),
    (42, 1, 10, 10, True),
    (42, None, 12, 5, True),
    (None, 1, 5, 5, False),
    (None, 0, 7, 3, True),
    (7, 3, 9, 100, True),
    (7, 3, 6, 1, True),
]

# Inside tf.function: what two calls give.
FUNCTION = {
    "seed": 1,
    "expressions": [
        "tf.random.uniform([1])",
        "tf.random.normal([1])",
        "tf.random.uniform([1], seed=3)",
    ],
}


def as_list(value):
    """A value as what JSON can hold: floats as exact hexadecimal text."""
    import numpy as np

    if isinstance(value, list):
        return value
    array = np.asarray(value)
    if array.dtype.kind in "f" or array.dtype.name == "bfloat16":
        flat = [float(x).hex() for x in array.astype(np.float64).reshape(-1)]
    else:
        flat = [int(x) for x in array.reshape(-1)]
    return {"dtype": array.dtype.name, "shape": list(array.shape), "values": flat}


def run(expressions, names):
    """The values of the expressions in order; a statement gives None."""
    results = []
    for text in expressions:
        try:
            code = compile(text, "<golden>", "eval")
        except SyntaxError:
            exec(text, names)
            results.append(None)
        else:
            value = eval(code, names)
            results.append(None if value is None else as_list(value))
    return results


def main() -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf

    programs = {title: run(code, {"tf": tf, "np": np}) for title, code in PROGRAMS.items()}
    shuffles = []
    for whole, seed, count, size, again in SHUFFLES:
        tf.random.set_seed(whole)
        made = tf.data.Dataset.range(count).shuffle(size, seed=seed, reshuffle_each_iteration=again)
        orders = [[int(x) for x in made] for _ in range(3)]
        shuffles.append([whole, seed, count, size, again, orders])
    tf.random.set_seed(FUNCTION["seed"])
    traced = tf.function(lambda: [eval(e, {"tf": tf}) for e in FUNCTION["expressions"]])
    calls = [[as_list(x) for x in traced()] for _ in range(2)]
    golden = {
        "tensorflow": tf.__version__,
        "programs": programs,
        "shuffles": shuffles,
        "function": {**FUNCTION, "calls": calls},
    }
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(golden, indent=0, separators=(",", ":")) + "\n")
    sys.stdout.write(f"{TARGET}: TensorFlow {tf.__version__}\n")


if __name__ == "__main__":
    main()
