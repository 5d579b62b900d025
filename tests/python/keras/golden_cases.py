"""What is compared with TensorFlow: tools/golden_keras.py computes it, test_golden.py checks it.

Nothing here imports either library: `K` is the `keras` name space of the one that runs.
"""

import numpy as np


def numbers(shape, seed):
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def _layer(cls, shape, training=None, whole=False, **options):
    return {"class": cls, "shape": shape, "options": options, "training": training, "whole": whole}


LAYERS = {
    "dense": _layer("Dense", (3, 4), units=5, activation="tanh"),
    "dense_3d": _layer("Dense", (2, 3, 4), units=5),
    "conv1d_causal": _layer(
        "Conv1D", (2, 6, 3), filters=4, kernel_size=3, padding="causal", dilation_rate=2
    ),
    "conv2d_same": _layer(
        "Conv2D", (2, 5, 6, 3), filters=4, kernel_size=3, strides=2, padding="same"
    ),
    "conv2d_valid": _layer(
        "Conv2D", (2, 7, 6, 3), filters=4, kernel_size=(3, 2), dilation_rate=2, activation="relu"
    ),
    "conv3d": _layer("Conv3D", (1, 4, 5, 4, 2), filters=3, kernel_size=2, padding="same"),
    "conv2d_transpose_same": _layer(
        "Conv2DTranspose", (2, 3, 4, 3), filters=4, kernel_size=5, strides=2, padding="same"
    ),
    "conv2d_transpose_valid": _layer(
        "Conv2DTranspose", (2, 3, 4, 3), filters=2, kernel_size=2, strides=3
    ),
    "conv1d_transpose": _layer(
        "Conv1DTranspose", (2, 5, 3), filters=4, kernel_size=3, strides=2, padding="same"
    ),
    "conv3d_transpose": _layer(
        "Conv3DTranspose", (1, 2, 3, 2, 2), filters=2, kernel_size=3, strides=2, padding="same"
    ),
    "batch_normalization": _layer("BatchNormalization", (6, 3)),
    "batch_normalization_training": _layer(
        "BatchNormalization", (6, 3), training=True, momentum=0.8
    ),
    "batch_normalization_axis": _layer(
        "BatchNormalization", (4, 3, 5), training=True, axis=1, epsilon=0.01
    ),
    "embedding": _layer("Embedding", (2, 3), whole=True, input_dim=5, output_dim=4),
    "max_pooling": _layer("MaxPooling2D", (2, 5, 5, 2), pool_size=3, strides=2, padding="same"),
    "average_pooling": _layer(
        "AveragePooling2D", (2, 5, 5, 2), pool_size=3, strides=2, padding="same"
    ),
    "max_pooling_1d": _layer("MaxPooling1D", (2, 7, 2), pool_size=3),
    "average_pooling_3d": _layer("AveragePooling3D", (1, 4, 4, 4, 2), pool_size=2),
    "global_average": _layer("GlobalAveragePooling2D", (2, 5, 4, 3)),
    "zero_padding": _layer("ZeroPadding2D", (1, 2, 3, 1), padding=((1, 0), (2, 1))),
    "relu": _layer("ReLU", (3, 4), max_value=1.0, negative_slope=0.1, threshold=0.2),
    "permute": _layer("Permute", (2, 3, 4), dims=(2, 1)),
}

ACTIVATIONS = [
    "elu", "exponential", "gelu", "linear", "relu", "selu", "sigmoid", "softmax", "softplus", "softsign", "swish",
    "tanh",
    "mish", "log_softmax", "relu6",
]  # fmt: skip


def targets(kind, seed=5):
    rng = np.random.default_rng(seed)
    if kind == "binary":
        return rng.integers(0, 2, (4, 3)).astype("float32")
    if kind == "one_hot":
        return np.eye(3, dtype="float32")[rng.integers(0, 3, 4)]
    if kind == "classes":
        return rng.integers(0, 3, 4)
    if kind == "signs":
        return (rng.integers(0, 2, (4, 3)) * 2 - 1).astype("float32")
    return rng.uniform(0.1, 2.0, (4, 3)).astype("float32")


def predictions(kind, seed=6):
    rng = np.random.default_rng(seed)
    if kind == "probabilities":
        p = rng.uniform(0.05, 0.95, (4, 3))
        return (p / p.sum(1, keepdims=True)).astype("float32")
    if kind == "positive":
        return rng.uniform(0.1, 2.0, (4, 3)).astype("float32")
    return rng.normal(size=(4, 3)).astype("float32")


LOSSES = {
    "mse": ("MeanSquaredError", "positive", "logits", {}),
    "mae": ("MeanAbsoluteError", "positive", "logits", {}),
    "mape": ("MeanAbsolutePercentageError", "positive", "positive", {}),
    "msle": ("MeanSquaredLogarithmicError", "positive", "positive", {}),
    "bce": ("BinaryCrossentropy", "binary", "probabilities", {}),
    "bce_logits": (
        "BinaryCrossentropy",
        "binary",
        "logits",
        {"from_logits": True, "label_smoothing": 0.1},
    ),
    "focal": ("BinaryFocalCrossentropy", "binary", "probabilities", {}),
    "cce": ("CategoricalCrossentropy", "one_hot", "probabilities", {}),
    "cce_logits": (
        "CategoricalCrossentropy",
        "one_hot",
        "logits",
        {"from_logits": True, "label_smoothing": 0.2},
    ),
    "scce": ("SparseCategoricalCrossentropy", "classes", "probabilities", {}),
    "scce_logits": ("SparseCategoricalCrossentropy", "classes", "logits", {"from_logits": True}),
    "kld": ("KLDivergence", "probabilities_", "probabilities", {}),
    "hinge": ("Hinge", "signs", "logits", {}),
    "squared_hinge": ("SquaredHinge", "signs", "logits", {}),
    "categorical_hinge": ("CategoricalHinge", "one_hot", "logits", {}),
    "cosine": ("CosineSimilarity", "positive", "logits", {}),
    "logcosh": ("LogCosh", "positive", "logits", {}),
    "huber": ("Huber", "positive", "logits", {"delta": 0.7}),
    "poisson": ("Poisson", "positive", "positive", {}),
}


