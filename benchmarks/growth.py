"""How time and memory grow with batch, width and sequence length: measured, and the exponents fitted.

    python benchmarks/growth.py

An exponent of 1 is linear. Time is the best of several steps; memory is what a step adds to the resident size at its
peak, in a process of its own.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

CASES = {
    "dense step, batch": ("dense", "batch", (256, 512, 1024, 2048, 4096)),
    "dense step, width": ("dense", "width", (256, 512, 1024, 2048)),
    "convolution step, batch": ("convolution", "batch", (16, 32, 64, 128)),
    "convolution step, width": ("convolution", "width", (16, 32, 64, 128)),
    "LSTM step, sequence length": ("lstm", "length", (16, 32, 64, 128)),
    "attention step, sequence length": ("attention", "length", (64, 128, 256, 512)),
}


def step_of(tf, kind, batch=128, width=256, length=32):
    """A function of no arguments that makes one step."""
    layers = tf.keras.layers
    if kind == "dense":
        model = tf.keras.Sequential([layers.Dense(width, activation="relu") for _ in range(4)])
        x = tf.random.normal([batch, width])
    elif kind == "convolution":
        model = tf.keras.Sequential(
            [layers.Conv2D(width, 3, padding="same", activation="relu") for _ in range(3)]
        )
        x = tf.random.normal([batch, 28, 28, width])
    elif kind == "lstm":
        model = tf.keras.Sequential([layers.LSTM(128, return_sequences=True)])
        x = tf.random.normal([32, length, 128])
    else:
        query = layers.Dense(64)

        def model(x):
            scores = tf.nn.softmax(tf.matmul(query(x), x, transpose_b=True))
            return tf.matmul(scores, x)

        x = tf.random.normal([16, length, 64])
        query(x)
        model.trainable_variables = query.trainable_variables
    model(x)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)))
        return tape.gradient(loss, model.trainable_variables)

    return step


def resident(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field))


def measure(kind, name, size):
    """One size in this process: seconds a step, and the megabytes that steps add at their peak."""
    import eagercore as tf

    options = {name: size}
    if kind == "convolution":
        options = {"batch": size, "width": 32} if name == "batch" else {"batch": 16, "width": size}
    step = step_of(tf, kind, **options)
    before = resident("VmRSS")
    best = math.inf
    started = time.perf_counter()
    for _ in range(50):
        at = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - at)
        if time.perf_counter() - started > 1.0:
            break
    return {"time": best, "memory": max(resident("VmHWM") - before, 0.01)}


def exponent(sizes, values):
    """The slope of the line through the logarithms."""
    x, y = [math.log(s) for s in sizes], [math.log(v) for v in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum(
        (a - mean_x) ** 2 for a in x
    )


def table():
    """The lines of a Markdown table."""
    lines = [
        "| growth | sizes | time, ms | exponent of time | memory, MB | exponent of memory |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    for label, (kind, name, sizes) in CASES.items():
        found = []
        for size in sizes:
            command = [sys.executable, __file__, kind, name, str(size)]
            done = subprocess.run(command, capture_output=True, text=True, env=env)
            if done.returncode:
                raise RuntimeError(done.stderr)
            found.append(json.loads(done.stdout))
        times, memory = [f["time"] for f in found], [f["memory"] for f in found]
        lines.append(
            f"| {label} | {', '.join(map(str, sizes))} | {', '.join(f'{1e3 * t:.2f}' for t in times)} "
            f"| {exponent(sizes, times):.2f} | {', '.join(f'{m:.0f}' for m in memory)} "
            f"| {exponent(sizes, memory):.2f} |"
        )
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        table()
