"""Golden values of TensorFlow 1's optimizers, losses, schedules and cells, computed by TensorFlow.

Run under an environment that has TensorFlow: python tools/golden_v1.py > tests/python/golden/v1.json
"""

import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
T = v1.train
OPTIMIZERS = {
    "sgd": lambda: T.GradientDescentOptimizer(0.1),
    "momentum": lambda: T.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: T.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: T.AdamOptimizer(0.1),
    "adagrad": lambda: T.AdagradOptimizer(0.1),
    "adadelta": lambda: T.AdadeltaOptimizer(0.1),
    "rmsprop": lambda: T.RMSPropOptimizer(0.1),
    "rmsprop_momentum": lambda: T.RMSPropOptimizer(0.1, momentum=0.5),
    "rmsprop_centered": lambda: T.RMSPropOptimizer(0.1, momentum=0.9, centered=True),
    "ftrl": lambda: T.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02
    ),
    "ftrl_power": lambda: T.FtrlOptimizer(
        0.1, learning_rate_power=-0.7, l2_shrinkage_regularization_strength=0.1
    ),
    "proximal_sgd": lambda: T.ProximalGradientDescentOptimizer(0.1, 0.2, 0.3),
    "proximal_adagrad": lambda: T.ProximalAdagradOptimizer(0.1, 0.1, 0.2, 0.3),
}


def trajectories():
    made = {}
    for name, make in OPTIMIZERS.items():
        for dtype in ("float32", "float64"):
            q = tf.Variable(np.array([[1.0, -2.0], [0.5, 3.0], [2.0, -1.0]], dtype), name="q")
            optimizer, steps = make(), []
            for _ in range(4):
                try:
                    optimizer.minimize(lambda q=q: 0.5 * tf.reduce_sum(q * q))
                except (ValueError, TypeError, tf.errors.OpError):
                    break
                steps.append(q.numpy().tolist())
            if steps:
                made[f"{name}/{dtype}"] = {"steps": steps}
        table = tf.Variable(np.array([[1.0, -2.0], [0.5, 3.0], [2.0, -1.0]], "f"), name="table")
        optimizer, steps = make(), []
        for _ in range(3):
            with tf.GradientTape() as tape:
                rows = tf.gather(table, [0, 2, 0])
                loss = tf.reduce_sum(rows * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
            try:
                optimizer.apply_gradients([(tape.gradient(loss, table), table)])
            except (ValueError, TypeError, NotImplementedError, tf.errors.OpError):
                break
            steps.append(table.numpy().tolist())
        if steps:
            made[f"{name}/rows"] = {"steps": steps}
    return made


def losses():
    L = v1.losses
    rng = np.random.RandomState(0)
    labels, predictions = (
        rng.uniform(size=(4, 3)).astype("f"),
        rng.uniform(0.05, 0.95, size=(4, 3)).astype("f"),
    )
    logits, numbers = rng.normal(size=(4, 3)).astype("f"), np.array([0, 2, 1, 1])
    onehot = np.eye(3, dtype="f")[numbers]
    weights = np.array([[1.0], [0.0], [2.0], [0.5]], "f")
    made = {
        "inputs": {
            "labels": labels.tolist(),
            "predictions": predictions.tolist(),
            "logits": logits.tolist(),
            "numbers": numbers.tolist(),
            "weights": weights.tolist(),
        }
    }
    R = L.Reduction
    for reduction in (R.NONE, R.SUM, R.SUM_OVER_BATCH_SIZE, R.MEAN, R.SUM_BY_NONZERO_WEIGHTS):
        o = {"weights": weights, "reduction": reduction}
        flat = {"weights": weights[:, 0], "reduction": reduction}
        found = {
            "mean_squared_error": L.mean_squared_error(labels, predictions, **o),
            "absolute_difference": L.absolute_difference(labels, predictions, **o),
            "huber_loss": L.huber_loss(labels, predictions, delta=0.3, **o),
            "hinge_loss": L.hinge_loss((labels > 0.5).astype("f"), logits, **o),
            "log_loss": L.log_loss(labels, predictions, **o),
            "cosine_distance": L.cosine_distance(labels, predictions, axis=1, **o),
            "sigmoid_cross_entropy": L.sigmoid_cross_entropy(
                labels, logits, label_smoothing=0.1, **o
            ),
            "softmax_cross_entropy": L.softmax_cross_entropy(
                onehot, logits, label_smoothing=0.1, **flat
            ),
            "sparse_softmax_cross_entropy": L.sparse_softmax_cross_entropy(numbers, logits, **flat),
        }
        made[reduction] = {name: value.numpy().tolist() for name, value in found.items()}
    made["mean_pairwise_squared_error"] = float(L.mean_pairwise_squared_error(labels, predictions))
    return made


def decays():
    made = {}
    for step in (0, 3, 7, 12, 25):
        found = {
            "exponential": T.exponential_decay(0.5, step, 5, 0.9),
            "staircase": T.exponential_decay(0.5, step, 5, 0.9, staircase=True),
            "natural": T.natural_exp_decay(0.5, step, 5, 0.9),
            "inverse": T.inverse_time_decay(0.5, step, 5, 0.9),
            "polynomial": T.polynomial_decay(0.5, step, 10, 0.01, power=2.0),
            "cycle": T.polynomial_decay(0.5, step, 10, 0.01, cycle=True),
            "piecewise": T.piecewise_constant(step, [3, 10], [1.0, 0.5, 0.1]),
            "cosine": T.cosine_decay(0.5, step, 10, alpha=0.1),
            "restarts": T.cosine_decay_restarts(0.5, step, 5, m_mul=0.8),
            "linear_cosine": T.linear_cosine_decay(0.5, step, 10),
        }
        made[str(step)] = {name: float(value()) for name, value in found.items()}
    return made


def clipping():
    a, b = np.array([[3.0, -4.0], [0.5, 1.0]], "f"), np.array([1.0, 12.0], "f")
    clipped, norm = tf.clip_by_global_norm([a, None, b], 5.0)
    return {
        "norm": float(norm), "global": [clipped[0].numpy().tolist(), clipped[2].numpy().tolist()],
        "by_norm": tf.clip_by_norm(a, 2.0).numpy().tolist(),
        "by_norm_axis": tf.clip_by_norm(a, 2.0, axes=[1]).numpy().tolist(),
        "average": v1.clip_by_average_norm(a, 0.5).numpy().tolist(),
    }  # fmt: skip


print(
    json.dumps(
        {
            "tensorflow": tf.__version__, "optimizers": trajectories(), "losses": losses(), "decays": decays(),
            "clipping": clipping(),
        },
        separators=(",", ":"),
    )
)  # fmt: skip
