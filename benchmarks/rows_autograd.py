"""The tape rows in autograd: a tape in Python over NumPy."""

import autograd.numpy as anp
import numpy as np
from autograd import elementwise_grad, grad


def rows():
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    m2, m22 = normal(2), normal(2, 2)

    def tanhs(x):
        for _ in range(1000):
            x = anp.tanh(x)
        return anp.sum(x)

    def mlp_step():
        weights = [normal(784, 128, scale=0.05), np.zeros(128, np.float32),
                   normal(128, 10, scale=0.05), np.zeros(10, np.float32)]  # fmt: skip
        x, y = normal(64, 784), rng.integers(0, 10, 64)

        def loss(weights):
            w1, b1, w2, b2 = weights
            logits = anp.dot(anp.maximum(anp.dot(x, w1) + b1, 0), w2) + b2
            logits = logits - anp.max(logits, axis=1, keepdims=True)
            logs = logits - anp.log(anp.sum(anp.exp(logits), axis=1, keepdims=True))
            return -anp.mean(logs[np.arange(64), y])

        gradient = grad(loss)

        def step():
            for weight, g in zip(weights, gradient(weights)):
                weight -= 0.01 * g

        return step

    def linreg_step():
        x, y = normal(17), normal(17)
        state = [0.0, 0.0]
        gradient = grad(lambda s: anp.sum((x * s[0] + s[1] - y) ** 2) / 34.0)

        def step():
            dw, db = gradient(state)
            state[0] -= 0.01 * dw
            state[1] -= 0.01 * db

        return step

    chain, product = grad(tanhs), grad(lambda x: anp.sum(anp.dot(x, x)))
    second = elementwise_grad(elementwise_grad(lambda x: x * x * x))
    return {
        "grad_matmul_2x2": lambda: lambda: product(m22),
        "chain_tanh_1000_fwd_bwd": lambda: lambda: chain(m2),
        "mlp_step": mlp_step,
        "linreg_step": linreg_step,
        "second_derivative": lambda: lambda: second(3.0),
    }
