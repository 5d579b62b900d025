"""The rows that make sense by NumPy alone: what the arithmetic itself costs."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def rows():
    rng = np.random.default_rng(0)

    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    m2, m22 = normal(2), normal(2, 2)
    table = {
        "const_float": lambda: lambda: np.array(42.0, np.float32),
        "tensor_from_np": lambda: lambda: np.array(m22),
        "multiply_2": lambda: lambda: m2 * m2,
        "matmul_2x2": lambda: lambda: np.matmul(m22, m22),
    }

    def chain():
        def once():
            x = m2
            for _ in range(1000):
                x = np.tanh(x)

        return once

    table["chain_tanh_1000"] = chain

    def mlp_step():
        w1, b1 = normal(784, 128) * 0.05, np.zeros(128, np.float32)
        w2, b2 = normal(128, 10) * 0.05, np.zeros(10, np.float32)
        x, y = normal(64, 784), rng.integers(0, 10, 64)
        every = np.arange(64)

        def step():
            pre = x @ w1 + b1
            h = np.maximum(pre, 0)
            logits = h @ w2 + b2
            p = np.exp(logits - logits.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            p[every, y] -= 1
            p /= 64
            dh = p @ w2.T
            dh[pre <= 0] = 0
            for w, g in ((w2, h.T @ p), (b2, p.sum(0)), (w1, x.T @ dh), (b1, dh.sum(0))):
                w -= 0.01 * g

        return step

    table["mlp_step"] = mlp_step

    for n in (256, 1024, 2048):

        def gemm(n=n):
            a, b = normal(n, n), normal(n, n)
            return lambda: a @ b

        table[f"gemm_{n}"] = gemm

    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def layer_norm(x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-3)

    large = {
        "add": lambda x: x + x,
        "mul_add": lambda x: x * np.float32(2) + x,
        "exp": np.exp,
        "tanh": np.tanh,
        "sum": np.sum,
        "mean_rows": lambda x: x.mean(1),
        "sum_columns": lambda x: x.sum(0),
        "max_rows": lambda x: x.max(1),
        "softmax": softmax,
        "layer_norm": layer_norm,
    }
    for label, size in (("1m", 1024), ("16m", 4096)):
        for name, function in large.items():

            def elementwise(function=function, size=size):
                x = normal(size, size)
                return lambda: function(x)

            table[f"{name}_{label}"] = elementwise

    def adam_10m():
        """A pass over the memory that Adam reads (weights, gradients, two moments) and writes (all but gradients)."""
        threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        pool = ThreadPoolExecutor(threads)
        parts = [[normal(10_000_000 // threads) for _ in range(4)] for _ in range(threads)]

        def go(weights, gradients, mean, square):
            np.add(weights, gradients, out=weights)
            np.negative(mean, out=mean)
            np.negative(square, out=square)

        return lambda: list(pool.map(lambda part: go(*part), parts))

    table["adam_10m"] = adam_10m
    return table