def loss_data(name):
    _, target, prediction, _ = LOSSES[name]
    y = predictions("probabilities", 9) if target == "probabilities_" else targets(target)
    return y, predictions(prediction), np.array([1.0, 0.0, 2.0, 0.5], "float32")


OPTIMIZERS = {
    "sgd": ("SGD", {"learning_rate": 0.1}),
    "momentum": ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    "nesterov": ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    "adam": ("Adam", {"learning_rate": 0.1}),
    "amsgrad": ("Adam", {"learning_rate": 0.1, "amsgrad": True, "beta_1": 0.5}),
    "adagrad": ("Adagrad", {"learning_rate": 0.1}),
    "adadelta": ("Adadelta", {"learning_rate": 1.0}),
    "rmsprop": ("RMSprop", {"learning_rate": 0.01}),
    "rmsprop_momentum": ("RMSprop", {"learning_rate": 0.01, "momentum": 0.9, "centered": True}),
    "adamax": ("Adamax", {"learning_rate": 0.1}),
    "nadam": ("Nadam", {"learning_rate": 0.1}),
    "ftrl": (
        "Ftrl",
        {
            "learning_rate": 0.1,
            "l1_regularization_strength": 0.01,
            "l2_regularization_strength": 0.1,
        },
    ),
    "clipnorm": ("SGD", {"learning_rate": 0.1, "clipnorm": 0.5}),
    "clipvalue": ("SGD", {"learning_rate": 0.1, "clipvalue": 0.3}),
    "global_clipnorm": ("Adam", {"learning_rate": 0.1, "global_clipnorm": 0.5}),
    "adamw": ("AdamW", {"learning_rate": 0.1, "weight_decay": 0.05}),
}
STEPS = 5

SCHEDULES = {
    "exponential": ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "decay_rate": 0.8}),
    "staircase": (
        "ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "decay_rate": 0.8, "staircase": True},
    ),
    "inverse": ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 7, "decay_rate": 0.8}),
    "piecewise": ("PiecewiseConstantDecay", {"boundaries": [5, 12], "values": [1.0, 0.5, 0.1]}),
    "polynomial": ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "power": 2.0}),
    "cycle": ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "cycle": True}),
    "cosine": ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 15, "alpha": 0.1}),
    "warmup": (
        "CosineDecay", {"initial_learning_rate": 0.0, "decay_steps": 15, "warmup_target": 0.2, "warmup_steps": 5},
    ),
    "restarts": ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 6, "m_mul": 0.9}),
}  # fmt: skip

INITIALIZERS = {
    "glorot_uniform": {}, "glorot_normal": {}, "he_uniform": {}, "he_normal": {}, "lecun_uniform": {},
    "lecun_normal": {},
    "random_normal": {"mean": 0.5, "stddev": 0.2}, "random_uniform": {"minval": -1.0, "maxval": 2.0},
    "truncated_normal": {"mean": 0.0, "stddev": 0.3},
}  # fmt: skip


def layer_inputs(case, seed):
    if case["whole"]:
        return np.random.default_rng(seed).integers(0, 5, case["shape"]).astype("int32")
    return numbers(case["shape"], seed)


def run_layer(tf, name):
    """Result, and gradients of a weighted sum of it, with weights that were drawn by NumPy."""
    case = LAYERS[name]
    x = tf.constant(layer_inputs(case, 1))
    layer = getattr(tf.keras.layers, case["class"])(**case["options"])
    layer.build(x.shape)
    drawn = [numbers(tuple(w.shape), 10 + i) * 0.5 for i, w in enumerate(layer.weights)]
    drawn = [
        np.abs(d) if "variance" in w.name else d for d, w in zip(drawn, layer.weights, strict=True)
    ]
    layer.set_weights(drawn)
    extra = {} if case["training"] is None else {"training": case["training"]}
    with tf.GradientTape() as tape:
        if not case["whole"]:
            tape.watch(x)
        y = layer(x, **extra)
        total = tf.reduce_sum(y * numbers(tuple(y.shape), 3))
    sources = list(layer.trainable_variables) if case["whole"] else [x, *layer.trainable_variables]
    sources = [getattr(s, "value", s) if hasattr(s, "path") else s for s in sources]
    gradients = [np.array(tf.convert_to_tensor(g)) for g in tape.gradient(total, sources)]
    return {
        "output": np.array(y),
        "gradients": gradients,
        "weights": [np.array(w) for w in layer.get_weights()],
    }


def run_optimizer(tf, name):
    """A variable after each step along fixed gradients."""
    cls, options = OPTIMIZERS[name]
    optimizer = getattr(tf.keras.optimizers, cls)(**options)
    v, w = tf.Variable(numbers((3, 2), 1)), tf.Variable(numbers((4,), 2))
    found = []
    for step in range(STEPS):
        gradients = [numbers((3, 2), 20 + step), numbers((4,), 40 + step)]
        optimizer.apply_gradients(zip([tf.constant(g) for g in gradients], [v, w], strict=True))
        found.append([np.array(v), np.array(w)])
    return found
