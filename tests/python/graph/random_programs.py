"""Random programs: ops, control flow and variables, for comparing eager execution with graphs."""

import numpy as np

import eagercore as tf

UNARY = [tf.tanh, tf.sin, tf.square, tf.negative, tf.nn.relu, tf.identity, tf.abs, tf.sigmoid, lambda x: x * 1.0,
         lambda x: tf.negative(-x), lambda x: x - 0.0, lambda x: x / 1.0,
         lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32)]  # fmt: skip
BINARY = [tf.add, tf.multiply, tf.subtract, tf.maximum, tf.minimum, lambda a, b: a / (1.0 + tf.square(b)),
          lambda a, b: tf.where(a > b, a, b * 0.5)]  # fmt: skip
SHAPES = [(), (3,), (4, 3), (2, 4, 3), (4, 1)]


class RandomProgram:
    """A program that is drawn once and may be run many times, in any mode.

    Args:
        seed: What it follows from.
        length: Number of steps.
        control: Whether it has conditionals and loops.
        variables: Variables that it reads and changes.
    """

    def __init__(self, seed, length=12, control=True, variables=()):
        self.rng = np.random.default_rng(seed)
        self.control = control
        self.count = 3
        self.steps = [self.step(depth=0) for _ in range(length)]
        self.variables = list(variables)

    def step(self, depth):
        rng = self.rng
        kinds = ["unary", "binary", "binary", "shape", "reduce", "constant", "matmul", "same"]
        if self.control and depth < 2:
            kinds += ["cond", "while"]
        if depth == 0:
            kinds += ["variable"]
        kind = rng.choice(kinds)
        draws = rng.integers(0, 1 << 30, size=6)
        inner = [self.step(depth + 1) for _ in range(2)] if kind in ("cond", "while") else []
        return str(kind), draws, inner

    def inputs(self):
        rng = np.random.default_rng(7)
        return [
            tf.constant(rng.uniform(-1, 1, size=s).astype(np.float32))
            for s in [(4, 3), (3,), (2, 4, 3)]
        ]

    def __call__(self, *inputs):
        values = list(inputs)
        for step in self.steps:
            self.run(step, values)
        return [tf.reduce_sum(tf.tanh(v)) for v in values[-4:]] + [values[-1]]

    def run(self, step, values):
        kind, draws, inner = step
        x = values[draws[0] % len(values)]
        y = values[draws[1] % len(values)]
        if kind == "unary":
            made = UNARY[draws[2] % len(UNARY)](x)
        elif kind == "binary":
            made = self.binary(draws, x, y)
        elif kind == "shape":
            made = [lambda: tf.reshape(tf.reshape(x, [-1]), x.shape), lambda: tf.transpose(tf.transpose(x)),
                    lambda: tf.expand_dims(x, 0), lambda: tf.concat([tf.reshape(x, [-1])] * 2,
                    0)[:3]][draws[2] % 4]()  # fmt: skip
        elif kind == "reduce":
            made = [tf.reduce_sum, tf.reduce_mean, tf.reduce_max][draws[2] % 3](
                x, axis=None if draws[3] % 2 else 0 if x.shape.rank else None
            )
        elif kind == "constant":
            made = x + float(draws[2] % 5) * 0.25
        elif kind == "matmul":
            flat = tf.reshape(x, [1, -1])
            made = tf.matmul(tf.tanh(flat), flat, transpose_b=True) * 0.1
        elif kind == "same":
            made = tf.tanh(x) + tf.tanh(x)
        elif kind == "variable":
            made = self.touch(draws, x)
        else:
            made = self.flow(kind, draws, inner, x, y)
        values.append(tf.clip_by_value(made, -10.0, 10.0) if made.shape.rank is not None else made)

    def binary(self, draws, x, y):
        function = BINARY[draws[2] % len(BINARY)]
        try:
            np.broadcast_shapes(tuple(x.shape), tuple(y.shape))
        except ValueError:
            y = tf.reduce_sum(y) * 0.1
        return function(x, y)

    def touch(self, draws, x):
        if not self.variables:
            return x * 0.5
        variable = self.variables[draws[2] % len(self.variables)]
        before = variable.value()
        change = tf.zeros(variable.shape) + tf.reduce_mean(x) * 0.1
        [variable.assign_add, variable.assign_sub, lambda v: variable.assign(v * 2.0)][
            draws[3] % 3
        ](change)
        return before + variable * 0.5

    def flow(self, kind, draws, inner, x, y):
        def body(v):
            values = [v, y]
            for step in inner:
                self.run(step, values)
            made = values[-1]
            return tf.reduce_mean(made) * 0.5 + v * 0.5

        if kind == "cond":
            return tf.cond(tf.reduce_sum(x) > 0, lambda: body(x), lambda: tf.sin(x))
        count = int(draws[3] % 3)
        return tf.while_loop(
            lambda i, v: i < count, lambda i, v: (i + 1, body(v)), (tf.constant(0), x)
        )[1]
