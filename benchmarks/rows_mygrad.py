"""The tape rows in MyGrad: a tape in Python over NumPy."""

import mygrad as mg
import numpy as np


def rows():
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    m2, m22 = normal(2), normal(2, 2)

    def chain():
        leaf = x = mg.tensor(m2)
        for _ in range(1000):
            x = mg.tanh(x)
        x.sum().backward()
        return leaf.grad

    def product():
        x = mg.tensor(m22)
        mg.matmul(x, x).sum().backward()
        return x.grad

    def mlp_step():
        weights = [mg.tensor(w) for w in (
            normal(784, 128, scale=0.05), np.zeros(128, np.float32),
            normal(128, 10, scale=0.05), np.zeros(10, np.float32))]  # fmt: skip
        x, y = normal(64, 784), rng.integers(0, 10, 64)

        def step():
            w1, b1, w2, b2 = weights
            hidden = mg.maximum(mg.matmul(x, w1) + b1, 0)
            logs = mg.nnet.activations.logsoftmax(mg.matmul(hidden, w2) + b2)
            (-mg.mean(logs[np.arange(64), y])).backward()
            for weight in weights:
                weight.data -= 0.01 * weight.grad
                weight.null_grad()

        return step

    def linreg_step():
        x, y = normal(17), normal(17)
        w, b = mg.tensor(0.0), mg.tensor(0.0)

        def step():
            (mg.sum((x * w + b - y) ** 2) / 34.0).backward()
            for weight in (w, b):
                weight.data -= 0.01 * weight.grad
                weight.null_grad()

        return step

    return {
        "grad_matmul_2x2": lambda: product,
        "chain_tanh_1000_fwd_bwd": lambda: chain,
        "mlp_step": mlp_step,
        "linreg_step": linreg_step,
    }
